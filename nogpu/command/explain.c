/* Counts what the hardware would do with a traced program, or with two side by side: the totals of their first kernels. In the
 * environment:
 *
 *   WARP="32 64"         one run for each
 *   MACHINE=gfx942       counts for that machine (trace/explain/machines.h)
 *   FORMAT=json          the numbers, for one warp size if WARP names none; what the program prints goes to stderr
 *   PAGE=explain.html    all of it as a page for a browser
 *   LEFT_OUT="prefix_ WORD..."   what the page and the comparison do not say: of names of programs, and of arguments
 *
 * Exit code: that of the program. A program with a wrong result is counted, too.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../report/report.h"
#include "runs.h"

static struct {
    char *program[2], **arguments;
    unsigned programs;
    const char *warps, *machine, *page, *format;
    FILE *list, *comparison, *texts; /* what is counted: as JSON, side by side, and for a browser without JavaScript */
    char *listed, *compared, *text;
    int status;
} all;

/* The name of a program. */
static const char *name_of(const char *program)
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    const char *prefix = runs_setting("LEFT_OUT", "");
    size_t length = strcspn(prefix, " ");

    return strncmp(name, prefix, length) == 0 ? name + length : name;
}

/* What is counted, in a form: "", "json," or "csv,". */
static char *count(char *program, const char *form, int out)
{
    char *words[] = {program, NULL}, *file = finding_text("%s/counted", runs_folder());

    unlink(file);
    setenv(
        "HIP_CPU_EXPLAIN",
        finding_text("%s%s%s%sto:%s", *all.machine ? "machine:" : "", all.machine, *all.machine ? "," : "", form, file),
        1);
    int code = runs_start(runs_joined(words, all.arguments), out, STDERR_FILENO, 0);
    char *text = report_file(file);
    all.status = code ? code : all.status;
    if (!text || !*text)
        exit(all.status);
    return text;
}

/* ---- two programs ---- */

/* The number of this column; or with text, where its text begins. */
static double number(const char *csv, const char *column, const char **text)
{
    const char *row = strchr(csv, '\n'), *name = csv;
    size_t length = strlen(column);

    for (row = row ? row + 1 : ""; strncmp(name, column, length) != 0 || !strchr(",\n", name[length]); name++, row++) {
        name += strcspn(name, ",\n");
        row += strcspn(row, ",\n");
        if (*name != ',' || *row != ',')
            return 0;
    }
    if (text)
        *text = row;
    return strtod(row, NULL);
}

static const struct row {
    const char *name, *of, *over, *unit;
    int digits;
} rows[] = {
    {"blocks", "blocks", NULL, NULL, 0},
    {"memory instructions of warps", "instructions", NULL, NULL, 0},
    {"lanes at work on average", "lanes", "instructions", NULL, 1},
    {"global memory: sectors loaded", "global_load_sectors", NULL, NULL, 0},
    {"global memory: times that it is loaded", "global_load_sectors", "global_load_once_bytes", "sector_bytes", 2},
    {"global memory: sectors stored", "global_store_sectors", NULL, NULL, 0},
    {"shared memory: passes of loads", "shared_load_passes", NULL, NULL, 0},
    {"shared memory: of them conflicts", "shared_load_conflicts", NULL, NULL, 0},
    {"shared memory: passes of stores", "shared_store_passes", NULL, NULL, 0},
    {"shared memory: of them conflicts", "shared_store_conflicts", NULL, NULL, 0},
    {"barriers, counted for each warp", "barriers", NULL, NULL, 0},
    {"of them reached without work", "idle_warps", NULL, NULL, 0},
    {"shuffles, votes, warp barriers", "warp_operations", NULL, NULL, 0},
    {"atomics", "atomics", NULL, NULL, 0},
};

static double value(const struct row *row, const char *csv)
{
    double value = number(csv, row->of, NULL), over = row->over ? number(csv, row->over, NULL) : 1;

    return over > 0 ? value / over * (row->unit ? number(csv, row->unit, NULL) : 1) : 0;
}

static void compare(const char *a, const char *b, const char *warp)
{
    const char *from = name_of(all.program[0]), *to = name_of(all.program[1]), *machine = "";

    number(a, "machine", &machine);
    fprintf(all.comparison, "\n== %s and %s: first kernel, warps of %s, counted for %.*s\n\n  %-44s %14s %14s\n", from,
            to, warp, (int)strcspn(machine, ",\n"), machine, "", from, to);
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        double x = value(row, a), y = value(row, b);
        fprintf(all.comparison, "  %-44s %14.*f %14.*f  %s\n", row->name, row->digits, x, row->digits, y,
                x == y   ? "the same"
                : x == 0 ? ""
                         : finding_text("x %.2f", y / x));
    }
}

/* ---- a page ---- */

static void embed(FILE *page, const char *type, const char *text) /* it has no "<" */
{
    fprintf(page, "<script type=\"%s\">\n%s</script>\n", type, text);
}

