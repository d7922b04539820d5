/* HIP_CPU_TRACE=explain: what the hardware would do, line by line of the source.
 *
 *   HIP_CPU_EXPLAIN=machine:gfx942    a row of machines.h; default: the first with the warp size of the run
 *   HIP_CPU_EXPLAIN=json              the numbers as JSON; several words with commas
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"
#include "machines.h"
#include "warps.h"

#define STEPS_MAX 12 /* of a loop with a barrier that are listed separately */

/* One source line, one kind of access. */
struct line {
    const struct trace_place *place;
    enum { LINE_LOAD, LINE_STORE, LINE_ATOMIC, LINE_WARP, LINE_BARRIER } kind;
    enum trace_space space;
    unsigned size;
    uint64_t instructions, lanes;
    uint64_t bytes, sectors, lines; /* global memory */
    uint64_t passes,
        groups;     /* shared memory: passes, and how many there would be without conflicts */
    unsigned worst; /* passes of one instruction, over those without conflicts */
    uint64_t same;  /* atomics: lanes whose address another lane of the instruction has, too */
    uint64_t idle;  /* barriers: warps that did nothing since the last one */
    uint64_t step_instructions[STEPS_MAX], step_lanes[STEPS_MAX], step_passes[STEPS_MAX];
    unsigned steps[STEPS_MAX], steps_count; /* epochs */
};

/* One kernel: the first of its launches with this shape is counted. */
struct kernel {
    const char *name;
    dim3 grid, block;
    unsigned launches, warp_size, warps;
    uint64_t blocks;
    struct line *line;
    size_t lines, room;
};

static struct kernel *kernels;
static size_t kernels_count;
static struct kernel *now; /* NULL: a launch that is not counted */
static bool *did;          /* [warps]: did something since the last barrier */
static const struct machine *machine;
static bool json;
static const char *wanted_machine;

/* ---- counting ----------------------------------------------------------------------------------- */

static struct line *line_of(const struct trace_place *place, int kind, enum trace_space space,
                            unsigned size)
{
    for (size_t i = 0; i < now->lines; i++) {
        struct line *l = &now->line[i];
        if ((int)l->kind == kind && l->space == space && l->size == size &&
            l->place->line == place->line && strcmp(l->place->file, place->file) == 0)
            return l;
    }
    if (now->lines == now->room) {
        now->room = 2 * now->room + 16;
        now->line = trace_must(realloc(now->line, now->room * sizeof *now->line));
    }
    struct line *l = &now->line[now->lines++];
    memset(l, 0, sizeof *l);
    l->place = place;
    l->kind = (unsigned)kind;
    l->space = space;
    l->size = size;
    return l;
}

static size_t step_of(struct line *l, unsigned epoch)
{
    for (unsigned i = 0; i < l->steps_count; i++)
        if (l->steps[i] == epoch)
            return i;
    if (l->steps_count == STEPS_MAX)
        return STEPS_MAX - 1;
    l->steps[l->steps_count] = epoch;
    return l->steps_count++;
}

/* Adds number to a small set; true if it is new. */
static bool add_to(uint64_t *set, unsigned *count, uint64_t number)
{
    for (unsigned i = *count; i-- > 0;)
        if (set[i] == number)
            return false;
    set[(*count)++] = number;
    return true;
}

/* The number of aligned pieces of `bytes` bytes that an instruction touches. A GPU's allocations begin at multiples of
 * 256 bytes, those of this platform end at page boundaries: so distances are from the beginning of the allocation. */
static unsigned pieces(const struct warp_instruction *i, unsigned bytes)
{
    const struct trace_allocation *a = trace_allocation_of(i->address[__builtin_ctzll(i->lanes)]);
    uint64_t set[64 * 16];
    unsigned count = 0;

    for (uint64_t rest = i->lanes; rest; rest &= rest - 1) {
        uintptr_t from = i->address[__builtin_ctzll(rest)] - (a ? a->start : 0);
        for (uint64_t p = from / bytes; p <= (from + i->size - 1) / bytes; p++)
            add_to(set, &count, p);
    }
    return count;
}

