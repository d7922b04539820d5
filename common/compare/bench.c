/* Sweeps sizes, types and operations over several programs and writes one CSV: what `make bench` does.
 *
 * A round runs every program once, with a list of sizes; rounds follow each other until the medians are
 * known well enough or the time is up. So a clock that drifts, or a neighbour on the machine, meets all
 * programs alike. Every row is written as soon as it is there.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "csv.h"
#include "harness/device.h"
#include "harness/options.h"
#include "results.h"
#include "harness/scalar.h"
#include "harness/timing.h"

/* Facts from the build. */
#ifndef REVISION
#define REVISION "unknown"
#endif
#ifndef COMPILER
#define COMPILER "unknown"
#endif

/* On the CPU a first picture within a minute. */
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)
#define DEFAULT_SECONDS    600
#define DEFAULT_ITERATIONS 0 /* the programs choose */
#else
#define DEFAULT_SECONDS    60
#define DEFAULT_ITERATIONS 20
#endif
#define DEFAULT_SIZES_CPU "1K,8K,64K,512K"
#define SIZES_FIRST       ((size_t)1 << 10) /* elements, on a GPU */
#define SIZES_LAST        ((size_t)1 << 33)

#define ROUNDS_MAX       1000
#define PROGRAMS_MAX     256
#define ARGUMENTS_MAX    64
#define COMBOS_MAX       (TYPE_COUNT * OP_COUNT)
#define EXIT_INTERRUPTED 130

static const char usage[] =
    "Usage: bench [OPTION]... PROGRAM...\n"
    "       bench --from=FILE [--baseline=FILE] [--clock=CLOCK]\n"
    "Measures reduction programs over many sizes, round by round, and writes one CSV.\n"
    "A PROGRAM may bring options of its own: './reduction_atomic/reduction_atomic "
    "--atomics=warp'.\n"
    "\n"
    "  --sizes=LIST      elements: 1K..8G doubles, 1K,5M is a list; K M G are powers of two.\n"
    "                    Default: 1K to half of the device's memory, at most 8G; on the CPU\n"
    "                    " DEFAULT_SIZES_CPU "\n"
    "  --types=LIST      float,double,int,long. Default: double\n"
    "  --ops=LIST        sum,min,max. Default: sum\n"
    "  --time=SECONDS    begin no round that would end later; the first round is always run.\n"
    "                    Default: 600, on the CPU 60\n"
    "  --spread=PERCENT  a size is done when half of the 95 % interval of each median is below\n"
    "                    that. Default: 1\n"
    "  --rounds=COUNT    at most. Default: 1000\n"
    "  --iterations=N    timed runs of each program, size and round. Default: the programs\n"
    "                    choose; on the CPU 20\n"
    "  --warm            leave the caches as they are. Default: evict them before every run\n"
    "  --clock=CLOCK     total or kernel: which one decides and is shown; the CSV has both.\n"
    "                    Default: total\n"
    "  --output=FILE     must not exist. Default: results/ARCHITECTURE-DATE.csv\n"
    "  --baseline=FILE   say what got faster or slower than in that CSV\n"
    "  --change=PERCENT  smaller differences from the baseline do not count. Default: 3\n"
    "  --from=FILE       measure nothing, take that CSV\n"
    "  --help            this text\n"
    "\n"
    "Every other option goes to each program and must be one word: --pattern=ones, "
    "--offset=1.\n"
    "\n"
    "Exit codes: 0 all right, 1 a program failed or something is slower than in the baseline,\n"
    "2 bad usage, 3 device or file error, 77 no device of this kind, 130 interrupted.\n"
    "Whatever happens, the rows measured so far are in the CSV.\n";

/* A program, and what it has come to. */
struct program {
    char *words[ARGUMENTS_MAX]; /* its path and options of its own; NULL ends them */
    char label[128];            /* "shfl", "atomic atomics=warp" */
    bool failed[COMBOS_MAX];    /* for a type and operation: not asked again */
};

