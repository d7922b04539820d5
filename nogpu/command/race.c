/* Runs a traced program with each warp size and each schedule, and prints one report. In the environment:
 *
 *   WARP="32 64" SCHEDULE="forward reverse random:1 random:2" MEMORY=weak:1 RACES=volatile GRID_BARRIER=release OUTPUT=varies
 *   TIME=60     seconds of processor time for all runs
 *   MORE="--block=64; --order=divergent"     further runs, each with these arguments too, so that all lines of a kernel run
 *   REPORT="--format sarif --limit 3"        options of the report, as words of the shell
 *
 * Exit code: that of the last run that did not end with 0. A program's own is 1, too, where its result is wrong.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <wordexp.h>

#include "../report/outputs.h"
#include "../report/report.h"
#include "runs.h"

#define FAILED_TO_RUN 3
#define OUT_OF_TIME   (128 + 24) /* SIGXCPU */

static struct {
    const char *tool, *findings, *shown;
    struct options report;
    char **words, **warps, **schedules;
    const char *warp, *schedule, *more, *said; /* of this run */
    bool runs;
    long time, before, left; /* processor time: seconds, tenths of them, seconds; 0: no limit */
    char *missed;
    int status;
} all = {.more = "", .missed = ""};

/* What the program says stands on stdout, unless the report alone does. */
static FILE *place(void)
{
    return strcmp(all.report.format, "text") != 0 ? stderr : all.report.is_quiet ? NULL : stdout;
}

static void show(void)
{
    char *text = report_file(all.said);

    if (place())
        fprintf(place(), "\n== warp of %s, SCHEDULE=%s%s%s\n%s", all.warp, all.schedule, *all.more ? "," : "", all.more,
                text ? text : "");
}

/* The exit code. */
static int finish(int code)
{
    if (all.runs)
        show();
    all.report.status = all.status ? all.status : code;
    fflush(stdout);
    int reported = report_print(all.tool, all.findings, &all.report);
    return code >= 128 ? code : reported;
}

static void on_stop(void) { exit(finish(130)); }

static void begin(const char *tool, char **words)
{
    wordexp_t options = {.we_offs = 1};

    all.tool = tool;
    all.words = words;
    if (wordexp(runs_setting("REPORT", ""), &options, WRDE_NOCMD | WRDE_DOOFFS) != 0)
        report_usage("REPORT=%s: words of the shell, without commands", getenv("REPORT"));
    options.we_wordv[0] = "nogpu";
    if (report_options((int)options.we_wordc + 1, options.we_wordv, &all.report) != (int)options.we_wordc + 1)
        report_usage("REPORT=%s: options alone", getenv("REPORT"));
    all.findings = finding_text("%s/.findings", runs_folder());
    setenv("HIP_CPU_FINDINGS", all.findings, 1);
    runs_begin(on_stop);
}

static void set_run(const char *warp, const char *schedule)
{
    all.warp = warp;
    all.schedule = schedule;
    if (*warp)
        setenv("HIP_CPU_WARP_SIZE", warp, 1);
    setenv("HIP_CPU_SCHEDULE", schedule, 1);
}

static void record_run(void)
{
    FILE *findings = fopen(all.findings, "a");

    if (!findings || fprintf(findings, "\001run\t%s\t%s\t%s\n", all.warp, all.schedule, all.more) < 0 ||
        fclose(findings) != 0)
        report_usage("%s: cannot write the findings", all.findings);
}

/* ---- race ---- */

