/* Runs a traced program with each warp size and each schedule, several at once, and prints one report. In the environment:
 *
 *   WARP="32 64" SCHEDULE="forward reverse random:1 random:2" MEMORY=weak:1 RACES=volatile GRID_BARRIER=release OUTPUT=varies
 *   TIME=60     seconds of processor time for all runs
 *   JOBS=8      runs at once; default: one for each core; with TIME one
 *   MORE="--block=64; --order=divergent"     further runs, each with these arguments too, so that all lines of a kernel run
 *   REPORT="--format sarif --limit 3"        options of the report, as words of the shell
 *
 * Exit code: that of the last run that did not end with 0. A program's own is 1, too, where its result is wrong.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../report/outputs.h"
#include "../report/report.h"
#include "recorded.h"
#include "runs.h"

#define FAILED_TO_RUN 3
#define KILLED        (128 + 9)
#define OUT_OF_TIME   (128 + 24) /* SIGXCPU */

struct race_run {
    char *warp, *schedule;
    char *said, *found; /* files */
    pid_t process;
    int code;
    bool is_left_out, is_over;
};

static struct {
    const char *shown;
    char **words, **warps, **schedules;
    const char *more;
    long time, before, left; /* processor time: seconds, tenths of them, seconds; 0: no limit */
    char *missed;
    int jobs, status;
    struct race_run *run;          /* with these arguments */
    size_t runs, started, counted; /* in their order; those counted are in the report */
} all = {.more = "", .missed = ""};

static void show(const struct race_run *run)
{
    char *text = report_file(run->said);

    if (recorded_place())
        fprintf(recorded_place(), "\n== warp of %s, SCHEDULE=%s%s%s\n%s", run->warp, run->schedule,
                *all.more ? "," : "", all.more, text ? text : "");
    free(text);
}

/* A run becomes part of the report. */
static void record(const struct race_run *run)
{
    recorded_add(run->warp, run->schedule, all.more, run->found);
    unlink(run->found);
}

static void miss(const struct race_run *run, const char *what)
{
    all.missed = finding_text("%s%s %swarp of %s SCHEDULE=%s%s%s", all.missed, *all.missed ? "," : "", what, run->warp,
                              run->schedule, *all.more ? " " : "", all.more);
}

/* ---- one run ---- */

