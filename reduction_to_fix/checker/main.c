/* Checks one exercise; see checker.h. Exit codes: 0 solved, 1 not solved, 2 bad usage, 3 no check is
 * possible, 77 no device. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "checker.h"
#include "exit_codes.h"

struct options options;
struct session *common;
struct diagnosis found;
char *report;

static const char *round_name;
static uint64_t round_end;

/* ---- progress ---- */

void tell(void)
{
    static uint64_t shown;

    if (!isatty(STDOUT_FILENO) || common->alive == shown)
        return;
    shown = common->alive;
    printf("\r  %-44s %4llu of %llu", round_name, (unsigned long long)shown,
           (unsigned long long)round_end);
    fflush(stdout);
}

void round_begin(const char *name, uint64_t end)
{
    round_name = name;
    round_end = end;
    common->alive = 0;
}

void round_close(bool right)
{
    printf("%s  %-44s %4llu %-10s %s\n", isatty(STDOUT_FILENO) ? "\r\033[K" : "", round_name,
           (unsigned long long)common->alive, common->alive == 1 ? "run" : "runs",
           right ? "right" : "wrong");
    fflush(stdout);
}

/* ---- endings that are findings ---- */

static void diagnose_end(const struct end *end, const struct shape *s)
{
    const char *said = strncmp(end->said, "hip: ", 5) == 0 ? end->said + 5 : end->said;

    shape_text(found.where, s);
    if (end->how == TOO_LONG) {
        found.code = "hang";
        snprintf(found.what, TEXT_MAX, "it does not end");
        found.look = "loops whose end may never come, and threads that wait for others";
        return;
    }
    snprintf(found.what, TEXT_MAX, "%s", said);
    if (strstr(said, "barrier") != NULL || strstr(said, " wait at ") != NULL) {
        found.code = "barrier";
        found.look =
            "the conditions around __syncthreads(): all threads of a block have to reach it";
    } else if (strstr(said, "the end of") != NULL || strstr(said, "the start of") != NULL ||
               strstr(said, "null pointer") != NULL || strstr(said, "any allocation") != NULL ||
               strstr(said, "llegal memory access") != NULL) {
        found.code = "out_of_bounds";
        found.look = "the index in that line, and who is allowed to use it";
    } else {
        found.code = "crash";
        if (*said == '\0')
            snprintf(found.what, TEXT_MAX,
                     end->status < 0 ? "it is ended by signal %d" : "it exits with code %d",
                     end->status < 0 ? -end->status : end->status);
        found.look = "what it does in this case";
    }
}

bool run_round(void (*work)(void *), uint64_t least, const struct shape *s)
{
    struct end end = child_run(work, NULL, &common->alive, tell);

    if (end.how == ENDED && common->alive >= least)
        return true;
    if (end.how == ENDED) {
        end.how = CRASHED;
        snprintf(end.said, sizeof end.said, "it ends the program in the middle of a run");
    }
    diagnose_end(&end, s != NULL ? s : &common->shapes[common->at]);
    return false;
}

/* ---- the verdict ---- */

static void json_text(const char *name, const char *text, const char *end)
{
    fprintf(options.json, "\"%s\": \"", name);
    for (; text != NULL && *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(options.json, "\\%c", *text);
        else if ((unsigned char)*text >= 0x20)
            putc(*text, options.json);
    fprintf(options.json, "\"%s", end);
}

/* Prints text in lines of at most 80 characters, the first one after a label. */
static void say(const char *label, const char *text)
{
    const int from = 12, width = 80 - from;
    bool first = true;

    while (text != NULL && *text != '\0') {
        int length = (int)strlen(text);
        if (length > width)
            for (length = width; length > 1 && text[length] != ' ';)
                length--;
        if (length <= 1) /* a word longer than the line */
            length = (int)strcspn(text, " ");
        printf("  %-*s%.*s\n", from - 2, first ? label : "", length, text);
        text += length;
        text += strspn(text, " ");
        first = false;
    }
}

static int verdict(bool right, double seconds)
{
    if (options.json != NULL) {
        fprintf(options.json, "{");
        json_text("exercise", options.name, ", ");
        json_text("verdict", right ? "solved" : "wrong", ", ");
        json_text("code", right ? "" : found.code, ", ");
        json_text("diagnosis", right ? "" : found.what, ", ");
        json_text("case", right ? "" : found.where, ", ");
        json_text("when", right ? "" : found.when, ", ");
        fprintf(options.json, "\"seed\": %llu, \"seconds\": %.2f}\n",
                (unsigned long long)options.seed, seconds);
        if (fclose(options.json) != 0) {
            fprintf(stderr, "the JSON file could not be written: look at where it goes\n");
            return EXIT_DEVICE;
        }
    }
    if (right) {
        printf("%s: SOLVED\n", options.name);
        return EXIT_RIGHT;
    }
    printf("\n%s: WRONG (%s)\n", options.name, found.code);
    say("", found.what);
    say("seen with", found.where);
    say("", found.when);
    say("look at", found.look);
    if (report != NULL)
        printf("\nThe race tool says:\n%s\n", report);
    return EXIT_WRONG;
}

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--name NAME] [--seed SEED] [--race PROGRAM] [--explain WHAT] [--huge] "
            "[--json FILE] [--once]: make check "
            "gives it what it needs\n",
            program);
    return EXIT_USAGE;
}

