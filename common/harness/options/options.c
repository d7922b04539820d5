/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "values/scalar.h"
#include "sizes.h"
#include "variant_options.h"

const char *format_name(int format)
{
    static const char *const names[] = {"table", "csv", "json", "wide"};
    return names[format];
}

bool format_is_table(int format) { return format == FORMAT_TABLE || format == FORMAT_WIDE; }

static bool set_type(struct parse *p, const char *text)
{
    bool narrow = p->v->entry[TYPE_HALF][OP_SUM].plan != NULL;

    p->o->type_given = true;
    if (!narrow && type_from_name(text) >= TYPE_COMMON)
        return parse_wrong(p, "--type %s: %s does not support it; reduction_mixed does", text, p->v->name);
    return parse_word(p, "--type", text, type_name, narrow ? TYPE_ALL : TYPE_COMMON, &p->o->type);
}

static bool set_op(struct parse *p, const char *text)
{
    bool bitwise = p->v->entry[TYPE_INT][OP_AND].plan != NULL;

    p->o->op_given = true;
    if (!bitwise && op_from_name(text) >= OP_COMMON)
        return parse_wrong(p, "--op %s: %s does not support it; reduction_atomic does", text, p->v->name);
    return parse_word(p, "--op", text, op_name, bitwise ? OP_ALL : OP_COMMON, &p->o->op);
}

static bool set_pattern(struct parse *p, const char *text)
{
    static const char hot[] = "onehot:";
    struct pattern *pattern = &p->o->pattern;
    const char *why;
    size_t index;

    p->o->pattern_given = true;
    pattern->hot = PATTERN_HOT_LAST;
    if (strncmp(text, hot, sizeof hot - 1) != 0)
        return parse_word(p, "--pattern", text, pattern_name, PATTERN_COUNT, &pattern->kind);
    why = sizes_one(text + sizeof hot - 1, &index);
    if (why != NULL)
        return parse_wrong(p, "--pattern '%s': the index %s; give onehot:INDEX with INDEX below --size", text, why);
    pattern->kind = PATTERN_ONEHOT;
    pattern->hot = index;
    return true;
}

static bool set_seed(struct parse *p, const char *text)
{
    p->o->seed_given = true;
    return parse_number(p, "--seed", text, 0, UINT64_MAX, &p->o->pattern.seed);
}

static bool set_input(struct parse *p, const char *text)
{
    if (*text == '\0')
        return parse_wrong(p, "--input '': give the name of a file, or - for the standard input");
    p->o->input = text;
    return true;
}

static bool set_offset(struct parse *p, const char *text)
{
    uint64_t value = 0;
    bool right = parse_number(p, "--offset", text, 0, 1 << 20, &value);
    p->o->offset = (size_t)value;
    return right;
}

static bool set_unsigned(struct parse *p, const char *option, const char *text, unsigned min, unsigned max,
                         unsigned *target)
{
    uint64_t value = 0;
    bool right = parse_number(p, option, text, min, max, &value);
    *target = (unsigned)value;
    return right;
}

static bool set_grid(struct parse *p, const char *text)
{
    return set_unsigned(p, "--grid", text, 1, INT_MAX, &p->o->grid);
}

static bool set_block(struct parse *p, const char *text)
{
    return set_unsigned(p, "--block", text, 1, 1024, &p->o->block);
}

static bool set_iterations(struct parse *p, const char *text)
{
    return set_unsigned(p, "--iterations", text, 1, 1000000, &p->o->iterations);
}

static bool set_warmup(struct parse *p, const char *text)
{
    p->o->warmup_given = true;
    return set_unsigned(p, "--warmup", text, 0, 1000000, &p->o->warmup);
}

static bool set_cold(struct parse *p, const char *text)
{
    (void)text;
    return p->o->cold = true;
}

static bool set_device(struct parse *p, const char *text)
{
    unsigned value;
    bool right = set_unsigned(p, "--device", text, 0, INT_MAX, &value);
    p->o->device = (int)value;
    return right;
}

static bool set_list_devices(struct parse *p, const char *text)
{
    (void)text;
    return p->o->list_devices = true;
}

static bool set_format(struct parse *p, const char *text)
{
    return parse_word(p, "--format", text, format_name, FORMAT_COUNT, &p->o->format);
}

static bool set_quiet(struct parse *p, const char *text)
{
    (void)text;
    return p->o->quiet = true;
}

static bool set_ceiling(struct parse *p, const char *text)
{
    char *end;

    p->o->ceiling = strtod(text, &end);
    if (end == text || *end != '\0' || !(p->o->ceiling > 0 && p->o->ceiling < 1e9))
        return parse_wrong(p, "--ceiling '%s': give the measured read bandwidth in GB/s, above 0", text);
    return true;
}

/* Everything about an option in one place, so that --help and the parser cannot disagree. */
struct command_option {
    char letter;                                    /* 0: none */
    const char *name;                               /* NULL: help is the heading of a section */
    const char *argument;                           /* NULL: a flag */
    const char *help;                               /* lines separated by \n */
    bool (*set)(struct parse *p, const char *text); /* NULL: --help and --version */
};

