/* nogpu_report [OPTION]... TOOL RECORDS: prints one report of the runs whose records are in a file. command/help.txt has the
 * options. Exit code: 1 if something is shown, else that of the runs (--status).
 * SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "outputs.h"
#include "report.h"

static int number(const char *name, const char *text, int least)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (*text == '\0' || *end || value < least || value > 1000000)
        report_usage("--%s %s: a number from %d on", name, text, least);
    return (int)value;
}

int main(int argc, char **argv)
{
    static const struct option known[] = {
        {"format", required_argument, NULL, 'f'},       {"suppressions", required_argument, NULL, 's'},
        {"print-suppressions", no_argument, NULL, 'p'}, {"baseline", required_argument, NULL, 'b'},
        {"limit", required_argument, NULL, 'l'},        {"quiet", no_argument, NULL, 'q'},
        {"status", required_argument, NULL, 't'},       {"error-exitcode", required_argument, NULL, 'e'},
        {"log", required_argument, NULL, 'o'},          {NULL, 0, NULL, 0}};
    struct options o = {.format = "text"};
    const char *log = NULL;
    struct report r = {0};
    struct shown_list list = {0};
    int code = 1, c;

    if (argc == 8 && strcmp(argv[1], "outputs") == 0)
        return outputs_compare(argv + 2);
    if (argc == 4 && strcmp(argv[1], "said") == 0)
        return outputs_said_before(argv + 2);
    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (c == 'f')
            o.format = optarg;
        else if (c == 's')
            o.suppressions = optarg;
        else if (c == 'p')
            o.prints_suppressions = true;
        else if (c == 'b')
            o.baseline = optarg;
        else if (c == 'l')
            o.limit = (unsigned)number("limit", optarg, 1);
        else if (c == 'q')
            o.is_quiet = true;
        else if (c == 't')
            o.status = number("status", optarg, 0);
        else if (c == 'e')
            code = number("error-exitcode", optarg, 0);
        else if (c == 'o')
            log = optarg;
        else
            return 2;
    }
    if (argc - optind != 2)
        report_usage("nogpu_report [OPTION]... TOOL RECORDS");
    if (strcmp(o.format, "text") != 0 && strcmp(o.format, "json") != 0 && strcmp(o.format, "sarif") != 0)
        report_usage("--format %s: text, json or sarif", o.format);
    r.tool = argv[optind];
    report_read(&r, argv[optind + 1]);
    report_join(&r);
    report_filter(&r, &o, &list);
    if (log && !freopen(log, "w", stdout))
        report_usage("--log %s: cannot write it", log);
    if (strcmp(o.format, "json") == 0)
        report_print_json(&r, &o, &list);
    else if (strcmp(o.format, "sarif") == 0)
        report_print_sarif(&r, &o, &list);
    else
        report_print_text(&r, &o, &list);
    if (fflush(stdout) != 0 || ferror(stdout))
        report_usage("the report cannot be written");
    /* A run that has found something ends with 1. A failure of the race's program says more than the race. */
    bool is_found = o.status == 1 && r.failed == 0;
    bool fails = o.status > 1 && strcmp(r.tool, "race") == 0;
    return list.count > 0 && !fails ? code : is_found && list.count == 0 ? 0 : o.status;
}