static bool parse(int argc, char **argv)
{
    static const struct option longs[] = {{"name", 1, NULL, 'n'}, {"seed", 1, NULL, 's'},
                                          {"race", 1, NULL, 'r'}, {"huge", 0, NULL, 'h'},
                                          {"json", 1, NULL, 'j'}, {"explain", 1, NULL, 'e'},
                                          {"once", 0, NULL, 'o'}, {NULL, 0, NULL, 0}};
    int letter;

    options.name = exercise_variant()->name;
    options.seed = mix((uint64_t)time(NULL), (uint64_t)getpid());
    while ((letter = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        switch (letter) {
        case 'n':
            options.name = optarg;
            break;
        case 's':
            options.seed = strtoull(optarg, NULL, 10);
            break;
        case 'r':
            options.race = optarg;
            break;
        case 'e':
            options.explain = optarg;
            break;
        case 'h':
            options.huge = true;
            break;
        case 'o':
            options.once = true;
            break;
        case 'j':
            options.json = fopen(optarg, "w");
            if (options.json == NULL) {
                perror(optarg);
                return false;
            }
            break;
        default:
            return false;
        }
    }
    return optind == argc;
}

/* A few shapes in this process, for a tool that watches it, like compute-sanitizer; results do not count. */
static int run_for_tool(void)
{
    struct shape shapes[] = {{TYPE_LONG, OP_SUM, 1000, 256, 0, 0, 0, 1},
                             {TYPE_DOUBLE, OP_MAX, 2049, 100, 3, 0, 0, 2},
                             {TYPE_FLOAT, OP_MIN, 77, 64, 1, 0, 0, 3},
                             {TYPE_INT, OP_SUM, 10007, 1024, 0, 0, 0, 4}};
    struct shape one;

    shapes_make(&one, 1, options.seed); /* knows the warp size */
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        struct bed b;
        shapes[k].warp = one.warp;
        bed_open(&b, &shapes[k]);
        bed_fill(&b, RANDOM, options.seed);
        bed_run(&b);
        bed_run(&b);
        bed_close(&b);
    }
    HIP_CHECK(hipDeviceSynchronize());
    return EXIT_RIGHT;
}

static void make_shapes(void *argument)
{
    (void)argument;
    common->count = shapes_make(common->shapes, CASES, options.seed);
}

int main(int argc, char **argv)
{
    struct timespec start, end;

    if (!parse(argc, argv))
        return usage(argv[0]);
    if (options.once)
        return run_for_tool();
    clock_gettime(CLOCK_MONOTONIC, &start);
    common = shared_memory(sizeof *common);
    struct end made = child_run(make_shapes, NULL, &common->alive, NULL); /* asks the device */
    if (made.how != ENDED) {
        fprintf(stderr, "%s\n", made.said);
        return made.status == EXIT_NO_DEVICE ? EXIT_NO_DEVICE : EXIT_DEVICE;
    }

    bool (*const rounds[])(void) = {check_shapes,  check_large, check_late,
                                    check_sharing, check_same,  check_huge,
                                    check_weak,    check_race,  check_explain};
    bool right = true;
    for (size_t k = 0; right && k < sizeof rounds / sizeof rounds[0]; k++)
        right = rounds[k]();
    if (!right)
        explain_race();
    clock_gettime(CLOCK_MONOTONIC, &end);
    return verdict(right, (double)(end.tv_sec - start.tv_sec) +
                              1e-9 * (double)(end.tv_nsec - start.tv_nsec));
}