static char *made(void)
{
    const char *usual = finding_text("%s ", runs_setting("LEFT_OUT", ""));
    char day[16], *text = finding_text("%s", name_of(all.program[0]));
    time_t now = time(NULL);

    strftime(day, sizeof day, "%Y-%m-%d", localtime(&now));
    if (all.programs > 1)
        text = finding_text("%s and %s", text, name_of(all.program[1]));
    for (char **word = all.arguments; *word; word++)
        if (!runs_is_one_of(*word, usual))
            text = finding_text("%s %s", text, *word);
    text = finding_text("%s; warps of %s; %s\n", text, strcmp(all.warps, "32 64") == 0 ? "32 and 64" : all.warps, day);
    for (char *at; (at = strpbrk(text, "<&"));)
        memmove(at, at + 1, strlen(at));
    return text;
}

static void print_page(FILE *page)
{
    char *template = report_file(finding_text("%s/trace/explain/page.html", runs_setting("HIP_CPU_ROOT", "nogpu")));
    char *mark = template ? strstr(template, "<!-- data -->\n") : NULL, *about = made();

    if (!mark)
        report_usage("HIP_CPU_ROOT=%s has no page for explain", runs_setting("HIP_CPU_ROOT", "nogpu"));
    *mark = '\0';
    fputs(template, page);
    embed(page, "text/x-made", about);
    if (all.programs > 1)
        embed(page, "text/plain", all.compared);
    fprintf(page, "%s<noscript><pre>\n%s", all.listed, about);
    for (const char *at = all.text; *at; at++)
        fprintf(page, *at == '&' ? "&amp;" : *at == '<' ? "&lt;" : "%c", *at);
    fprintf(page, "</pre></noscript>\n%s", mark + strlen("<!-- data -->\n"));
}

/* ---- all ---- */

/* The numbers of one program: into the list, or the page. */
static void list(char *program)
{
    char *json = count(program, "json,", STDERR_FILENO), *first = strchr(json, '\n'), *end = strrchr(json, ']');

    if (*all.page)
        embed(all.list, "application/json", json);
    else if (first && end)
        fprintf(all.list, "%s%.*s", ftell(all.list) > 0 ? ",\n" : "", (int)(end - first - 1), first + 1);
    if (*all.page) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        fputs(count(program, "", null), all.texts);
        close(null);
    }
}

static void explain(char *warp)
{
    char *csv[2] = {NULL, NULL};

    setenv("HIP_CPU_WARP_SIZE", warp, 1);
    if (all.programs == 1 && !*all.page && !*all.format) {
        fputs(count(all.program[0], "", STDOUT_FILENO), stdout);
        return;
    }
    for (unsigned i = 0; i < all.programs; i++) {
        if (all.programs > 1)
            csv[i] = count(all.program[i], "csv,", STDERR_FILENO);
        if (*all.page || *all.format)
            list(all.program[i]);
    }
    if (all.programs > 1)
        compare(csv[0], csv[1], warp);
}

static void read_words(char **words)
{
    while (*words && strcmp(*words, "--") != 0) {
        if (all.programs == 2)
            report_usage("explain compares two programs: %s and %s, and not %s", all.program[0], all.program[1],
                         *words);
        all.program[all.programs++] = *words++;
    }
    if (all.programs == 0)
        report_usage("nogpu_report run explain FROM [TO] [-- ARGUMENT...]");
    all.arguments = *words ? words + 1 : words;
    all.machine = runs_setting("MACHINE", "");
    all.page = runs_setting("PAGE", "");
    all.format = runs_setting("FORMAT", "");
    if (*all.page && *all.format)
        report_usage("PAGE=%s FORMAT=%s: give only one; the page contains the JSON", all.page, all.format);
    if (*all.format && strcmp(all.format, "json") != 0)
        report_usage("FORMAT=%s: json is the only one; without it there is a table, with "
                     "PAGE=explain.html a page",
                     all.format);
    if (*all.page && !runs_can_write(all.page))
        report_usage("PAGE=%s: name a file in a folder that can be written to, such as PAGE=explain.html", all.page);
    bool wide = strcmp(all.machine, "gfx90a") == 0 || strcmp(all.machine, "gfx942") == 0;
    all.warps = runs_setting("WARP", wide ? "64" : *all.machine || *all.format ? "32" : "32 64");
}

static void on_stop(void) { exit(130); }

int runs_explain(char **words)
{
    size_t size;

    read_words(words);
    all.list = report_check(open_memstream(&all.listed, &size));
    all.comparison = report_check(open_memstream(&all.compared, &size));
    all.texts = report_check(open_memstream(&all.text, &size));
    setenv("HIP_CPU_TRACE", "explain", 1);
    runs_begin(on_stop);
    for (char **warp = runs_words(all.warps); *warp; warp++)
        explain(*warp);
    if (fflush(all.list) != 0 || fflush(all.comparison) != 0 || fflush(all.texts) != 0) /* now the texts are there */
        report_check(NULL);
    if (*all.format)
        printf("[\n%s]\n", all.listed);
    else if (*all.page) {
        FILE *page = fopen(all.page, "w");
        if (!page || (print_page(page), fclose(page)) != 0)
            report_usage("PAGE=%s cannot be written: choose another place", all.page);
        printf("%s: open it in a browser\n", all.page);
    } else
        fputs(all.compared, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
        report_usage("the report cannot be written");
    return all.status;
}
