/* nogpu_report: the records of one or several runs of a program become one report.
 * SPDX-License-Identifier: MIT */
#ifndef NOGPU_REPORT_H
#define NOGPU_REPORT_H

#include "finding.h"

#define RUNS_MAX 256

/* A run, or a finding of it. */
struct run {
    const char *warp, *schedule, *more;
    unsigned kind; /* runs of one warp size and one set of arguments are of one kind */
};

struct item {
    struct finding_shown shown;
    unsigned run;
    unsigned first; /* the item that it is the same as: itself, or an earlier one */
    unsigned best;  /* of a first one: the item that says most */
    unsigned rank;
    bool is_later;  /* another one may have brought it about */
    bool is_output; /* of how the output differs: raw lines, no sides */
    const char *raw;
    char *perhaps;           /* what it may have brought about */
    unsigned long long seen; /* times, of a first one */
    unsigned char in_run[RUNS_MAX];
};

struct line { /* of the source, or a loop, that the runs have reached or not */
    const char *place, *around;
    bool is_loop, reached;
};

struct note {
    const char *text;
    unsigned char in_run[RUNS_MAX];
};

struct report {
    const char *tool; /* "race", "memory" */
    struct run *run;
    unsigned runs, kinds;
    struct item *item;
    unsigned items;
    struct line *line;
    unsigned lines;
    const char *clean; /* what a run without findings says; "" if there is none */
    struct note *note;
    unsigned notes;
    unsigned stopped, failed; /* runs: by a fault; with an exit code of their own */
};

struct options {
    const char *format;                  /* text, json, sarif */
    const char *suppressions, *baseline; /* files; NULL: none */
    bool prints_suppressions, is_quiet;
    unsigned limit;  /* findings that are shown, of each kernel */
    int status;      /* of the runs */
    int code;        /* if something is shown */
    const char *log; /* a file; NULL: stdout */
};

/* What is shown, in the order of the report. */
struct shown_list {
    struct item **item;
    unsigned count, suppressed, known, hidden; /* by rules, by the baseline, by the limit */
};

void *report_check(void *memory);
/* The end of the program: a wrong option or file. */
void report_usage(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The first word behind the options. */
int report_options(int argc, char **argv, struct options *o);
/* The exit code of all. */
int report_print(const char *tool, const char *records, const struct options *o);

/* read.c: an unreadable file has no records. */
void report_read(struct report *r, const char *file);
/* The text of a file; NULL: cannot be read. */
char *report_file(const char *file);
/* join.c: which findings are the same, and which one brings another one about. */
void report_join(struct report *r);
/* filter.c */
void report_filter(const struct report *r, const struct options *o, struct shown_list *list);
void report_print_suppression(const struct finding_shown *f);
/* The same finding in another version of the program has the same. */
void report_fingerprint(const struct finding_shown *f, char text[17]);
/* text.c, json.c */
void report_print_text(struct report *r, const struct options *o, const struct shown_list *list);
void report_print_json(const struct report *r, const struct options *o, const struct shown_list *list);
void report_print_sarif(const struct report *r, const struct options *o, const struct shown_list *list);
/* ", with warps of 32": where it was found, if not everywhere; "". list: warps or schedules of these runs, or
 * of all. */
char *report_where(const struct report *r, const struct item *i);
char *report_list(const struct report *r, const unsigned char *in_run, bool warps, const char *between);

#endif
