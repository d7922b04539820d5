/* SPDX-License-Identifier: MIT */
#include "comparison.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "comparison_cpu.h"
#include "exit_codes.h"
#include "harness/report/report.h"

#define ROW_WIDTH   67 /* after the name and before the verdict */
#define CHECK_WIDTH 15
#define BAR_LEAST   8
#define BAR_MOST    60

static void print_head(const struct comparison *t, const struct csv_row *row, bool size_given)
{
    double peak = csv_number(row, "peak_gbps");

    printf("# %s of %s elements of type %s, ", csv_field(row, "op"), csv_field(row, "n"),
           csv_field(row, "type"));
    if (*csv_field(row, "input") != '\0')
        printf("input %s", csv_field(row, "input"));
    else
        printf("pattern %s, seed %s", csv_field(row, "pattern"), csv_field(row, "seed"));
    printf(", %s caches\n", csv_field(row, "cache"));
    if (!size_given)
        printf("# this is the default size on this kind of device; make run SIZE=64M chooses "
               "another\n");
    if (t->cpu) {
        printf("# on %s\n#\n", csv_field(row, "device"));
        return;
    }
    printf("# on %s (%s, warp of %s, %s units)\n", csv_field(row, "device"), csv_field(row, "arch"),
           csv_field(row, "warp_size"), csv_field(row, "compute_units"));
    printf("# driver %s, runtime %s\n", csv_field(row, "driver"), csv_field(row, "runtime"));
    printf("# read ceiling %.1f GB/s", csv_number(row, "ceiling_gbps"));
    if (peak > 0)
        printf(", peak by clock and width of the memory %.1f GB/s", peak);
    printf("\n# total: the whole reduction, until the value is on the host; all that follows is "
           "computed from it\n"
           "# kernel: the launches alone, by the clock of the device\n#\n");
}

static bool is_cpu(const struct csv_row *row)
{
    return strcmp(csv_field(row, "arch"), "cpu") == 0;
}

/* Columns left for a bar after the table; 0: no bar. */
static int bar_width(int table_width)
{
    struct winsize window;
    int room;

    if (!isatty(STDOUT_FILENO) || strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ||
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0)
        return 0;
    room = (int)window.ws_col - table_width - 2;
    return room < BAR_LEAST ? 0 : room > BAR_MOST ? BAR_MOST : room;
}

void comparison_begin(struct comparison *t, const struct csv_row *first, bool size_given)
{
    if (first != NULL) {
        t->whole = csv_number(first, "ceiling_gbps");
        t->cpu = is_cpu(first);
        print_head(t, first, size_given);
    }
    if (t->cpu) {
        comparison_cpu_begin(t->counting, t->name_width);
        return;
    }
    t->bar_width = bar_width(t->name_width + ROW_WIDTH + CHECK_WIDTH);
    printf("%-*s %9s %9s  %7s %7s %18s %8s  %s\n", t->name_width, "variant", "kernel", "total",
           "speed", "ceiling", "speed-up against", "error", "check");
    printf("%-*s %9s %9s  %7s %7s %11s %6s %8s\n", t->name_width, "", "us", "us", "GB/s", "%",
           "no_striding", "prim", "ulps");
}