/* A type and operation. */
struct combo {
    const char *type, *op;
    size_t sizes[SIZES_MAX], size_count; /* not settled yet */
};

struct bench {
    struct program programs[PROGRAMS_MAX];
    struct combo combos[COMBOS_MAX];
    size_t program_count, combo_count;
    const char *passed[ARGUMENTS_MAX]; /* options for every program */
    size_t passed_count;
    char iterations[32], ceiling[64]; /* options as well; "": none */
    bool cold;

    int clock;
    double seconds, spread, change;
    unsigned rounds;
    const char *output, *baseline, *from;

    FILE *csv;
    char *header;   /* of the programs' CSV, without the end of the line */
    size_t columns; /* in it */
    struct results results;
    size_t failures;
    double start;   /* of the first round */
    double longest; /* round so far, s */
    unsigned round; /* from 1 */
    size_t done;    /* programs of this round */
    bool terminal;  /* progress is shown */
};

/* The child that runs, for the handler; 0: none. */
static volatile sig_atomic_t child_id, interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
    if (child_id > 0)
        kill((pid_t)child_id, SIGTERM);
}

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(EXIT_DEVICE);
}

static _Noreturn void refuse(const char *option, const char *why)
{
    fprintf(stderr, "%s: %s; bench --help shows the options\n", option, why);
    exit(EXIT_USAGE);
}

/* ---- what to measure -------------------------------------------------------------------------- */

/* The device is opened by a child: a context of ours would take memory from the programs. */
static struct device probe(int index)
{
    struct device device;
    int ends[2], status;

    if (pipe(ends) != 0)
        give_up("a pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        give_up("a new process");
    if (child == 0) {
        device_open(&device, index);
        _exit(write(ends[1], &device, sizeof device) == sizeof device ? 0 : EXIT_DEVICE);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &device, sizeof device);
    close(ends[0]);
    if (waitpid(child, &status, 0) < 0)
        give_up("waiting for a process");
    if (got != sizeof device) /* it has said why */
        exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : EXIT_DEVICE);
    return device;
}

/* Powers of two up to half of the memory: variants need workspace, and caches are evicted by writing. */
static void default_sizes(struct combo *c, const struct device *d)
{
    size_t most = d->memory / 2 / type_size(type_from_name(c->type));

    for (size_t n = SIZES_FIRST; n <= SIZES_LAST && n <= most; n *= 2)
        c->sizes[c->size_count++] = n;
}

/* The programs' own parser reads the list, so that it means the same here. */
static void given_sizes(struct combo *c, const char *text)
{
    static const struct variant_option none[] = {VARIANT_OPTIONS_END};
    static const struct variant fake = {.name = "bench", .options = none};
    static struct options options;
    char message[OPTIONS_MESSAGE_MAX];
    char *arguments[] = {"bench", "-n", (char *)text, NULL};

    if (options_parse(&options, &fake, 3, arguments, message) != OPTIONS_RUN) {
        fprintf(stderr, "%s\n", message);
        exit(EXIT_USAGE);
    }
    memcpy(c->sizes, options.sizes, sizeof c->sizes);
    c->size_count = options.size_count;
}

static void add_combos(struct bench *b, char *types, char *ops)
{
    bool seen[TYPE_COUNT][OP_COUNT] = {{false}};
    char *type_rest, *op_rest;

    for (char *t = strtok_r(types, ", ", &type_rest); t; t = strtok_r(NULL, ", ", &type_rest)) {
        int type = type_from_name(t);
        if (type < 0)
            refuse(t, "--types takes float, double, int, long, with commas");
        char *copy = strdup(ops);
        if (copy == NULL)
            give_up("no memory");
        for (char *o = strtok_r(copy, ", ", &op_rest); o; o = strtok_r(NULL, ", ", &op_rest)) {
            int op = op_from_name(o);
            if (op < 0)
                refuse(o, "--ops takes sum, min, max, with commas");
            if (!seen[type][op])
                b->combos[b->combo_count++] =
                    (struct combo){.type = type_name(type), .op = op_name(op)};
            seen[type][op] = true;
        }
        free(copy);
    }
    if (b->combo_count == 0)
        refuse("--types, --ops", "there is nothing in the list");
}

