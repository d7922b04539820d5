/* Runs programs one after another on the same data and prints one table: what `make run` does.
 *
 * Every program reports itself as CSV; this one only starts them and reads that.
 */
#define _DEFAULT_SOURCE /* struct winsize */

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/options.h"
#include "harness/report.h"

#define COLUMNS_MAX 128 /* of the CSV */

static const char usage[] =
    "Usage: compare [OPTION]... PROGRAM...\n"
    "Runs reduction programs on the same data and compares them in one table.\n"
    "\n"
    "  --format=csv   their CSV rows in one file instead of the table\n"
    "  --help         this text\n"
    "\n"
    "Every other option goes to each program and must be one word: --size=64M, -n64M, "
    "--type=float.\n"
    "Where a program's name ends in _to_fix, a wrong result is an exercise and no failure.\n"
    "\n"
    "Exit codes: 0 all right, 1 a program failed, 2 bad usage, 77 no device of this kind.\n";

/* One program and what came of it. */
struct entry {
    const char *path;
    const char *name; /* without reduction_ */
    bool exercise;
    int status;            /* exit code, or -signal */
    char *output, *errors; /* all that it wrote */
    char *names, *values;  /* the two lines of its CSV; NULL: there are none */
    char reason[256];      /* why there is no result; "" if there is one */
};

/* ---- running ---------------------------------------------------------------------------------- */

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(EXIT_DEVICE);
}