static void start(struct race_run *run)
{
    char *of_warp = finding_text("%s.%s", all.words[0], run->warp), *program = all.words[0];
    int out = open(run->said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (out < 0)
        report_usage("%s: cannot be written", run->said);
    unlink(run->found);
    runs_set(run->warp, run->schedule);
    setenv("HIP_CPU_FINDINGS", run->found, 1);
    all.words[0] = access(of_warp, X_OK) == 0 ? of_warp : program;
    run->process = runs_fork(all.words, out, out, (unsigned)all.left);
    all.words[0] = program;
    close(out);
}

/* A fault has ended it: what it printed until then says nothing. */
static void count(struct race_run *run)
{
    if (run->is_left_out)
        return;
    record(run);
    if (all.left > 0 && run->code == OUT_OF_TIME) { /* it did not fail */
        run->code = 0;
        miss(run, "the rest of ");
    }
    if (run->code != 0)
        all.status = run->code;
    if (!outputs_said_before(run->said, all.shown))
        show(run);
    if (run->code == FAILED_TO_RUN || run->code >= 128)
        unlink(run->said);
}

static void on_stop(void)
{
    for (; all.counted < all.started; all.counted++) {
        struct race_run *run = &all.run[all.counted];
        if (run->is_over) {
            count(run);
        } else {
            record(run);
            show(run);
        }
    }
    exit(recorded_report(130, all.status));
}

static long tenths(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 10 +
           (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 100000;
}

/* Whether there is time for another run. Limits are whole seconds. */
static bool has_time(const struct race_run *run)
{
    if (all.time == 0)
        return true;
    all.left = (all.time * 10 + all.before - tenths() + 9) / 10;
    if (all.left <= 0)
        miss(run, "");
    return all.left > 0;
}

/* ---- several at once ---- */

static long long size_of(const char *file)
{
    struct stat is;

    return stat(file, &is) == 0 ? is.st_size : 0;
}

/* Whether a run can have disturbed those beside it, or been disturbed: it wrote something else than its output and its findings,
 * as a file that another one reads; it ended otherwise than the first one, as where both want the same port; or there was not
 * enough memory for all; memory: the share of one. */
static bool is_disturbed(const struct race_run *run, const struct runs_end *end, int first, long long memory)
{
    return end->code != first || end->written != size_of(run->said) + size_of(run->found) || end->code == KILLED ||
           (end->code != 0 && end->memory > memory);
}

static struct race_run *run_of(pid_t process)
{
    for (size_t i = 0; i < all.started; i++)
        if (all.run[i].process == process && !all.run[i].is_over)
            return &all.run[i];
    return NULL;
}

/* On a terminal: nothing is shown before the last run has ended. */
static void show_progress(size_t running)
{
    if (!recorded_place() || !isatty(STDERR_FILENO))
        return;
    if (running > 0)
        fprintf(stderr, "\rrace: %zu of %zu runs", all.started - running, all.runs);
    else
        fputs("\r\033[K", stderr);
}

/* False: they have to run one after another, from the first on. */
static bool run_jobs(int jobs)
{
    long long memory = runs_number("/proc/meminfo", "MemAvailable:") * 1024; /* that can be had now, in bytes */
    size_t running = 0;
    struct runs_end end;
    int first = -1; /* exit code */

    for (all.started = all.counted = 0; all.counted < all.runs;) {
        while (all.started < all.runs && running < (size_t)jobs) {
            struct race_run *run = &all.run[all.started];
            run->is_over = run->is_left_out = !has_time(run);
            if (!run->is_left_out) {
                start(run);
                running++;
            }
            all.started++;
        }
        if (running > 0 && runs_wait(&end)) {
            struct race_run *run = run_of(end.process);
            running--;
            run->is_over = true;
            run->code = end.code;
            first = first < 0 ? end.code : first;
            bool again = jobs > 1 && is_disturbed(run, &end, first, memory / jobs);
            if (jobs > 1)
                show_progress(again ? 0 : running);
            if (again) {
                all.started = all.counted = 0;
                runs_end_all();
                return false;
            }
        }
        if (jobs == 1 || (running == 0 && all.started == all.runs)) /* the last one may have disturbed the first */
            for (; all.counted < all.started; all.counted++)
                count(&all.run[all.counted]);
    }
    return true;
}

/* One more run of a setting. What it finds counts nowhere; the second one compares the memory that its kernels write with
 * that of the first one, for the record. */
static void run_again(char *setting)
{
    char *dot = strchr(setting, '.');
    struct race_run run = {.warp = finding_text("%.*s", (int)(dot - setting), setting),
                           .schedule = dot + 1,
                           .found = finding_text("%s/.again", runs_folder())};
    struct runs_end end;
    unsigned sample = 2;

    while (access(run.said = finding_text("%s/%s.%u", runs_folder(), setting, sample), F_OK) == 0)
        sample++;
    start(&run);
    runs_wait(&end);
}

/* While two settings differ, one more run of each: what changes there, too, says nothing. */
static void compare_outputs(void)
{
    char *different[2];
    int code;

    while ((code = outputs_compare(runs_folder(), recorded_file(), runs_setting("OUTPUT", ""), all.more, all.warps,
                                   all.schedules, different)) == OUTPUTS_AGAIN) {
        char *written = finding_text("%s/.written.%s.%s", runs_folder(), different[0], different[1]);
        unlink(written);
        setenv("HIP_CPU_WRITTEN", written, 1);
        run_again(different[0]);
        run_again(different[1]);
        unsetenv("HIP_CPU_WRITTEN");
    }
    if (code == 1 && all.status == 0)
        all.status = 1;
}

static void run_all(char **words, const char *schedules)
{
    all.words = runs_joined(words, runs_words(all.more));
    all.schedules = runs_words(runs_setting("SCHEDULE", schedules));
    all.runs = 0;
    for (char **warp = all.warps; *warp; warp++)
        for (char **schedule = all.schedules; *schedule; schedule++) {
            all.run = report_check(realloc(all.run, (all.runs + 1) * sizeof *all.run));
            all.run[all.runs++] = (struct race_run){
                .warp = *warp,
                .schedule = *schedule,
                .said = finding_text("%s/%s.%s.1", runs_folder(), *warp, *schedule),
                .found = finding_text("%s/.findings.%zu", runs_folder(), all.runs),
            };
        }
    if (!run_jobs(all.jobs < (int)all.runs ? all.jobs : (int)all.runs)) {
        all.jobs = 1;
        run_jobs(1);
    }
    if (*all.missed == '\0')
        compare_outputs();
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

/* What a pipe holds only one run can read. */
static bool has_input(void)
{
    struct stat in;

    return fstat(STDIN_FILENO, &in) == 0 && (S_ISFIFO(in.st_mode) || S_ISSOCK(in.st_mode));
}

static int jobs(void)
{
    cpu_set_t cores;
    long count = strtol(runs_setting("JOBS", "0"), NULL, 10);

    if (count == 0 && !has_input() && sched_getaffinity(0, sizeof cores, &cores) == 0)
        count = CPU_COUNT(&cores);
    if (count < 1 || all.time > 0 || access("/proc/self/io", R_OK) != 0)
        return 1;
    return count < RUNS_MOST ? (int)count : RUNS_MOST;
}

int runs_race(char **words)
{
    recorded_begin("race", on_stop);
    runs_copy_setting("MEMORY", "HIP_CPU_MEMORY");
    runs_copy_setting("RACES", "HIP_CPU_RACES");
    runs_copy_setting("GRID_BARRIER", "HIP_CPU_GRID_BARRIER");
    setenv("HIP_CPU_TRACE", "races", 1);
    all.shown = finding_text("%s/.shown", runs_folder());
    all.warps = warps_of(words[0]);
    all.time = strtol(runs_setting("TIME", "0"), NULL, 10);
    all.before = tenths();
    all.jobs = jobs();
    run_all(words, "forward reverse random:1 random:2");
    for (char *more = finding_text("%s", runs_setting("MORE", "")); more && *more;) {
        all.more = strsep(&more, ";");
        run_all(words, "forward random:1");
    }
    if (*all.missed && recorded_place())
        fprintf(recorded_place(), "race: %ld s of processor time were not enough for:%s\n", all.time, all.missed);
    return recorded_report(all.status, all.status);
}