static void add_program(struct bench *b, const char *text)
{
    static const char prefix[] = "reduction_";
    size_t count = 0;
    char *copy = strdup(text), *rest;

    if (b->program_count == PROGRAMS_MAX)
        refuse(text, "too many programs");
    struct program *p = &b->programs[b->program_count++];
    if (copy == NULL)
        give_up("no memory");
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (count == ARGUMENTS_MAX / 2)
            refuse(text, "too many options");
        p->words[count++] = word;
    }
    if (count == 0)
        refuse("''", "a program has a name");
    const char *slash = strrchr(p->words[0], '/');
    const char *name = slash == NULL ? p->words[0] : slash + 1;
    snprintf(p->label, sizeof p->label, "%s",
             strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name);
    for (size_t i = 1; i < count; i++) {
        size_t used = strlen(p->label);
        snprintf(p->label + used, sizeof p->label - used, " %s",
                 p->words[i] + strspn(p->words[i], "-"));
    }
}

/* ---- the CSV ---------------------------------------------------------------------------------- */

static void write_date(char text[32], const char *format)
{
    time_t now = time(NULL);

    strftime(text, 32, format, gmtime(&now));
}

static void put_field(FILE *out, const char *text)
{
    bool quote = strpbrk(text, ",\"\n") != NULL;

    fputs(quote ? "\"" : "", out);
    for (; *text != '\0'; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
    fputs(quote ? "\"," : ",", out);
}

static const char own_columns[] = "date,revision,compiler,round,variant,";

/* One row in one write, so that whoever ends us leaves whole lines. */
static void save(struct bench *b, const struct program *p, const char *values)
{
    char *line = NULL, *names = NULL, date[32], round[16], message[RESULTS_MESSAGE_MAX];
    size_t size;
    FILE *text = open_memstream(&line, &size);

    if (text == NULL)
        give_up("no memory");
    if (b->results.count == 0)
        fprintf(b->csv, "%s%s\n", own_columns, b->header);
    write_date(date, "%Y-%m-%dT%H:%M:%SZ");
    snprintf(round, sizeof round, "%u", b->round);
    put_field(text, date);
    put_field(text, REVISION);
    put_field(text, COMPILER);
    put_field(text, round);
    put_field(text, p->label);
    fprintf(text, "%s\n", values);
    fclose(text);
    fputs(line, b->csv);
    if (fflush(b->csv) != 0)
        give_up(b->output);

    size = strlen(own_columns) + strlen(b->header) + 1;
    names = malloc(size);
    if (names == NULL)
        give_up("no memory");
    snprintf(names, size, "%s%s", own_columns, b->header);
    if (!results_add(&b->results, names, line, message)) {
        fprintf(stderr, "%s: %s\n", p->label, message);
        exit(EXIT_DEVICE);
    }
    if (b->ceiling[0] == '\0' && b->results.ceiling > 0)
        snprintf(b->ceiling, sizeof b->ceiling, "--ceiling=%.17g", b->results.ceiling);
    free(names);
    free(line);
}

static void open_output(struct bench *b, const char *arch)
{
    static char path[256];
    char date[32];

    if (b->output == NULL) {
        write_date(date, "%Y%m%d-%H%M%S");
        if (mkdir("results", 0777) != 0 && errno != EEXIST)
            give_up("results");
        snprintf(path, sizeof path, "results/%s-%s.csv", arch, date);
        b->output = path;
    }
    b->csv = fopen(b->output, "wx");
    if (b->csv == NULL && errno == EEXIST)
        refuse(b->output, "this file exists and is not overwritten, name another");
    if (b->csv == NULL)
        give_up(b->output);
    setvbuf(b->csv, NULL, _IOFBF, 1 << 16);
}

/* ---- one program ------------------------------------------------------------------------------ */

static void progress_clear(const struct bench *b)
{
    if (b->terminal)
        fprintf(stderr, "\r\033[K");
}

static void failed(struct bench *b, struct program *p, size_t combo, const char *why)
{
    progress_clear(b);
    fprintf(stderr, "%s, %s of %s: %s\n", p->label, b->combos[combo].op, b->combos[combo].type,
            why);
    p->failed[combo] = true;
    b->failures++;
}

static size_t arguments_of(const struct bench *b, const struct program *p, const struct combo *c,
                           char *sizes, char *type, char *op, char **words)
{
    size_t count = 0, used = sprintf(sizes, "--size=");

    for (size_t i = 0; i < c->size_count; i++)
        used += (size_t)sprintf(sizes + used, "%s%zu", i == 0 ? "" : ",", c->sizes[i]);
    sprintf(type, "--type=%s", c->type);
    sprintf(op, "--op=%s", c->op);
    while (p->words[count] != NULL) {
        words[count] = p->words[count];
        count++;
    }
    if (b->cold)
        words[count++] = (char *)"--cold";
    if (b->iterations[0] != '\0')
        words[count++] = (char *)b->iterations;
    if (b->ceiling[0] != '\0')
        words[count++] = (char *)b->ceiling;
    words[count++] = sizes;
    words[count++] = type;
    words[count++] = op;
    words[count++] = (char *)"--format=csv";
    for (size_t i = 0; i < b->passed_count; i++)
        words[count++] = (char *)b->passed[i];
    words[count] = NULL;
    return count;
}

/* The last line of a file that is not empty. */
static void last_line(FILE *file, char *text, size_t size)
{
    char line[512];

    snprintf(text, size, "no message");
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            snprintf(text, size, "%s", line);
    }
}