static char *read_all(FILE *file)
{
    long size;
    char *text;

    if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        give_up("compare: the output of a program");
    rewind(file);
    text = malloc((size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size)
        give_up("compare: the output of a program");
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Runs a program to its end. Temporary files and not pipes, so that no amount of output can block it. */
static void run(struct entry *e, char **arguments)
{
    FILE *output = tmpfile(), *errors = tmpfile();
    int status;

    if (output == NULL || errors == NULL)
        give_up("compare: a temporary file");
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        give_up("compare: a new process");
    if (child == 0) {
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(errors), STDERR_FILENO);
        execv(e->path, arguments);
        perror(e->path);
        _exit(127);
    }
    if (waitpid(child, &status, 0) < 0)
        give_up("compare: waiting for a program");
    e->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    e->output = read_all(output);
    e->errors = read_all(errors);
}

/* The last line of text that is not empty, without its end. */
static const char *last_line(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    char *end = strrchr(text, '\n');
    return end == NULL ? text : end + 1;
}

static void digest(struct entry *e)
{
    if (e->status == EXIT_RIGHT || e->status == EXIT_WRONG) {
        e->names = e->output;
        e->values = strchr(e->output, '\n');
        char *end = e->values == NULL ? NULL : strchr(e->values + 1, '\n');
        if (end != NULL && end[1] == '\0') {
            *e->values++ = '\0';
            *end = '\0';
            return;
        }
        e->names = e->values = NULL;
        snprintf(e->reason, sizeof e->reason, "exit %d without a row of results", e->status);
    } else if (e->status < 0) {
        snprintf(e->reason, sizeof e->reason, "crashed: %s", strsignal(-e->status));
    } else {
        const char *line = last_line(e->errors);
        if (e->status == 127)
            snprintf(e->reason, sizeof e->reason, "cannot be run: %s", line);
        else
            snprintf(e->reason, sizeof e->reason, "exit %d: %s", e->status, line);
    }
}

/* ---- reading CSV ------------------------------------------------------------------------------ */

/* Takes one field off the front of *at into text; false at the end of the line. */
static bool next_field(const char **at, char *text, size_t size)
{
    const char *c = *at;
    bool quoted = c != NULL && *c == '"';
    size_t length = 0;

    if (c == NULL)
        return false;
    for (c += quoted; *c != '\0' && (quoted || *c != ','); c++) {
        if (quoted && *c == '"' && *++c != '"')
            break; /* the closing quote; a doubled one is a quote */
        if (length + 1 < size)
            text[length++] = *c;
    }
    text[length] = '\0';
    *at = *c == ',' ? c + 1 : NULL;
    return true;
}

/* The field with this name; "" if there is none. */
static const char *field(const struct entry *e, const char *name, char text[256])
{
    char column[256];
    const char *names = e->names, *values = e->values;

    while (next_field(&names, column, sizeof column) && next_field(&values, text, 256))
        if (strcmp(column, name) == 0)
            return text;
    text[0] = '\0';
    return text;
}

/* 0 for unknown */
static double field_number(const struct entry *e, const char *name)
{
    char text[256];

    return strtod(field(e, name, text), NULL);
}

/* ---- the table -------------------------------------------------------------------------------- */

static void print_head(const struct entry *e, bool size_given)
{
    char a[256], b[256], c[256], d[256];
    double peak = field_number(e, "peak_gbps");

    printf("# %s of %s elements of type %s, ", field(e, "op", a), field(e, "n", b),
           field(e, "type", c));
    if (*field(e, "input", a) != '\0')
        printf("input %s", a);
    else
        printf("pattern %s, seed %s", field(e, "pattern", a), field(e, "seed", b));
    printf(", %s caches\n", field(e, "cache", a));
    if (!size_given)
        printf("# as many elements are the default on this kind of device; make run SIZE=64M "
               "changes that\n");
    printf("# on %s (%s, warp of %s, %s units)", field(e, "device", a), field(e, "arch", b),
           field(e, "warp_size", c), field(e, "compute_units", d));
    printf(", driver %s, runtime %s\n", field(e, "driver", a), field(e, "runtime", b));
    printf("# read ceiling %.1f GB/s", field_number(e, "ceiling_gbps"));
    if (peak > 0)
        printf(", peak by clock and width of the memory %.1f GB/s", peak);
    printf("\n# total is the time of the whole reduction, value on the host included; all else but "
           "kernel is "
           "computed from it\n#\n");
}

/* numerator / denominator, or "-" */
static void print_ratio(int width, double numerator, double denominator)
{
    if (numerator > 0 && denominator > 0)
        printf(" %*.2f", width, numerator / denominator);
    else
        printf(" %*s", width, "-");
}

/* Columns that a bar may take behind the table; 0: no bar. */
static int bar_width(int table_width)
{
    struct winsize window;
    int room;

    if (!isatty(STDOUT_FILENO) || strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ||
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0)
        return 0;
    room = (int)window.ws_col - table_width - 2;
    return room < 8 ? 0 : room > 60 ? 60 : room;
}

/* part of whole as a bar of eighths of a character */
static void print_bar(int width, double part, double whole)
{
    static const char *const eighths[] = {"",       "\u258f", "\u258e", "\u258d",
                                          "\u258c", "\u258b", "\u258a", "\u2589"};
    int length = whole > 0 ? (int)lround(8 * width * part / whole) : 0;

    printf("  ");
    for (int i = 0; i < length / 8; i++)
        printf("\u2588");
    printf("%s", eighths[length % 8]);
}

static const char *check_text(const struct entry *e)
{
    if (e->exercise)
        return e->status == EXIT_RIGHT ? "OK (solved!)" : "FAIL (exercise)";
    return e->status == EXIT_RIGHT ? "OK" : "FAIL";
}

static const struct entry *find(const struct entry *entries, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].values != NULL && strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

static void print_table(const struct entry *entries, size_t count, bool size_given)
{
    const struct entry *first = NULL, *slow = find(entries, count, "no_striding"),
                       *library = find(entries, count, "prim");
    double most = 0;
    int name_width = 7;

    for (size_t i = count; i-- > 0;) {
        int length = (int)strlen(entries[i].name);
        name_width = length > name_width ? length : name_width;
        if (entries[i].values != NULL) {
            first = &entries[i];
            most = fmax(most, field_number(first, "total_gbps"));
        }
    }
    if (first != NULL) {
        print_head(first, size_given);
        most = fmax(most, field_number(first, "ceiling_gbps"));
    }

    int width = bar_width(name_width + 80);
    printf("%-*s %11s %11s %8s %8s %11s %8s %9s  %s\n", name_width, "variant", "kernel", "total",
           "speed", "ceiling", "speed-up to", "speed to", "error", "check");
    printf("%-*s %11s %11s %8s %8s %11s %8s %9s\n", name_width, "", "us", "us", "GB/s", "%",
           "no_striding", "prim", "ulps");
    for (size_t i = 0; i < count; i++) {
        const struct entry *e = &entries[i];
        printf("%-*s", name_width, e->name);
        if (e->values == NULL) {
            printf("  %s\n", e->reason);
            continue;
        }
        double total = field_number(e, "total_median_us"), speed = field_number(e, "total_gbps");
        double ceiling = field_number(e, "ceiling_gbps");
        char text[SCALAR_TEXT_MAX];
        printf(" %11.1f %11.1f %8s", field_number(e, "kernel_median_us"), total,
               speed_text(text, speed));
        if (ceiling > 0)
            printf(" %8.1f", 100 * speed / ceiling);
        else
            printf(" %8s", "-");
        print_ratio(11, slow == NULL ? 0 : field_number(slow, "total_median_us"), total);
        print_ratio(8, library == NULL ? 0 : field_number(library, "total_median_us"), total);
        printf(" %9.3g  ", field_number(e, "error_ulps"));
        if (width > 0) {
            printf("%-15s", check_text(e));
            print_bar(width, speed, most);
        } else {
            printf("%s", check_text(e));
        }
        printf("\n");
    }
}

/* ---- */

static const char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    static const char prefix[] = "reduction_";

    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

int main(int argc, char **argv)
{
    static struct entry *entries; /* static: in use until the program ends, by whatever way */
    static char **arguments;      /* of each program */
    size_t count = 0, given = 1, failed = 0;
    bool csv = false, ceiling_given = false, size_given = false;
    char ceiling[64] = "";

    entries = calloc((size_t)argc, sizeof *entries);
    arguments = calloc((size_t)argc + 4, sizeof *arguments);
    if (entries == NULL || arguments == NULL)
        give_up("compare");
    setlocale(LC_CTYPE, ""); /* for the bars; numbers keep their points */
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            return EXIT_RIGHT;
        }
        if (strncmp(argv[i], "--format=", 9) == 0) {
            csv = strcmp(argv[i], "--format=csv") == 0;
            if (!csv && strcmp(argv[i], "--format=table") != 0) {
                fprintf(stderr, "%s: compare takes --format=table and --format=csv\n", argv[i]);
                return EXIT_USAGE;
            }
        } else if (argv[i][0] == '-') {
            ceiling_given |= strncmp(argv[i], "--ceiling=", 10) == 0;
            size_given |= strncmp(argv[i], "--size=", 7) == 0 || strncmp(argv[i], "-n", 2) == 0;
            arguments[given++] = argv[i];
        } else {
            entries[count].path = argv[i];
            entries[count].name = short_name(argv[i]);
            entries[count++].exercise = ends_in(argv[i], "_to_fix");
        }
    }
    if (count == 0) {
        fprintf(stderr, "no programs to compare: name some, or start it with make run\n");
        return EXIT_USAGE;
    }
    arguments[given++] = (char[]){"--format=csv"};

    bool progress = isatty(STDERR_FILENO);
    for (size_t i = 0; i < count; i++) {
        struct entry *e = &entries[i];
        char text[256];

        if (progress)
            fprintf(stderr, "\r\033[K[%zu/%zu] %s", i + 1, count, e->name);
        arguments[0] = (char *)e->path;
        arguments[given] = *ceiling != '\0' ? ceiling : NULL;
        run(e, arguments);
        if (progress)
            fprintf(stderr, "\r\033[K");
        if (e->status == EXIT_USAGE || e->status == EXIT_NO_DEVICE) {
            fputs(e->errors, stderr); /* it would be the same for all others */
            return e->status;
        }
        digest(e);
        /* Measured once; the others are compared with the same number. */
        if (!ceiling_given && *ceiling == '\0' && e->values != NULL &&
            *field(e, "ceiling_gbps", text) != '\0')
            snprintf(ceiling, sizeof ceiling, "--ceiling=%.32s", text);
        failed += e->values == NULL || (e->status != EXIT_RIGHT && !e->exercise);
    }

    if (csv) {
        bool first = true;
        for (size_t i = 0; i < count; i++) {
            if (entries[i].values == NULL) {
                fprintf(stderr, "%s: %s\n", entries[i].name, entries[i].reason);
                continue;
            }
            if (first)
                puts(entries[i].names);
            puts(entries[i].values);
            first = false;
        }
    } else {
        print_table(entries, count, size_given);
        for (size_t i = 0; i < count; i++)
            if (entries[i].exercise && entries[i].status == EXIT_WRONG)
                printf("# %s is wrong on purpose: find out why, and make it right\n",
                       entries[i].name);
        if (failed > 0)
            printf("# %zu of %zu programs failed\n", failed, count);
    }
    return failed == 0 ? EXIT_RIGHT : EXIT_WRONG;
}