/* Lanes form groups that request as much as is served at once; in each group the bank with the most words counts, and
 * lanes that request the same word are served together. *needed: passes without conflicts. The counters of an H200
 * assume that a load serves lanes of two groups at once if few are active, and that a store takes one pass per group. */
static unsigned passes(const struct warp_instruction *i, unsigned *needed)
{
    unsigned together = i->size < 4 ? machine->pass / 4 : machine->pass / i->size, all = 0;

    unsigned lanes = (unsigned)__builtin_popcountll(i->lanes), groups = 0;
    for (unsigned first = 0; first < 64; first += together) {
        uint64_t words[64][64];
        unsigned count[64] = {0}, most = 0;
        for (unsigned lane = first; lane < first + together && lane < 64; lane++) {
            if (!(i->lanes >> lane & 1))
                continue;
            uintptr_t from = i->address[lane];
            for (uint64_t word = from / 4; word <= (from + i->size - 1) / 4; word++) {
                unsigned bank = (unsigned)(word % machine->banks);
                add_to(words[bank], &count[bank], word);
                most = count[bank] > most ? count[bank] : most;
            }
        }
        all += most;
        groups += most > 0;
    }
    *needed = i->kind == WARP_LOAD ? (lanes * i->size + machine->pass - 1) / machine->pass : groups;
    return all;
}

static void take(const struct warp_instruction *i, unsigned warp)
{
    static const int kinds[] = {LINE_LOAD, LINE_STORE, LINE_ATOMIC};
    struct line *l = line_of(i->place, kinds[i->kind], i->space, i->size);
    unsigned lanes = (unsigned)__builtin_popcountll(i->lanes),
             step = (unsigned)step_of(l, i->epoch);

    did[warp] = true;
    l->instructions++;
    l->lanes += lanes;
    l->step_instructions[step]++;
    l->step_lanes[step] += lanes;
    if (i->kind == WARP_ATOMIC) {
        uint64_t set[64];
        unsigned count = 0;
        for (uint64_t rest = i->lanes; rest; rest &= rest - 1)
            l->same += !add_to(set, &count, i->address[__builtin_ctzll(rest)]);
    }
    if (i->space == TRACE_SHARED) {
        unsigned groups, all = passes(i, &groups);
        l->passes += all;
        l->groups += groups;
        l->step_passes[step] += all;
        if (groups > 0 && (all + groups - 1) / groups > l->worst)
            l->worst = (all + groups - 1) / groups;
    } else {
        l->bytes += (uint64_t)lanes * i->size;
        l->sectors += pieces(i, machine->sector);
        l->lines += pieces(i, machine->line);
    }
}

/* ---- events ------------------------------------------------------------------------------------- */

static void start(void)
{
    const char *words = getenv("HIP_CPU_EXPLAIN");
    char *copy = words ? trace_must(strdup(words)) : NULL, *rest;

    for (char *w = copy ? strtok_r(copy, ",", &rest) : NULL; w; w = strtok_r(NULL, ",", &rest)) {
        if (strcmp(w, "json") == 0)
            json = true;
        else if (strncmp(w, "machine:", 8) == 0)
            wanted_machine = w + 8;
        else {
            fprintf(stderr,
                    "hip: HIP_CPU_EXPLAIN=%s: use json, machine:NAME, or both with a comma\n",
                    words);
            _exit(EXIT_USAGE);
        }
    }
}

static void choose_machine(unsigned warp_size)
{
    for (size_t i = 0; i < MACHINES && !machine; i++)
        if (wanted_machine ? strcmp(machines[i].name, wanted_machine) == 0
                           : machines[i].warp_size == warp_size)
            machine = &machines[i];
    if (machine && machine->warp_size == warp_size)
        return;
    fprintf(stderr,
            machine
                ? "hip: %s has warps of %u: set HIP_CPU_WARP_SIZE=%u\n"
                : "hip: explain knows no machine %s: use one of platform/cpu/trace/machines.h\n",
            wanted_machine, machine ? machine->warp_size : 0, machine ? machine->warp_size : 0);
    _exit(EXIT_USAGE);
}