/* Takes the names of a program's columns. The last that all programs have is "check"; what comes behind it are
 * other results of that variant, and not kept. False if they are not those of the first program. */
static bool take_header(struct bench *b, char *line)
{
    static const char last[] = ",check";
    char *end = line;
    size_t columns = 2;

    while ((end = strstr(end, last)) != NULL && end[sizeof last - 1] != ',' &&
           end[sizeof last - 1] != '\n')
        end++;
    if (end == NULL)
        return false;
    end[sizeof last - 1] = '\0';
    for (char *c = line; c < end; c++)
        columns += *c == ',';
    if (b->header == NULL) {
        b->columns = columns;
        if ((b->header = strdup(line)) == NULL)
            give_up("no memory");
    }
    return strcmp(line, b->header) == 0;
}

/* Rows of a program go to the CSV as they come. Returns how many there were; *strange: not ours. */
static size_t read_rows(struct bench *b, const struct program *p, FILE *in, bool *strange)
{
    char *line = NULL;
    size_t size = 0, lines = 0;

    while (!*strange && getline(&line, &size, in) > 0 && strchr(line, '\n') != NULL) {
        if (lines++ == 0) {
            *strange = !take_header(b, line);
            continue;
        }
        csv_cut(line, b->columns);
        save(b, p, line);
    }
    free(line);
    return lines > 0 ? lines - 1 : 0;
}