#define WORD(x, number, name, ...) " " #name

static const struct command_option table[] = {
    {0, NULL, NULL, "Data", NULL},
    {'n', "size", "SIZES",
     "elements: 128M, a list 1K,5M,1G or a range 1K..1G that doubles;\n"
     "K M G T are powers of two. Default: chosen for the device; with\n"
     "--input the whole file",
     sizes_parse},
    {'t', "type", "TYPE",
     "one of" COMMON_TYPES(WORD, ) "; int has 32 bits, long 64;\n"
                                   "in reduction_mixed also" NARROW_TYPES(WORD, ) ". Default: double",
     set_type},
    {'o', "op", "OP",
     "one of" COMMON_OPERATIONS(WORD, ) ";\n"
                                        "in reduction_atomic also" BITWISE_OPERATIONS(
                                            WORD, ) " of integers. Default: sum",
     set_op},
    {'p', "pattern", "PATTERN",
     "random, ones, constant (0.1), ramp (index mod a prime), mixed\n"
     "(both signs, nearly cancels), onehot or onehot:INDEX. Default: random",
     set_pattern},
    {'s', "seed", "SEED", "for random and mixed. Default: 1", set_seed},
    {0, "input", "FILE",
     "instead of a pattern: .npy, text numbers, or raw binary (*.bin) of\n"
     "--type; - reads text from the standard input. -n N reads only N",
     set_input},
    {0, "offset", "K", "misalign the input by K elements. Default: 0", set_offset},
    {0, NULL, NULL, "Shape", NULL},
    {'g', "grid", "BLOCKS", "blocks of a launch. Default: the variant chooses", set_grid},
    {'b', "block", "THREADS", "threads of a block, 1 to 1024. Default: the variant chooses", set_block},
    {0, NULL, NULL, "Measurement", NULL},
    {'i', "iterations", "COUNT",
     "timed runs on each of the two clocks. Default: at least 5, then\n"
     "until 0.1 s or 200 runs",
     set_iterations},
    {'w', "warmup", "COUNT",
     "untimed runs first. Default: at least 3, until three in a row are\n"
     "no more than 2 % faster than the best before them",
     set_warmup},
    {'c', "cold", NULL, "evict the caches before every run", set_cold},
    {0, "ceiling", "GBPS", "use this read bandwidth instead of measuring it", set_ceiling},
    {0, NULL, NULL, "Device", NULL},
    {'d', "device", "NUMBER", "Default: 0", set_device},
    {'L', "list-devices", NULL, "list the devices and exit", set_list_devices},
    {0, NULL, NULL, "Output", NULL},
    {'f', "format", "FORMAT", "table, wide (a table of all columns), csv or json. Default: table", set_format},
    {'q', "quiet", NULL, "only the verdict", set_quiet},
    {'h', "help", NULL, "show this and exit", NULL},
    {'V', "version", NULL, "show the version and exit", NULL},
};

#define OPTIONS (sizeof table / sizeof table[0])
/* getopt's value of the variant's first own option; number i of ours has LONG + i */
#define OWN  1000
#define LONG 256

static const struct command_option *option_of(int value)
{
    if (value >= LONG)
        return &table[value - LONG];
    for (size_t i = 0; i < OPTIONS; i++)
        if (table[i].letter == value)
            return &table[i];
    return NULL;
}

/* The message for an option that getopt rejected. */
static void complain(struct parse *p, int status, const char *text)
{
    const struct command_option *known = optopt >= OWN ? NULL : option_of(optopt);
    const char *name = optopt >= OWN ? p->v->options[optopt - OWN].name : known == NULL ? NULL : known->name;

    if (status == ':')
        parse_wrong(p, "--%s needs a value; %s --help shows which", name, p->v->name);
    else if (optopt != 0 && name != NULL)
        parse_wrong(p, "--%s takes no value: leave out what follows it", name);
    else if (optopt != 0)
        parse_wrong(p, "unknown option '-%c'; %s --help lists them", optopt, p->v->name);
    else
        parse_wrong(p, "unknown option '%s'; %s --help lists them", text, p->v->name);
}

/* What getopt_long() takes. */
struct accepted {
    struct option longs[OPTIONS + VARIANT_OPTIONS_MAX + 1];
    char letters[2 * OPTIONS + 2];
};

static void accept(struct accepted *a, const struct variant *v)
{
    size_t count = 0, own = variant_options_count(v);

    *a = (struct accepted){.letters = ":"}; /* which tells a missing value from an unknown option */
    for (size_t i = 0; i < OPTIONS; i++) {
        if (table[i].name == NULL)
            continue;
        int has = table[i].argument != NULL ? required_argument : no_argument;
        a->longs[count++] = (struct option){table[i].name, has, NULL, LONG + (int)i};
        if (table[i].letter != 0)
            snprintf(a->letters + strlen(a->letters), sizeof a->letters - strlen(a->letters), "%c%s", table[i].letter,
                     table[i].argument != NULL ? ":" : "");
    }
    for (size_t i = 0; i < own; i++) {
        int has = variant_option_is_flag(&v->options[i]) ? no_argument : required_argument;
        a->longs[count++] = (struct option){v->options[i].name, has, NULL, OWN + (int)i};
    }
}

