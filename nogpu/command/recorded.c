/* One report of several runs.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "../report/report.h"
#include "recorded.h"
#include "runs.h"

static const char *name, *file;
static struct options options;

void recorded_begin(const char *tool, void (*at_stop)(void))
{
    wordexp_t given = {.we_offs = 1};

    name = tool;
    if (wordexp(runs_setting("REPORT", ""), &given, WRDE_NOCMD | WRDE_DOOFFS) != 0)
        report_usage("REPORT=%s: words of the shell, without commands", getenv("REPORT"));
    given.we_wordv[0] = "nogpu";
    if (report_options((int)given.we_wordc + 1, given.we_wordv, &options) != (int)given.we_wordc + 1)
        report_usage("REPORT=%s: options alone", getenv("REPORT"));
    file = finding_text("%s/.findings", runs_folder());
    setenv("HIP_CPU_FINDINGS", file, 1);
    runs_begin(at_stop);
}

const char *recorded_file(void) { return file; }

FILE *recorded_place(void) { return strcmp(options.format, "text") != 0 ? stderr : options.is_quiet ? NULL : stdout; }

void recorded_add(const char *warp, const char *schedule, const char *more, const char *found)
{
    char *text = found ? report_file(found) : NULL;
    FILE *records = fopen(file, "a");

    if (!records || fprintf(records, "\001run\t%s\t%s\t%s\n%s", warp, schedule, more, text ? text : "") < 0 ||
        fclose(records) != 0)
        report_usage("%s: cannot write the findings", file);
    free(text);
}

int recorded_report(int code, int status)
{
    options.status = status ? status : code;
    fflush(stdout);
    int reported = report_print(name, file, &options);
    return code >= 128 ? code : reported;
}