static void launch_begin(const struct trace_launch *l)
{
    choose_machine(l->warp_size);
    struct kernel *same = NULL;

    now = NULL;
    for (size_t i = 0; i < kernels_count && !same; i++) {
        struct kernel *k = &kernels[i];
        if (strcmp(k->name, l->kernel) == 0 && k->grid.x == l->grid.x && k->grid.y == l->grid.y &&
            k->block.x == l->block.x && k->block.y == l->block.y)
            same = k;
    }
    if (same) {
        same->launches++;
        return;
    }
    kernels = trace_must(realloc(kernels, (kernels_count + 1) * sizeof *kernels));
    now = &kernels[kernels_count++];
    *now = (struct kernel){.name = l->kernel, .grid = l->grid, .block = l->block};
    now->warp_size = l->warp_size;
    now->warps = l->warps;
    now->blocks = l->blocks;
    now->launches++;
    did = trace_must(realloc(did, l->warps * sizeof *did));
}

static void block_begin(const struct trace_block *b)
{
    if (!now)
        return;
    memset(did, 0, b->warps * sizeof *did);
    warps_begin(b->warps, take);
}

static void block_end(const struct trace_block *b)
{
    (void)b;
    if (now)
        warps_complete_all();
}

static void see_access(const struct trace_access *a)
{
    if (now)
        warps_take(&a->who, a->place, a->write ? WARP_STORE : WARP_LOAD, a->space, a->address,
                   a->size);
}

/* This platform implements some atomics by compare and swap, which loads first. That load is in the header, not in the
 * kernel's source, and is not counted; word_load() is in intrinsics.h. */
static bool is_first_look(const struct trace_atomic *a)
{
    return !a->writes && strstr(a->place->frame[0].file, "hip/hip_runtime.h") != NULL;
}

static void atomic(const struct trace_atomic *a)
{
    if (now && !is_first_look(a))
        warps_take(&a->who, a->place,
                   a->reads && a->writes ? WARP_ATOMIC
                   : a->writes           ? WARP_STORE
                                         : WARP_LOAD,
                   a->space, a->address, a->size);
}

static void barrier(const struct trace_barrier *b)
{
    if (!now)
        return;
    warps_complete_all();
    struct line *l = line_of(b->place, LINE_BARRIER, TRACE_SHARED, 0);
    for (unsigned w = 0; w < b->warps; w++) {
        l->instructions += b->lanes[w] != 0;
        l->lanes += (unsigned)__builtin_popcountll(b->lanes[w]);
        l->idle += b->lanes[w] != 0 && !did[w];
        did[w] = false;
    }
}

static void meeting(const struct trace_meeting *m)
{
    if (!now)
        return;
    warps_complete(m->warp);
    struct line *l = line_of(m->place, LINE_WARP, TRACE_SHARED, 0);
    l->instructions++;
    l->lanes += (unsigned)__builtin_popcountll(m->lanes);
    did[m->warp] = true;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int files = strcmp(x->place->file, y->place->file);

    if (files != 0)
        return files;
    if (x->place->line != y->place->line)
        return x->place->line < y->place->line ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

static const char *kind_name(const struct line *l)
{
    static const char *const names[] = {[LINE_LOAD] = "load",
                                        [LINE_STORE] = "store",
                                        [LINE_ATOMIC] = "atomic",
                                        [LINE_WARP] = "warp",
                                        [LINE_BARRIER] = "barrier"};
    return names[l->kind];
}

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : 0;
}