/* Runs one program with the sizes that are left of one type and operation. */
static void run(struct bench *b, struct program *p, size_t combo)
{
    const struct combo *c = &b->combos[combo];
    char sizes[32 * SIZES_MAX], type[32], op[32], reason[512], why[700];
    char *words[2 * ARGUMENTS_MAX];
    int ends[2], status;
    bool strange = false;
    FILE *errors = tmpfile(), *in;

    arguments_of(b, p, c, sizes, type, op, words);
    if (errors == NULL || pipe(ends) != 0)
        give_up("a temporary file");
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        give_up("a new process");
    if (child == 0) {
        close(ends[0]);
        dup2(ends[1], STDOUT_FILENO);
        dup2(fileno(errors), STDERR_FILENO);
        execv(words[0], words);
        perror(words[0]);
        _exit(127);
    }
    child_id = (sig_atomic_t)child;
    if (interrupted)
        kill(child, SIGTERM);
    close(ends[1]);
    if ((in = fdopen(ends[0], "r")) == NULL)
        give_up("a pipe");
    size_t rows = read_rows(b, p, in, &strange);
    fclose(in);
    if (strange)
        kill(child, SIGTERM);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            give_up("waiting for a program");
    child_id = 0;

    last_line(errors, reason, sizeof reason);
    fclose(errors);
    if (interrupted)
        return;
    if (strange) {
        failed(
            b, p, combo,
            "its CSV has other columns than that of the first: build all programs with one make");
    } else if (WIFSIGNALED(status)) {
        snprintf(why, sizeof why, "crashed: %s", strsignal(WTERMSIG(status)));
        failed(b, p, combo, why);
    } else if ((WEXITSTATUS(status) == EXIT_USAGE || WEXITSTATUS(status) == EXIT_NO_DEVICE) &&
               b->results.count == 0) {
        fprintf(stderr, "%s\n", reason); /* it would be the same for all others */
        unlink(b->output);
        exit(WEXITSTATUS(status));
    } else if (WEXITSTATUS(status) == EXIT_WRONG) {
        failed(b, p, combo, "wrong results, see column check of the CSV");
    } else if (WEXITSTATUS(status) != EXIT_RIGHT) {
        snprintf(why, sizeof why, "exit %d: %s", WEXITSTATUS(status), reason);
        failed(b, p, combo, why);
    } else if (rows != c->size_count) {
        snprintf(why, sizeof why, "%zu rows for %zu sizes", rows, c->size_count);
        failed(b, p, combo, why);
    }
}

/* ---- rounds ----------------------------------------------------------------------------------- */

static void progress(const struct bench *b, const struct program *p, const struct combo *c,
                     size_t of)
{
    if (!b->terminal)
        return;
    double gone = timing_now() - b->start, left = b->seconds - gone;
    if (b->round == 1 && b->done > 0) {
        double rest = gone / (double)b->done * (double)(of - b->done);
        left = rest > left ? rest : left;
    }
    left = left > 0 ? left : 0;
    fprintf(stderr, "\r\033[K[round %u, %zu/%zu] %s %s %s, %d:%02d gone, at most %d:%02d left",
            b->round, b->done + 1, of, p->label, c->op, c->type, (int)gone / 60, (int)gone % 60,
            (int)left / 60, (int)left % 60);
}

/* Whether all programs' medians at this size are known well enough. All or none: a comparison needs the
 * same rounds of all. */
static bool settled(const struct bench *b, size_t combo, size_t n)
{
    const struct combo *c = &b->combos[combo];

    for (size_t i = 0; i < b->program_count; i++) {
        const struct program *p = &b->programs[i];
        const struct cell *cell = results_find(&b->results, p->label, c->type, c->op, n);
        if (!p->failed[combo] && (cell == NULL || results_spread(cell, b->clock) > b->spread))
            return false;
    }
    return true;
}

/* Sizes that are not settled, of all types and operations. */
static size_t drop_settled(struct bench *b)
{
    size_t left = 0;

    for (size_t k = 0; k < b->combo_count; k++) {
        struct combo *c = &b->combos[k];
        size_t kept = 0;
        for (size_t i = 0; i < c->size_count; i++)
            if (!settled(b, k, c->sizes[i]))
                c->sizes[kept++] = c->sizes[i];
        c->size_count = kept;
        left += kept;
    }
    return left;
}