static void set_defaults(struct options *o, const struct variant *v)
{
    size_t own = variant_options_count(v);

    memset(o, 0, sizeof *o);
    o->type = TYPE_DOUBLE;
    o->pattern.seed = 1;
    o->pattern.hot = PATTERN_HOT_LAST;
    for (size_t i = 0; i < own; i++)
        o->option[i] = v->options[i].fallback;
}

static enum options_status set_all(struct parse *p, int argc, char **argv)
{
    struct accepted a;
    int value;

    accept(&a, p->v);
    optind = 0; /* start anew, also for the second command line of a test */
    opterr = 0;
    while ((value = getopt_long(argc, argv, a.letters, a.longs, NULL)) != -1) {
        if (value == '?' || value == ':') {
            complain(p, value, argv[optind - 1]);
            return OPTIONS_ERROR;
        }
        const struct command_option *option = value >= OWN ? NULL : option_of(value);
        if (option != NULL && option->set == NULL)
            return option->letter == 'h' ? OPTIONS_HELP : OPTIONS_VERSION;
        if (!(option != NULL ? option->set(p, optarg) : variant_option_parse(p, value - OWN, optarg)))
            return OPTIONS_ERROR;
    }
    return OPTIONS_RUN;
}

/* What no option can see alone. */
static bool check_together(struct parse *p, int argc, char **argv)
{
    if (optind < argc)
        return parse_wrong(p,
                           "unexpected '%s'; use --input FILE to read numbers from a file, or name "
                           "reduction programs to compare",
                           argv[optind]);
    if (p->o->op >= OP_COMMON && p->v->entry[p->o->type][p->o->op].plan == NULL)
        return parse_wrong(p, "--op %s needs integers, not %s: give --type int or long", op_name(p->o->op),
                           type_name(p->o->type));
    if (p->o->input != NULL && p->o->pattern_given)
        return parse_wrong(p, "--input and --pattern both define the data: give only one of them");
    if (p->o->input != NULL && p->o->seed_given)
        return parse_wrong(p, "--seed has no effect with --input: leave it out, or take a --pattern");
    return true;
}

enum options_status options_parse(struct options *o, const struct variant *v, int argc, char **argv,
                                  char message[OPTIONS_MESSAGE_MAX])
{
    struct parse p = {o, v, message};

    message[0] = '\0';
    set_defaults(o, v);
    enum options_status status = set_all(&p, argc, argv);
    if (status == OPTIONS_RUN && !check_together(&p, argc, argv))
        return OPTIONS_ERROR;
    return status == OPTIONS_RUN && o->list_devices ? OPTIONS_DEVICES : status;
}

static char *word_of(const char *name, const char *value)
{
    size_t room = strlen(name) + (value != NULL ? strlen(value) : 0) + 4;
    char *word = malloc(room);

    if (word != NULL)
        snprintf(word, room, "--%s%s%s", name, value != NULL ? "=" : "", value != NULL ? value : "");
    return word;
}

size_t options_words(const struct variant *v, int argc, char **argv, char **words, size_t *own)
{
    struct accepted a;
    size_t count = 0;
    int value;

    accept(&a, v);
    optind = 0;
    opterr = 0;
    *own = 0;
    while ((value = getopt_long(argc, argv, a.letters, a.longs, NULL)) != -1) {
        const struct command_option *option = value >= OWN ? NULL : option_of(value);
        char *word;
        if (value == '?' || value == ':' || (option != NULL && option->set == NULL))
            return 0;
        word = word_of(option != NULL ? option->name : v->options[value - OWN].name, optarg);
        if (option != NULL) {
            words[count++] = word;
        } else { /* in front */
            memmove(words + *own + 1, words + *own, (count - *own) * sizeof *words);
            words[(*own)++] = word;
            count++;
        }
    }
    for (int i = optind; i < argc; i++)
        words[count++] = argv[i];
    return optind < argc ? count : 0;
}

void options_help(FILE *out, const struct variant *v)
{
    fprintf(out, "Usage: %s [OPTION]... [PROGRAM]...\n", v->name);
    fprintf(out, "Reduces an array on the device, times it and verifies the result; with other\n"
                 "reduction programs, compares it with them in one table.\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        if (table[i].name == NULL)
            fprintf(out, "\n%s\n", table[i].help);
        else
            parse_help(out, table[i].letter, table[i].name, table[i].argument, table[i].help);
    }
    variant_options_help(out, v);
    fprintf(out,
            "\nExamples\n"
            "  %s                            default run\n"
            "  %s -n 1G -t float -o max      2^30 floats, their maximum\n"
            "  %s -n 1K..1G -f csv           a sweep, for other programs\n"
            "  %s --input values.npy         numbers of your own\n",
            v->name, v->name, v->name, v->name);
    fprintf(out, "\nExit codes: 0 right, 1 wrong result, 2 bad usage, 3 device or runtime error,\n"
                 "4 unproven (the error bound is too wide), 77 no device of this kind.\n");
}