static void print_line(const struct line *l, bool again)
{
    char what[80] = "";

    if (!again)
        printf("\n%s:%u  %.70s\n", l->place->file, l->place->line,
               trace_source_line(l->place->file, l->place->line));
    if (l->kind == LINE_BARRIER)
        snprintf(what, sizeof what, "%.0f %% of the warps had nothing to do before it",
                 100 * ratio(l->idle, l->instructions));
    else if (l->kind == LINE_WARP)
        snprintf(what, sizeof what, "registers between lanes, or a meeting of the warp");
    else if (l->space == TRACE_SHARED)
        snprintf(what, sizeof what, "%.2f passes each, %.2f without conflicts, worst %u; %llu",
                 ratio(l->passes, l->instructions), ratio(l->groups, l->instructions), l->worst,
                 (unsigned long long)l->passes);
    else
        snprintf(what, sizeof what, "%.2f sectors each, %.0f %% of their bytes used; %llu",
                 ratio(l->sectors, l->instructions),
                 100 * ratio(l->bytes, l->sectors * machine->sector),
                 (unsigned long long)l->sectors);
    printf("  %-8s%-7s%2.0u%10llu x %4.1f lanes  %s\n", kind_name(l),
           l->kind >= LINE_WARP       ? ""
           : l->space == TRACE_SHARED ? "shared"
                                      : "global",
           l->size, (unsigned long long)l->instructions, ratio(l->lanes, l->instructions), what);
    if (l->kind == LINE_ATOMIC && l->same > 0)
        printf("  %37s  %.1f lanes of each meet others at one address\n", "",
               ratio(l->same, l->instructions));
    if (l->steps_count > 2) {
        printf("  %9s step: lanes%s ", "", l->space == TRACE_SHARED ? " (passes)" : "");
        for (unsigned i = 0; i < l->steps_count; i++) {
            printf(" %.3g", ratio(l->step_lanes[i], l->step_instructions[i]));
            if (l->space == TRACE_SHARED)
                printf(" (%.3g)", ratio(l->step_passes[i], l->step_instructions[i]));
        }
        printf("\n");
    }
}

struct totals {
    uint64_t instructions, lanes, barriers, idle, meetings, atomics;
    uint64_t load_requests, load_sectors, load_bytes, store_requests, store_sectors, store_bytes;
    uint64_t load_passes, load_conflicts, store_passes, store_conflicts;
};

static struct totals totals_of(const struct kernel *k)
{
    struct totals t = {0};

    for (size_t i = 0; i < k->lines; i++) {
        const struct line *l = &k->line[i];
        if (l->kind == LINE_BARRIER) {
            t.barriers += l->instructions;
            t.idle += l->idle;
            continue;
        }
        if (l->kind == LINE_WARP) {
            t.meetings += l->instructions;
            continue;
        }
        t.instructions += l->instructions;
        t.lanes += l->lanes;
        t.atomics += l->kind == LINE_ATOMIC ? l->instructions : 0;
        if (l->kind == LINE_ATOMIC)
            continue;
        bool load = l->kind == LINE_LOAD;
        if (l->space == TRACE_SHARED) {
            *(load ? &t.load_passes : &t.store_passes) += l->passes;
            *(load ? &t.load_conflicts : &t.store_conflicts) += l->passes - l->groups;
        } else {
            *(load ? &t.load_requests : &t.store_requests) += l->instructions;
            *(load ? &t.load_sectors : &t.store_sectors) += l->sectors;
            *(load ? &t.load_bytes : &t.store_bytes) += l->bytes;
        }
    }
    return t;
}

static void print_kernel(const struct kernel *k)
{
    struct totals t = totals_of(k);
    uint64_t warps = k->blocks * k->warps;

    printf(
        "\n== %s: %llu block%s of %u threads, warps of %u, %u launch%s, the first counted for %s\n",
        k->name, (unsigned long long)k->blocks, k->blocks == 1 ? "" : "s",
        k->block.x * k->block.y * k->block.z, k->warp_size, k->launches,
        k->launches == 1 ? "" : "es", machine->name);
    for (size_t i = 0; i < k->lines; i++)
        print_line(&k->line[i],
                   i > 0 && k->line[i].place->line == k->line[i - 1].place->line &&
                       strcmp(k->line[i].place->file, k->line[i - 1].place->file) == 0);
    printf("\nAltogether\n");
    printf("  memory instructions   %llu, %.1f lanes of %u at work on average\n",
           (unsigned long long)t.instructions, ratio(t.lanes, t.instructions), k->warp_size);
    printf(
        "  global loads          %llu requests, %llu sectors, %.1f KiB asked for, %.1f KiB moved\n",
        (unsigned long long)t.load_requests, (unsigned long long)t.load_sectors,
        (double)t.load_bytes / 1024, (double)t.load_sectors * machine->sector / 1024);
    printf("  global stores         %llu requests, %llu sectors, %.1f KiB\n",
           (unsigned long long)t.store_requests, (unsigned long long)t.store_sectors,
           (double)t.store_bytes / 1024);
    printf("  shared loads          %llu passes, %llu of them conflicts\n",
           (unsigned long long)t.load_passes, (unsigned long long)t.load_conflicts);
    printf("  shared stores         %llu passes, %llu of them conflicts\n",
           (unsigned long long)t.store_passes, (unsigned long long)t.store_conflicts);
    printf("  barriers              %.1f for each warp, %.0f %% reached with nothing done\n",
           ratio(t.barriers, warps), 100 * ratio(t.idle, t.barriers));
    printf("  atomics, warp operations   %llu, %llu\n", (unsigned long long)t.atomics,
           (unsigned long long)t.meetings);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void json_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar((unsigned char)*text < 0x20 ? ' ' : *text);
    }
    putchar('"');
}