static void run_round(struct bench *b)
{
    size_t of = 0;

    for (size_t k = 0; k < b->combo_count; k++)
        for (size_t i = 0; i < b->program_count; i++)
            of += b->combos[k].size_count > 0 && !b->programs[i].failed[k];
    b->done = 0;
    for (size_t k = 0; k < b->combo_count; k++) {
        for (size_t i = 0; i < b->program_count && !interrupted; i++) {
            /* There and back again, so that nobody always comes after the same neighbour. */
            size_t index = b->round % 2 == 1 ? i : b->program_count - 1 - i;
            struct program *p = &b->programs[index];
            if (b->combos[k].size_count == 0 || p->failed[k])
                continue;
            progress(b, p, &b->combos[k], of);
            run(b, p, k);
            b->done++;
        }
    }
    progress_clear(b);
}

static void measure(struct bench *b)
{
    size_t all = 0, left;

    for (size_t k = 0; k < b->combo_count; k++)
        all += b->combos[k].size_count;
    left = all;
    b->start = timing_now();
    for (b->round = 1; b->round <= b->rounds; b->round++) {
        double begin = timing_now();
        run_round(b);
        double end = timing_now();
        left = drop_settled(b);
        if (interrupted)
            fprintf(stderr, "interrupted in round %u\n", b->round);
        else
            fprintf(stderr, "round %u: %.0f s, %zu of %zu sizes done\n", b->round, end - b->start,
                    all - left, all);
        if (interrupted || left == 0)
            return;
        b->longest = end - begin; /* later rounds only get shorter */
        if (end - b->start + b->longest > b->seconds) {
            fprintf(stderr,
                    "the time is up (--time=%.0f); sizes that are not done have a ~ below\n",
                    b->seconds);
            return;
        }
    }
}

/* ---- the command line ------------------------------------------------------------------------- */

/* The value of "--name=value", or NULL. */
static const char *value_of(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                           : NULL;
}

static double number(const char *argument, const char *text, double least, double most)
{
    char *end;
    double value = strtod(text, &end), range[2] = {least, most};
    char why[100];

    if (end != text && *end == '\0' && value >= least && value <= most)
        return value;
    snprintf(why, sizeof why, "give a number from %g to %g", range[0], range[1]);
    refuse(argument, why);
}

struct lists {
    const char *sizes, *types, *ops;
    int device;
};

/* True if the option is one of ours. */
static bool set(struct bench *b, struct lists *lists, const char *argument)
{
    const char *v;

    if ((v = value_of(argument, "--sizes")) != NULL)
        lists->sizes = v;
    else if ((v = value_of(argument, "--types")) != NULL)
        lists->types = v;
    else if ((v = value_of(argument, "--ops")) != NULL)
        lists->ops = v;
    else if ((v = value_of(argument, "--time")) != NULL)
        b->seconds = number(argument, v, 0, 1e7);
    else if ((v = value_of(argument, "--spread")) != NULL)
        b->spread = number(argument, v, 0, 1000) / 100;
    else if ((v = value_of(argument, "--change")) != NULL)
        b->change = number(argument, v, 0, 1000) / 100;
    else if ((v = value_of(argument, "--rounds")) != NULL)
        b->rounds = (unsigned)number(argument, v, 1, ROUNDS_MAX);
    else if ((v = value_of(argument, "--iterations")) != NULL)
        snprintf(b->iterations, sizeof b->iterations, "--iterations=%.0f",
                 number(argument, v, 1, 1e6));
    else if ((v = value_of(argument, "--output")) != NULL)
        b->output = v;
    else if ((v = value_of(argument, "--baseline")) != NULL)
        b->baseline = v;
    else if ((v = value_of(argument, "--from")) != NULL)
        b->from = v;
    else if (strcmp(argument, "--warm") == 0)
        b->cold = false;
    else if (strcmp(argument, "--clock=total") == 0)
        b->clock = CLOCK_TOTAL;
    else if (strcmp(argument, "--clock=kernel") == 0)
        b->clock = CLOCK_KERNEL;
    else if (value_of(argument, "--clock") != NULL)
        refuse(argument, "there are total and kernel");
    else
        return false;
    return true;
}

