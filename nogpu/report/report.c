/* One report of the runs whose records are in a file.
 * SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static int number(const char *name, const char *text, int least)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (*text == '\0' || *end || value < least || value > 1000000)
        report_usage("--%s %s: a number from %d on", name, text, least);
    return (int)value;
}

int report_options(int argc, char **argv, struct options *o)
{
    static const struct option known[] = {
        {"format", required_argument, NULL, 'f'},       {"suppressions", required_argument, NULL, 's'},
        {"print-suppressions", no_argument, NULL, 'p'}, {"baseline", required_argument, NULL, 'b'},
        {"limit", required_argument, NULL, 'l'},        {"quiet", no_argument, NULL, 'q'},
        {"status", required_argument, NULL, 't'},       {"error-exitcode", required_argument, NULL, 'e'},
        {"log", required_argument, NULL, 'o'},          {NULL, 0, NULL, 0}};
    int c;

    *o = (struct options){.format = "text", .code = 1};
    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (c == 'f')
            o->format = optarg;
        else if (c == 's')
            o->suppressions = optarg;
        else if (c == 'p')
            o->prints_suppressions = true;
        else if (c == 'b')
            o->baseline = optarg;
        else if (c == 'l')
            o->limit = (unsigned)number("limit", optarg, 1);
        else if (c == 'q')
            o->is_quiet = true;
        else if (c == 't')
            o->status = number("status", optarg, 0);
        else if (c == 'e')
            o->code = number("error-exitcode", optarg, 0);
        else if (c == 'o')
            o->log = optarg;
        else
            exit(2);
    }
    if (strcmp(o->format, "text") != 0 && strcmp(o->format, "json") != 0 && strcmp(o->format, "sarif") != 0)
        report_usage("--format %s: text, json or sarif", o->format);
    return optind;
}

int report_print(const char *tool, const char *records, const struct options *o)
{
    struct report r = {.tool = tool};
    struct shown_list list = {0};

    report_read(&r, records);
    report_join(&r);
    report_filter(&r, o, &list);
    if (o->log && !freopen(o->log, "w", stdout))
        report_usage("--log %s: cannot write it", o->log);
    if (strcmp(o->format, "json") == 0)
        report_print_json(&r, o, &list);
    else if (strcmp(o->format, "sarif") == 0)
        report_print_sarif(&r, o, &list);
    else
        report_print_text(&r, o, &list);
    if (fflush(stdout) != 0 || ferror(stdout))
        report_usage("the report cannot be written");
    /* A run that has found something ends with 1. A failure of the race's program says more than the race. */
    bool is_found = o->status == 1 && r.failed == 0;
    bool fails = o->status > 1 && strcmp(tool, "race") == 0;
    return list.count > 0 && !fails ? o->code : is_found && list.count == 0 ? 0 : o->status;
}