static void json_number(const char *name, uint64_t value)
{
    printf(", \"%s\": %llu", name, (unsigned long long)value);
}

static void json_line(const struct line *l)
{
    printf("      {\"file\": ");
    json_text(l->place->file);
    json_number("line", l->place->line);
    printf(", \"source\": ");
    json_text(trace_source_line(l->place->file, l->place->line));
    printf(", \"kind\": \"%s\", \"space\": \"%s\"", kind_name(l),
           l->space == TRACE_SHARED ? "shared" : "global");
    json_number("size", l->size);
    json_number("instructions", l->instructions);
    json_number("lanes", l->lanes);
    json_number("bytes", l->bytes);
    json_number("sectors", l->sectors);
    json_number("lines", l->lines);
    json_number("passes", l->passes);
    json_number("conflicts", l->passes - l->groups);
    json_number("worst", l->worst);
    json_number("same_address", l->same);
    json_number("idle_warps", l->idle);
    printf("}");
}

static void json_kernel(const struct kernel *k)
{
    struct totals t = totals_of(k);

    printf("  {\"kernel\": ");
    json_text(k->name);
    printf(", \"machine\": \"%s\"", machine->name);
    json_number("warp_size", k->warp_size);
    json_number("blocks", k->blocks);
    json_number("threads", k->block.x * k->block.y * k->block.z);
    json_number("launches", k->launches);
    json_number("instructions", t.instructions);
    json_number("lanes", t.lanes);
    json_number("global_load_requests", t.load_requests);
    json_number("global_load_sectors", t.load_sectors);
    json_number("global_load_bytes", t.load_bytes);
    json_number("global_store_requests", t.store_requests);
    json_number("global_store_sectors", t.store_sectors);
    json_number("shared_load_passes", t.load_passes);
    json_number("shared_load_conflicts", t.load_conflicts);
    json_number("shared_store_passes", t.store_passes);
    json_number("shared_store_conflicts", t.store_conflicts);
    json_number("barriers", t.barriers);
    json_number("idle_warps", t.idle);
    json_number("warp_operations", t.meetings);
    json_number("atomics", t.atomics);
    printf(",\n    \"source\": [\n");
    for (size_t i = 0; i < k->lines; i++) {
        json_line(&k->line[i]);
        printf("%s\n", i + 1 < k->lines ? "," : "");
    }
    printf("    ]}");
}

/* Kernels that were not compiled for the trace, such as those that fill the input, show no lines. */
static void drop_unseen(void)
{
    size_t kept = 0;

    for (size_t i = 0; i < kernels_count; i++)
        if (kernels[i].lines > 0)
            kernels[kept++] = kernels[i];
    kernels_count = kept;
}

static int finish(void)
{
    drop_unseen();
    for (size_t i = 0; i < kernels_count; i++)
        qsort(kernels[i].line, kernels[i].lines, sizeof *kernels[i].line, by_place);
    if (json)
        printf("[\n");
    for (size_t i = 0; i < kernels_count; i++) {
        if (json)
            json_kernel(&kernels[i]);
        else
            print_kernel(&kernels[i]);
        if (json)
            printf("%s\n", i + 1 < kernels_count ? "," : "");
    }
    if (json)
        printf("]\n");
    return 0;
}

const struct trace_tool trace_explain = {
    .name = "explain",
    .start = start,
    .launch_begin = launch_begin,
    .block_begin = block_begin,
    .block_end = block_end,
    .access = see_access,
    .atomic = atomic,
    .barrier = barrier,
    .meeting = meeting,
    .finish = finish,
};