static void parse(struct bench *b, struct lists *lists, int argc, char **argv)
{
    const char *v;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            exit(EXIT_RIGHT);
        }
        if (set(b, lists, argv[i]))
            continue;
        if (argv[i][0] != '-') {
            add_program(b, argv[i]);
            continue;
        }
        if ((v = value_of(argv[i], "--ceiling")) != NULL)
            snprintf(b->ceiling, sizeof b->ceiling, "%s", argv[i]);
        else if (b->passed_count == ARGUMENTS_MAX / 2)
            refuse(argv[i], "too many options");
        else
            b->passed[b->passed_count++] = argv[i];
        if ((v = value_of(argv[i], "--device")) != NULL)
            lists->device = (int)number(argv[i], v, 0, 1e6);
    }
}

/* Sizes, types and operations; opens the CSV. */
static void prepare(struct bench *b, const struct lists *lists)
{
    char *types = strdup(lists->types), *ops = strdup(lists->ops);

    if (types == NULL || ops == NULL)
        give_up("no memory");
    add_combos(b, types, ops);
    free(types);
    free(ops);
    for (size_t k = 0; lists->sizes != NULL && k < b->combo_count; k++)
        given_sizes(&b->combos[k], lists->sizes);
    struct device device = probe(lists->device);
    for (size_t k = 0; lists->sizes == NULL && k < b->combo_count; k++) {
        if (strcmp(device.arch, "cpu") == 0)
            given_sizes(&b->combos[k], DEFAULT_SIZES_CPU);
        else
            default_sizes(&b->combos[k], &device);
    }
    open_output(b, device.arch);
    fprintf(stderr, "%zu programs on %s, rows go to %s\n", b->program_count, device.name,
            b->output);
}

static int screen_width(void)
{
    struct winsize window;

    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 &&
        window.ws_col > 0)
        return window.ws_col;
    return 110;
}

int main(int argc, char **argv)
{
    static struct bench b = {.cold = true,
                             .clock = CLOCK_TOTAL,
                             .seconds = DEFAULT_SECONDS,
                             .spread = 0.01,
                             .change = 0.03,
                             .rounds = ROUNDS_MAX};
    struct lists lists = {NULL, "double", "sum", 0};
    struct results old = {0};
    struct sigaction action = {.sa_handler = interrupt};
    char message[RESULTS_MESSAGE_MAX];
    size_t slower = 0;

    if (DEFAULT_ITERATIONS > 0)
        snprintf(b.iterations, sizeof b.iterations, "--iterations=%d", DEFAULT_ITERATIONS);
    parse(&b, &lists, argc, argv);
    if (b.from == NULL && b.program_count == 0)
        refuse("bench", "there are no programs to measure, name some, or start it with make bench");
    /* Before hours of measuring, and not after them. */
    if (b.baseline != NULL && !results_read(&old, b.baseline, message)) {
        fprintf(stderr, "%s\n", message);
        return EXIT_USAGE;
    }
    b.terminal = isatty(STDERR_FILENO);
    if (b.from != NULL) {
        if (!results_read(&b.results, b.from, message)) {
            fprintf(stderr, "%s\n", message);
            return EXIT_USAGE;
        }
    } else {
        prepare(&b, &lists);
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGHUP, &action, NULL);
        measure(&b);
        fclose(b.csv);
    }
    if (b.results.count > 0) {
        results_print(stdout, &b.results, b.clock, b.spread, screen_width());
        if (b.baseline != NULL)
            slower = results_compare(stdout, &old, &b.results, b.clock, b.change);
        if (b.from == NULL)
            printf("# all rows: %s\n", b.output);
    } else {
        unlink(b.output);
        fprintf(stderr, "nothing was measured\n");
    }
    if (b.failures > 0)
        printf("# %zu failures, see above\n", b.failures);
    results_free(&b.results);
    results_free(&old);
    if (interrupted)
        return EXIT_INTERRUPTED;
    return b.failures == 0 && slower == 0 ? EXIT_RIGHT : EXIT_WRONG;
}