unsigned comparison_noise(const struct csv_row *row, double others)
{
    double median = csv_number(row, "total_median_us"), slow = csv_number(row, "total_p95_us");
    unsigned noise = 0;

    if (is_cpu(row))
        return 0;
    if (csv_number(row, "kernel_median_us") > median)
        noise |= NOISE_KERNEL;
    if (slow > NOISE_SPREAD_MOST * median)
        noise |= NOISE_SPREAD;
    if (others > NOISE_LOAD_MOST)
        noise |= NOISE_LOAD;
    return noise;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* Time of `of` over total, or "-" */
static void print_ratio(int width, const struct compared *of, double total)
{
    double time = of != NULL && of->row.count > 0 ? csv_number(&of->row, "total_median_us") : 0;

    if (time > 0 && total > 0)
        printf(" %*.2f", width, time / total);
    else
        printf(" %*s", width, "-");
}

/* part of whole as a bar, in eighths of a character */
static void print_bar(int width, double part, double whole)
{
    static const char *const eighths[] = {"",       "\u258f", "\u258e", "\u258d",
                                          "\u258c", "\u258b", "\u258a", "\u2589"};
    int length = whole > 0 ? (int)lround(8 * width * fmin(part / whole, 1)) : 0;

    printf("  ");
    for (int i = 0; i < length / 8; i++)
        printf("\u2588");
    printf("%s", eighths[length % 8]);
}

static const char *check_text(const struct compared *e)
{
    if (e->status == EXIT_UNPROVEN)
        return "UNPROVEN";
    if (e->exercise)
        return "OK in this run"; /* a wrong exercise has no row */
    return e->status == EXIT_RIGHT ? "OK" : "FAIL";
}

static bool wrong_exercise(const struct compared *e)
{
    return e->exercise && e->row.count > 0 && e->status == EXIT_WRONG;
}

/* Names what a variant computes instead of the sum in the table's head ("custom argmax"). */
static void print_name(const struct comparison *t, const struct compared *e)
{
    static const char own[] = "example=";
    const char *options = csv_field(&e->row, "options");
    char name[80];

    snprintf(name, sizeof name, "%s", e->name);
    if (strncmp(options, own, strlen(own)) == 0)
        snprintf(name, sizeof name, "%s %.*s", e->name, (int)strcspn(options + strlen(own), ";"),
                 options + strlen(own));
    printf("%-*s", t->name_width, name);
}

void comparison_row(const struct comparison *t, const struct compared *e)
{
    double total = csv_number(&e->row, "total_median_us"),
           speed = csv_number(&e->row, "total_gbps"), ceiling = csv_number(&e->row, "ceiling_gbps");
    char text[SCALAR_TEXT_MAX];

    if (wrong_exercise(e))
        return;
    if (e->row.count == 0) {
        printf("%-*s  %s\n", t->name_width, e->name, e->reason);
        return;
    }
    print_name(t, e);
    if (t->cpu) {
        comparison_cpu_row(t->counting, &e->counts, check_text(e), total);
        return;
    }
    printf(" %9.1f %9.1f%c %7s", csv_number(&e->row, "kernel_median_us"), total,
           e->noise != 0 ? '~' : ' ', speed_text(text, speed));
    if (ceiling > 0)
        printf(" %7.1f", 100 * speed / ceiling);
    else
        printf(" %7s", "-");
    print_ratio(11, t->slow, total);
    print_ratio(6, t->library, total);
    printf(" %8.3g  ", csv_number(&e->row, "error_ulps"));
    if (t->bar_width > 0) {
        printf("%-*s", CHECK_WIDTH, check_text(e));
        print_bar(t->bar_width, speed, t->whole);
    } else {
        printf("%s", check_text(e));
    }
    printf("\n");
}

/* ---- below the table ------------------------------------------------------------------------------- */

static size_t count_noise(const struct compared *programs, size_t count, unsigned which)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += (programs[i].noise & which) != 0;
    return found;
}

static void print_noise(const struct compared *programs, size_t count)
{
    static const struct {
        unsigned which;
        const char *text;
    } kinds[] = {
        {NOISE_LOAD, "other programs kept the processors busy"},
        {NOISE_SPREAD, "the slowest runs took over 1.2 x the median"},
        {NOISE_KERNEL, "kernel took longer than total"},
    };

    if (count_noise(programs, count, ~0u) == 0)
        return;
    printf("# ~ marks noise; measure again on an idle machine:\n");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t found = count_noise(programs, count, kinds[i].which);
        if (found > 0)
            printf("#   %s (%zu row%s)\n", kinds[i].text, found, found == 1 ? "" : "s");
    }
}

/* Names programs that have not been run ("shfl, atomic"), in lines of at most 100 columns */
static void print_missing(const struct compared *programs, size_t count)
{
    int column = 0;
    const char *separator = "# ";

    for (size_t i = 0; i < count; i++) {
        if (programs[i].done)
            continue;
        int length = (int)(strlen(separator) + strlen(programs[i].name));
        if (column + length > 97) {
            printf(",\n# ");
            column = 2;
            separator = "";
        }
        column += printf("%s%s", separator, programs[i].name);
        separator = ", ";
    }
    printf("\n");
}

void comparison_end(const struct comparison *t, const struct compared *programs, size_t count)
{
    size_t failed = 0, unproven = 0, missing = 0;

    print_noise(programs, count);
    for (size_t i = 0; i < count; i++) {
        const struct compared *e = &programs[i];
        missing += !e->done;
        if (!e->done)
            continue;
        unproven += e->row.count > 0 && e->status == EXIT_UNPROVEN;
        failed += e->row.count == 0 || (e->status == EXIT_WRONG && !e->exercise);
        if (wrong_exercise(e))
            printf("# %s: FAIL, an exercise, wrong on purpose: find out why, and make it right\n",
                   e->name);
        if (t->counting->folder != NULL && e->row.count > 0 && !e->exercise && !e->counts.known)
            printf("# %s: nothing was counted; make explain V=%s says why\n", e->name, e->name);
        if (e->exercise && e->row.count > 0 && e->status == EXIT_RIGHT)
            printf("# %s is right in this run; make check in its folder proves it\n", e->name);
    }
    if (unproven > 0)
        printf("# UNPROVEN: the error bound is too wide to reject a wrong result; "
               "try --type=double\n");
    if (failed > 0)
        printf("# %zu of %zu programs failed\n", failed, count);
    if (missing > 0) {
        printf("# %zu of %zu programs were not measured:\n", missing, count);
        print_missing(programs, count);
    }
}
