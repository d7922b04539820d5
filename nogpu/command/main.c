/* nogpu_report [OPTION]... TOOL RECORDS: prints one report of the runs whose records are in a file. help.txt has the options. Exit
 * code: 1 if something is shown, else that of the runs (--status).
 * nogpu_report run TOOL PROGRAM ...: runs it, too. nogpu_report command run|TOOL WORDS...: as bin/nogpu does.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../report/report.h"
#include "command.h"
#include "runs.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(char **words);
    } tools[] = {{"race", runs_race}, {"memory", runs_memory}, {"explain", runs_explain}};
    struct options o;

    if (argc > 2 && strcmp(argv[1], "command") == 0)
        return command_main(argv[2], argv + 3);
    for (size_t i = 0; argc > 3 && strcmp(argv[1], "run") == 0 && i < sizeof tools / sizeof *tools; i++)
        if (strcmp(argv[2], tools[i].name) == 0)
            return tools[i].run(argv + 3);
    int first = report_options(argc, argv, &o);
    if (argc - first != 2)
        report_usage("nogpu_report [OPTION]... TOOL RECORDS, or nogpu_report run "
                     "race|memory|explain PROGRAM ...");
    return report_print(argv[first], argv[first + 1], &o);
}
