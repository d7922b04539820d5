/* SPDX-License-Identifier: MIT */
#include "comparison.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "comparison_counts.h"
#include "exit_codes.h"
#include "harness/report/report.h"

#define ROW_WIDTH      48 /* after the name and before the verdict */
#define WIDE_ROW_WIDTH 67
#define CHECK_WIDTH    15
#define LINE_WIDTH     80
#define BAR_LEAST      8
#define BAR_MOST       60

static bool is_cpu(const struct csv_row *row) { return strcmp(csv_field(row, "arch"), "cpu") == 0; }

static void print_head(const struct comparison *t, const struct csv_row *row, bool size_given)
{
    double peak = csv_number(row, "peak_gbps");
    bool cpu = is_cpu(row);

    printf("# %s of %s elements of type %s, ", csv_field(row, "op"), csv_field(row, "n"), csv_field(row, "type"));
    if (*csv_field(row, "input") != '\0')
        printf("input %s", csv_field(row, "input"));
    else
        printf("pattern %s, seed %s", csv_field(row, "pattern"), csv_field(row, "seed"));
    if (!t->counting->wanted)
        printf(", %s caches", csv_field(row, "cache"));
    printf("\n");
    if (!size_given)
        printf("# the default size on this kind of device; another: --size=64M (make: SIZE=64M)\n");
    if (cpu)
        printf("# on %s, warp of %s\n", csv_field(row, "device"), csv_field(row, "warp_size"));
    else
        printf("# on %s (%s, warp of %s, %s units)\n", csv_field(row, "device"), csv_field(row, "arch"),
               csv_field(row, "warp_size"), csv_field(row, "compute_units"));
    if (t->counting->wanted)
        return;
    printf("# driver %s, runtime %s\n", csv_field(row, "driver"), csv_field(row, "runtime"));
    printf("# read ceiling %.1f GB/s", csv_number(row, "ceiling_gbps"));
    if (peak > 0)
        printf(", peak by clock and width of the memory %.1f GB/s", peak);
    printf("\n# total: from the input on the device to the value on the host. GB/s: by total;\n"
           "# %%: of the read ceiling. kernel: the launches alone, by the device's clock.\n");
    if (cpu)
        printf("# This CPU has neither warps nor banks: its times say nothing about a GPU.\n");
    printf("#\n");
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
    int w = t->name_width;

    if (first != NULL) {
        t->whole = csv_number(first, "ceiling_gbps");
        print_head(t, first, size_given);
    }
    if (t->counting->wanted) {
        comparison_counts_begin(t->counting, first != NULL ? csv_field(first, "warp_size") : "?", w);
        return;
    }
    t->bar_width = bar_width(w + (t->wide ? WIDE_ROW_WIDTH : ROW_WIDTH) + CHECK_WIDTH);
    if (t->wide) {
        printf("%-*s %9s %9s  %7s %7s %18s %8s  %s\n", w, "variant", "kernel", "total", "speed", "ceiling",
               "speed-up against", "error", "check");
        printf("%-*s %9s %9s  %7s %7s %11s %6s %8s\n", w, "", "us", "us", "GB/s", "%", "no_striding", "prim", "ulps");
        return;
    }
    printf("%-*s %9s  %9s %8s %6s %8s  %s\n", w, "variant", "total", "kernel", "speed", "share", "error", "check");
    printf("%-*s %9s  %9s %8s %6s %8s\n", w, "", "us", "us", "GB/s", "%", "ulps");
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
    static const char *const eighths[] = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
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

static void print_numbers(const struct comparison *t, const struct compared *e)
{
    double total = csv_number(&e->row, "total_median_us"), kernel = csv_number(&e->row, "kernel_median_us"),
           speed = csv_number(&e->row, "total_gbps"), ceiling = csv_number(&e->row, "ceiling_gbps");
    char noise = e->noise != 0 ? '~' : ' ', text[SCALAR_TEXT_MAX], percent[SCALAR_TEXT_MAX] = "-";

    if (ceiling > 0)
        snprintf(percent, sizeof percent, "%.1f", 100 * speed / ceiling);
    if (t->wide) {
        printf(" %9.1f %9.1f%c %7s %7s", kernel, total, noise, speed_text(text, speed), percent);
        print_ratio(11, t->slow, total);
        print_ratio(6, t->library, total);
    } else {
        printf(" %9.1f%c %9.1f %8s %6s", total, noise, kernel, speed_text(text, speed), percent);
    }
    printf(" %8.3g  ", csv_number(&e->row, "error_ulps"));
}

void comparison_row(const struct comparison *t, const struct compared *e)
{
    if (wrong_exercise(e) || e->refused)
        return;
    if (e->row.count == 0) {
        printf("%-*s  %s\n", t->name_width, e->name, e->reason);
        return;
    }
    print_name(t, e);
    if (t->counting->wanted) {
        comparison_counts_row(e, check_text(e));
        return;
    }
    print_numbers(t, e);
    if (t->bar_width > 0) {
        printf("%-*s", CHECK_WIDTH, check_text(e));
        print_bar(t->bar_width, csv_number(&e->row, "total_gbps"), t->whole);
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

static bool is_missing(const struct compared *e) { return !e->done; }

static bool is_refused(const struct compared *e) { return e->refused && !e->foreign; }

static bool is_foreign(const struct compared *e) { return e->foreign; }

/* "# shfl, atomic" */
static void print_list(const struct compared *programs, size_t count, bool (*is)(const struct compared *e))
{
    int column = 0;
    const char *separator = "# ";

    for (size_t i = 0; i < count; i++) {
        if (!is(&programs[i]))
            continue;
        int length = (int)(strlen(separator) + strlen(programs[i].name));
        if (column + length > LINE_WIDTH - 3) {
            printf(",\n# ");
            column = 2;
            separator = "";
        }
        column += printf("%s%s", separator, programs[i].name);
        separator = ", ";
    }
    printf("\n");
}

/* Programs without a row that have not failed, and what the first of them says. */
static void print_left_out(const struct compared *programs, size_t count, bool (*is)(const struct compared *e))
{
    const struct compared *first = NULL;
    size_t found = 0;

    for (size_t i = count; i-- > 0;)
        if (is(&programs[i])) {
            found++;
            first = &programs[i];
        }
    if (first == NULL)
        return;
    printf("# %zu left out: %s\n", found, first->reason);
    print_list(programs, count, is);
}

void comparison_end(const struct comparison *t, const struct compared *programs, size_t count)
{
    size_t failed = 0, unproven = 0, missing = 0;

    print_noise(programs, count);
    for (size_t i = 0; i < count; i++) {
        const struct compared *e = &programs[i];
        missing += !e->done;
        if (!e->done || e->refused)
            continue;
        unproven += e->row.count > 0 && e->status == EXIT_UNPROVEN;
        failed += e->row.count == 0 || (e->status == EXIT_WRONG && !e->exercise);
        if (wrong_exercise(e))
            printf("# %s: FAIL, an exercise, wrong on purpose: find out why, and mend it\n", e->name);
        if (t->counting->wanted && e->row.count > 0 && !e->exercise && !(e->counts.blocks > 0))
            printf("# %s: nothing was counted; make explain V=%s says why\n", e->name, e->name);
        if (e->exercise && e->row.count > 0 && e->status == EXIT_RIGHT)
            printf("# %s is right in this run; make check in its folder proves it\n", e->name);
    }
    print_left_out(programs, count, is_refused);
    print_left_out(programs, count, is_foreign);
    if (unproven > 0)
        printf("# UNPROVEN: the error bound is too wide to reject a wrong result; "
               "try\n# --type=double\n");
    if (failed > 0)
        printf("# %zu of %zu programs failed\n", failed, count);
    if (missing > 0) {
        printf("# %zu of %zu programs were not measured:\n", missing, count);
        print_list(programs, count, is_missing);
    }
}