static long tenths(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 10 +
           (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 100000;
}

static void miss(const char *what)
{
    all.missed = finding_text("%s%s %swarp of %s SCHEDULE=%s%s%s", all.missed, *all.missed ? "," : "", what, all.warp,
                              all.schedule, *all.more ? " " : "", all.more);
}

/* Whether there is time for another run. Limits are whole seconds. */
static bool has_time(void)
{
    if (all.time == 0)
        return true;
    all.left = (all.time * 10 + all.before - tenths() + 9) / 10;
    if (all.left <= 0)
        miss("");
    return all.left > 0;
}

/* Runs it as it is set, and returns its exit code. */
static int run_one(char **words, unsigned sample)
{
    char *of_warp = finding_text("%s.%s", words[0], all.warp), *program = words[0];

    all.said = finding_text("%s/%s.%s.%u", runs_folder(), all.warp, all.schedule, sample);
    int out = open(all.said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (out < 0)
        report_usage("%s: cannot be written", all.said);
    words[0] = access(of_warp, X_OK) == 0 ? of_warp : program;
    int code = runs_start(words, out, out, (unsigned)all.left);
    words[0] = program;
    close(out);
    return code;
}

/* A fault has ended it: what it printed until then says nothing. */
static void run_setting(char **words)
{
    record_run();
    all.runs = true;
    int code = run_one(words, 1);
    all.runs = false;
    if (all.left > 0 && code == OUT_OF_TIME) { /* it did not fail */
        code = 0;
        miss("the rest of ");
    }
    if (code != 0)
        all.status = code;
    if (!outputs_said_before(all.said, all.shown))
        show();
    if (code == FAILED_TO_RUN || code >= 128)
        unlink(all.said);
}

/* One more run of a setting. What it finds counts nowhere; the second one compares the memory that its kernels write with
 * that of the first one, for the record. */
static void run_again(char **words, char *setting)
{
    char *dot = strchr(setting, '.');
    unsigned sample = 2;

    while (access(finding_text("%s/%s.%u", runs_folder(), setting, sample), F_OK) == 0)
        sample++;
    set_run(finding_text("%.*s", (int)(dot - setting), setting), dot + 1);
    run_one(words, sample);
}

/* While two settings differ, one more run of each: what changes there, too, says nothing. */
static void compare_outputs(char **words)
{
    char *different[2];
    int code;

    while ((code = outputs_compare(runs_folder(), all.findings, runs_setting("OUTPUT", ""), all.more, all.warps,
                                   all.schedules, different)) == OUTPUTS_AGAIN) {
        char *written = finding_text("%s/.written.%s.%s", runs_folder(), different[0], different[1]);
        unlink(written);
        setenv("HIP_CPU_FINDINGS", finding_text("%s/.again", runs_folder()), 1);
        setenv("HIP_CPU_WRITTEN", written, 1);
        run_again(words, different[0]);
        run_again(words, different[1]);
        setenv("HIP_CPU_FINDINGS", all.findings, 1);
        unsetenv("HIP_CPU_WRITTEN");
    }
    if (code == 1 && all.status == 0)
        all.status = 1;
}

static void run_all(const char *schedules)
{
    char **words = runs_joined(all.words, runs_words(all.more));

    all.schedules = runs_words(runs_setting("SCHEDULE", schedules));
    for (char **warp = all.warps; *warp; warp++)
        for (char **schedule = all.schedules; *schedule; schedule++) {
            set_run(*warp, *schedule);
            if (has_time())
                run_setting(words);
        }
    if (*all.missed == '\0')
        compare_outputs(words);
}

/* A program that asks macros for the size of a warp is there once for each (program.c), or has one alone. */
static char **warps_of(const char *program)
{
    const char *text = runs_setting("WARP", "32 64");
    char **warps = runs_words(text), **left = runs_words(text);
    size_t count = 0;

    for (size_t i = 0; warps[i]; i++)
        if (access(finding_text("%s.%s", program, warps[i]), X_OK) == 0 || runs_can(program, warps[i]))
            left[count++] = warps[i];
    left[count] = NULL;
    return count > 0 ? left : warps;
}

int runs_race(char **words)
{
    begin("race", words);
    runs_copy_setting("MEMORY", "HIP_CPU_MEMORY");
    runs_copy_setting("RACES", "HIP_CPU_RACES");
    runs_copy_setting("GRID_BARRIER", "HIP_CPU_GRID_BARRIER");
    setenv("HIP_CPU_TRACE", "races", 1);
    all.shown = finding_text("%s/.shown", runs_folder());
    all.warps = warps_of(words[0]);
    all.time = strtol(runs_setting("TIME", "0"), NULL, 10);
    all.before = tenths();
    run_all("forward reverse random:1 random:2");
    for (char *more = finding_text("%s", runs_setting("MORE", "")); more && *more;) {
        all.more = strsep(&more, ";");
        run_all("forward random:1");
    }
    if (*all.missed && place())
        fprintf(place(), "race: %ld s of processor time were not enough for:%s\n", all.time, all.missed);
    return finish(all.status);
}

/* ---- memory ---- */

int runs_memory(char **words)
{
    char *as_it_is[] = {"", NULL}, **warps = runs_words(runs_setting("WARP", ""));

    begin("memory", words);
    setenv("HIP_CPU_TRACE", "memory", 1);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC), out = place() ? fileno(place()) : null;
    for (char **warp = *warps ? warps : as_it_is; *warp; warp++)
        for (char **schedule = runs_words(runs_setting("SCHEDULE", "forward")); *schedule; schedule++) {
            set_run(*warp, *schedule);
            record_run();
            int code = runs_start(words, out, STDERR_FILENO, 0);
            if (code != 0)
                all.status = code;
        }
    return finish(all.status);
}
