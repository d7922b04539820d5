/* What bench measures: types, operations and sizes.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep.h"
#include "bench/programs/failure.h"
#include "harness/report/csv.h"
#include "harness/device/device.h"
#include "harness/report/output.h"

#define SIZES_CPU   "1K,8K,64K,512K"
#define SIZES_FIRST ((size_t)1 << 10) /* elements, on a GPU */
#define SIZES_LAST  ((size_t)1 << 33)

/* ---- the device ------------------------------------------------------------------------------------ */

struct found {
    char name[128], arch[64];
    size_t memory; /* bytes */
};

int plan_probe(int index)
{
    struct device device;

    device_open(&device, index);
    csv_put(stdout, device.name);
    printf(",%s,%zu\n", device.arch, device.memory);
    output_check(stdout);
    return EXIT_RIGHT;
}

static bool take_device(void *context, char *line)
{
    struct found *found = context;
    char *fields[3];

    if (csv_split(line, fields, 3) == 3) {
        snprintf(found->name, sizeof found->name, "%s", fields[0]);
        snprintf(found->arch, sizeof found->arch, "%s", fields[1]);
        found->memory = (size_t)strtoull(fields[2], NULL, 10);
    }
    return true;
}

/* Asks another process, because a context of our own would take memory from the programs. It is started
 * like them, because the launcher may be the only way to a device. */
static struct found probe(const struct sweep *s)
{
    struct found found = {"", "", 0};
    char self[4096], device[64];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *index = arguments_passed(&s->arguments, "device", '\0');
    size_t count = 0;

    if (length < 0)
        give_up("/proc/self/exe", "mount /proc");
    self[length] = '\0';
    snprintf(device, sizeof device, "--device=%s", index != NULL ? index : "0");
    while (s->arguments.launch[count] != NULL)
        count++;
    char **words = allocate((count + 4) * sizeof *words);
    memcpy(words, s->arguments.launch, count * sizeof *words);
    words[count++] = self;
    words[count++] = (char *)"--probe";
    words[count++] = device;
    struct child child =
        child_run(&(struct child_job){.words = words, .line = take_device, .context = &found});
    free(words);
    if (child.status != 0 || found.memory == 0) {
        char reason[256];
        if (child.said[0] != '\0') /* it has printed why */
            fputs(child.said, stderr);
        else
            fprintf(stderr, "bench: the device cannot be asked (status %d): %s\n", child.status,
                    child_reason(&child, reason, sizeof reason));
        exit(child.status == EXIT_USAGE || child.status == EXIT_NO_DEVICE ? child.status
                                                                          : EXIT_DEVICE);
    }
    child_free(&child);
    return found;
}

/* ---- sizes ----------------------------------------------------------------------------------------- */

/* Powers of two up to half of the memory: variants need workspace, and caches are evicted by writing. */
static void sizes_of_memory(struct combo *c, size_t memory)
{
    size_t most = memory / 2 / type_size(type_from_name(c->type));

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

/* ---- types and operations -------------------------------------------------------------------------- */

static void add_combo(struct sweep *s, int type, int op)
{
    struct combo *c = &s->combos[s->combo_count];

    for (size_t k = 0; k < s->combo_count; k++)
        if (s->combos[k].type == type_name(type) && s->combos[k].op == op_name(op))
            return;
    *c = (struct combo){.type = type_name(type), .op = op_name(op)};
    c->failed = allocate(s->arguments.program_count * sizeof *c->failed);
    s->combo_count++;
}

static void add_combos(struct sweep *s)
{
    char *types = duplicate(s->types), *type_rest, *op_rest;

    for (char *t = strtok_r(types, ", ", &type_rest); t; t = strtok_r(NULL, ", ", &type_rest)) {
        int type = type_from_name(t);
        if (type < 0)
            refuse(t,
                   "--types takes float, double, int, long, of mixed half, bfloat16, with commas");
        char *ops = duplicate(s->ops);
        for (char *o = strtok_r(ops, ", ", &op_rest); o; o = strtok_r(NULL, ", ", &op_rest)) {
            int op = op_from_name(o);
            if (op < 0)
                refuse(o, "--ops takes sum, min, max, with commas");
            add_combo(s, type, op);
        }
        free(ops);
    }
    free(types);
    if (s->combo_count == 0)
        refuse("--types, --ops", "the list is empty");
}

void plan_make(struct sweep *s)
{
    add_combos(s);
    for (size_t k = 0; s->sizes != NULL && k < s->combo_count; k++)
        given_sizes(&s->combos[k], s->sizes);
    struct found device = probe(s);
    for (size_t k = 0; s->sizes == NULL && k < s->combo_count; k++) {
        if (strcmp(device.arch, "cpu") == 0)
            given_sizes(&s->combos[k], SIZES_CPU);
        else
            sizes_of_memory(&s->combos[k], device.memory);
    }
    snprintf(s->arch, sizeof s->arch, "%s", device.arch);
    fprintf(stderr, "%zu programs on %s\n", s->arguments.program_count, device.name);
}
