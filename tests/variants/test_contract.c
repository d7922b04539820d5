/* What plan() promises. The error bound of every sum depends on `chain`: a reduction that counts measures the longest chain
 * of additions, and `chain` must not be less, nor much more. `launches` must be the number of kernels that launch() starts,
 * and finish() must start none, since the column `kernel` times launch() alone: on the CPU launches are counted. Two
 * reductions planned at the same time share nothing. A result that stays on the device equals the one that finish()
 * returns.
 *
 * contract/instances.hip adds every variant to a list; the values of its options come from its table. On the CPU the plans
 * of other machines are tested, too.
 * Suite: warps kernels variants program
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/contract.h"
#include "device_facts.h"
#include "harness/device/device.h"
#include "program.h"
#include "suite.h"
#include "verdict/extras.h"

static struct contract *contracts;
static int contract_count;
static struct device device;

void contract_add(struct contract *c)
{
    if (!suite_wants(c->variant.name))
        return;
    c->next = contracts;
    contracts = c;
    contract_count++;
}

static const struct contract *contract_at(int i)
{
    const struct contract *c = contracts;

    while (i-- > 0)
        c = c->next;
    return c;
}

static bool is_custom(const struct contract *c) { return strcmp(c->variant.name, "reduction_custom") == 0; }

/* How many values of an option are tested, and the i-th of them. */
static long option_count(const struct contract *c, const struct variant_option *o)
{
    long words = 1;

    if (is_custom(c))
        return 1; /* see option_value() */
    if (o->values == NULL)
        return 4;
    if (*o->values == '\0' || *o->values == '<')
        return 2;
    for (const char *s = o->values; *s != '\0'; s++)
        words += *s == '|';
    return words;
}

static long option_value(const struct contract *c, const struct variant_option *o, long i)
{
    if (is_custom(c)) { /* its only example that is a sum: dot, of ones */
        ck_assert_str_eq(o->values, "argmax|dot|logsumexp|subtract");
        return 1;
    }
    if (o->values != NULL)
        return i;
    long numbers[4] = {o->fallback, o->min, 7, 100};
    return numbers[i] < o->min ? o->min : numbers[i] > o->max ? o->max : numbers[i];
}

static char offsets_path[64];

/* For --offsets: segments of an array of n elements, with many lengths, some of them empty. */
static const char *offsets_file(size_t n)
{
    FILE *file = fopen(offsets_path, "w");

    ck_assert_ptr_nonnull(file);
    for (size_t at = 0, k = 0; at < n; at += k % 7 * (k % 50 == 20 ? 400 : 1), k++)
        fprintf(file, "%zu ", at);
    fprintf(file, "%zu\n", n);
    fclose(file);
    return offsets_path;
}

/* Choice number `pick`: for pick = 0, 1, 2 ... every option takes all of its values; `turn` determines which values are
 * combined. */
static void choose_options(const struct contract *c, size_t pick, size_t turn, struct reduction *r)
{
    bool file = false;

    for (size_t k = 0; k < VARIANT_OPTIONS_MAX && c->variant.options[k].name != NULL; k++) {
        const struct variant_option *o = &c->variant.options[k];
        long i = (long)((pick + turn * k) % (size_t)option_count(c, o));
        r->option[k] = option_value(c, o, i);
        if (o->values == NULL && r->n > 10000 && r->option[k] < 7)
            r->option[k] = 7 < o->max ? 7 : o->max; /* one block for each of many rows would take long */
        if (o->values != NULL && *o->values == '<' && i == 1) {
            ck_assert_str_eq(o->name, "offsets");
            r->text[k] = offsets_file(r->n);
            file = true;
        }
    }
    for (size_t k = 0; file && c->variant.options[k].name != NULL; k++)
        if (c->variant.options[k].values != NULL && *c->variant.options[k].values == '\0')
            r->option[k] = 0; /* --ragged contradicts --offsets */
}

/* The number of choices: the most values that an option has. */
static size_t choices(const struct contract *c)
{
    size_t most = 1;

    for (size_t k = 0; k < VARIANT_OPTIONS_MAX && c->variant.options[k].name != NULL; k++)
        if ((size_t)option_count(c, &c->variant.options[k]) > most)
            most = (size_t)option_count(c, &c->variant.options[k]);
    return most;
}

#define LARGEST_N 70001

struct machine {
    const char *arch;
    unsigned units;
};
static struct machine machines[3];
static size_t machine_count;

union value {
    float f;
    double d;
    int64_t l;
};

static union value *host_ones[TYPE_ALL]; /* arrays of LARGEST_N + 1 elements */
static void *d_input[TYPE_ALL];
static void *d_place; /* for one value, or one per element */

/* Ones; for longs 1, 2, 3 ... */
static void make_input(int type)
{
    size_t bytes = (LARGEST_N + 1) * type_size(type);
    char *data = malloc(bytes);

    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i <= LARGEST_N; i++) {
        union value v = {.l = (int64_t)i + 1};
        if (type == TYPE_FLOAT)
            v.f = 1;
        else if (type == TYPE_DOUBLE)
            v.d = 1;
        else if (type == TYPE_HALF)
            v.l = 0x3c00;
        memcpy(data + i * type_size(type), &v, type_size(type));
    }
    HIP_CHECK(hipMalloc(&d_input[type], bytes));
    HIP_CHECK(hipMemcpy(d_input[type], data, bytes, hipMemcpyHostToDevice));
    host_ones[type] = (union value *)data;
}

/* Check runs each test in a separate process, and a device belongs to the process that opened it. */
static void set_up(void)
{
    device_open(&device, 0);
    machines[machine_count++] = (struct machine){device.arch, device.compute_units};
    if (strcmp(device.arch, "cpu") == 0) {
        machines[machine_count++] = (struct machine){"sm_90", 132};
        machines[machine_count++] = (struct machine){"gfx942", 304};
    }
    make_input(TYPE_FLOAT);
    make_input(TYPE_DOUBLE);
    make_input(TYPE_LONG);
    make_input(TYPE_HALF);
    HIP_CHECK(hipMalloc(&d_place, (LARGEST_N + 1) * sizeof(union value)));
    strcpy(offsets_path, "/tmp/reduction_contract_XXXXXX");
    close(mkstemp(offsets_path));
}

static void tear_down(void)
{
    unlink(offsets_path);
    for (int type = 0; type < TYPE_ALL; type++) {
        if (d_input[type] != NULL)
            HIP_CHECK(hipFree(d_input[type]));
        free(host_ones[type]);
    }
    HIP_CHECK(hipFree(d_place));
}
SUITE_ONCE(program_need_device, NULL)
SUITE_EACH(set_up, tear_down)

/* Gives a planned reduction memory and a stream of its own. */
static void equip(const struct variant_entry *e, struct reduction *r, int type)
{
    struct input_view view = {.type = type, .n = r->n, .data = host_ones[type]};
    struct reference ignored = {.type = type_of_result(type)};

    HIP_CHECK(hipMalloc(&r->workspace, r->workspace_bytes > 0 ? r->workspace_bytes : 1));
    HIP_CHECK(hipHostMalloc(&r->host, r->host_bytes > 0 ? r->host_bytes : 1, 0));
    /* Non-blocking, so that work on the default stream by mistake is not waited for. */
    HIP_CHECK(hipStreamCreateWithFlags(&r->stream, hipStreamNonBlocking));
    HIP_CHECK(hipMemset(r->workspace, 0, r->workspace_bytes));
    e->prepare(r, &view, &ignored);
    HIP_CHECK(hipDeviceSynchronize());
}

static void end(const struct variant_entry *e, struct reduction *r)
{
    e->release(r);
    HIP_CHECK(hipFree(r->workspace));
    HIP_CHECK(hipHostFree(r->host));
    HIP_CHECK(hipStreamDestroy(r->stream));
}

static struct reduction asked_for(size_t n, unsigned grid, unsigned block, const struct machine *m)
{
    return (struct reduction){
        .n = n,
        .grid = grid,
        .block = block,
        .arch = m->arch,
        .warp_size = device.warp_size,
        .compute_units = m->units,
        .threads_per_unit = device.threads_per_unit,
    };
}

/* "reduction_shfl, shuffle=2, 100 of double, grid 3, block 32 on sm_90 with 132 units, warp 32" */
static const char *words(const struct contract *c, int type, const struct reduction *r)
{
    static char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", c->variant.name);

    for (size_t k = 0; k < VARIANT_OPTIONS_MAX && c->variant.options[k].name != NULL; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %s=%ld", c->variant.options[k].name, r->option[k]);
    snprintf(text + used, sizeof text - used, ": %zu of %s, grid %u, block %u on %s with %u units, warp %u", r->n,
             type_name(type), r->grid, r->block, r->arch, r->compute_units, r->warp_size);
    return text;
}

/* On a GPU the vendor library's chain is unknown: plan() promises a number that no library exceeds. */
static bool is_library(const struct contract *c, const struct reduction *r)
{
#if defined(__HIP_PLATFORM_CPU__)
    (void)c, (void)r;
#else
    if (strcmp(c->variant.name, "reduction_prim") == 0)
        return true;
    for (int k = 0; k < VARIANT_OPTIONS_MAX && c->variant.options[k].name != NULL; k++) {
        const char *word = c->variant.options[k].values;
        if (strcmp(c->variant.options[k].name, "method") != 0 || word == NULL)
            continue;
        for (long skip = r->option[k]; skip > 0 && strchr(word, '|') != NULL; skip--)
            word = strchr(word, '|') + 1;
        return strncmp(word, "library", 7) == 0;
    }
#endif
    return false;
}

/* Launches, and reads the value on the device, if there is one, before finish() does. */
static bool launch(const struct contract *c, const struct variant_entry *e, int type, const struct reduction *r,
                   const void *d_from, union value *on_device)
{
    unsigned long long before = device_launches();

    e->launch(r, d_from);
    ck_assert_msg(hipStreamQuery(NULL) == hipSuccess,
                  "%s: launch() puts work on the default stream, which r->stream does not wait for", words(c, type, r));
    unsigned long long launched = device_launches() - before;
    ck_assert_msg(launched == r->launches || r->launches == 0 || device_launches() == 0,
                  "%s: plan() says %u launches, and launch() starts %llu kernels", words(c, type, r), r->launches,
                  launched);
    const void *d_result = e->device_result(r);
    if (d_result == NULL)
        return false;
    ck_assert_msg(r->result == NULL || d_result == r->result,
                  "%s: launch() does not leave the result in the place it was given", words(c, type, r));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    HIP_CHECK(hipMemcpy(on_device, d_result, type_size(type_of_result(type)), hipMemcpyDeviceToHost));
    return true;
}

static void finish(const struct contract *c, const struct variant_entry *e, int type, const struct reduction *r,
                   const union value *on_device, union value *result)
{
    unsigned long long before = device_launches();

    e->finish(r, result);
    ck_assert_msg(device_launches() == before, "%s: finish() starts %llu kernels, and no clock of the device sees them",
                  words(c, type, r), device_launches() - before);
    ck_assert_msg(on_device == NULL || memcmp(on_device, result, type_size(type_of_result(type))) == 0,
                  "%s: what is on the device is not what finish() returns", words(c, type, r));
}

/* One run of both. */
static void run_both(const struct contract *c, const struct variant_entry *e, int type, const struct reduction *r,
                     const void *d_from, union value *result)
{
    union value on_device = {.l = 0};
    bool there = launch(c, e, type, r, d_from, &on_device);

    finish(c, e, type, r, there ? &on_device : NULL, result);
}

static void check_chain(const struct contract *c, int type, struct reduction r)
{
    if (c->variant.own_operation && !is_custom(c))
        return; /* softmax: its value is the largest element, which is not rounded */
    const struct variant_entry *e = type == TYPE_FLOAT  ? &c->longest_float
                                    : type == TYPE_HALF ? &c->longest_half
                                                        : &c->longest_double;
    union value result = {.l = 0};

    e->plan(&r);
    equip(e, &r, type);
    run_both(c, e, type, &r, d_input[type], &result);
    double depth = type != TYPE_DOUBLE ? (double)result.f : result.d;
    size_t longest = depth > 1 ? (size_t)depth - 1 : 0; /* an element counts 1, nothing 0 */

    ck_assert_msg(longest <= r.chain, "%s: plan() promises a chain of %zu additions, and it has %zu",
                  words(c, type, &r), r.chain, longest);
    ck_assert_msg(is_library(c, &r) || r.chain <= longest + longest / 2 + 32,
                  "%s: plan() says a chain of %zu additions, and the longest has only %zu: such a "
                  "bound lets wrong sums pass",
                  words(c, type, &r), r.chain, longest);
    end(e, &r);
}

/* The sum of from + 1, from + 2 ... from + r->n, or whatever else the variant returns by its own account. */
static int64_t wanted_sum(const struct variant_entry *e, const struct reduction *r, int64_t from)
{
    const int64_t *data = (const int64_t *)host_ones[TYPE_LONG] + from;
    struct input_view view = {.type = TYPE_LONG, .n = r->n, .data = data};
    int64_t n = (int64_t)r->n;
    struct reference expected = {.value = {.type = TYPE_LONG, .as.l = n * (n + 1) / 2 + from * n}};

    e->prepare(r, &view, &expected);
    HIP_CHECK(hipDeviceSynchronize());
    return expected.value.as.l;
}

/* Reduces 1, 2 ... n, and then 2, 3 ... n + 1, so that the previous result does not pass. */
static void check_sum(const struct contract *c, struct reduction r)
{
    const struct variant_entry *e = &c->sum_long;

    e->plan(&r);
    equip(e, &r, TYPE_LONG);
    for (int64_t from = 0; from < 2; from++) {
        int64_t wanted = wanted_sum(e, &r, from);
        union value result = {.l = 0};
        if (from == 1 && c->variant.places_result)
            r.result = d_place;
        run_both(c, e, TYPE_LONG, &r, (int64_t *)d_input[TYPE_LONG] + from, &result);
        ck_assert_msg(result.l == wanted, "%s: the sum from %lld on is %lld and not %lld", words(c, TYPE_LONG, &r),
                      (long long)from + 1, (long long)result.l, (long long)wanted);
    }
    end(e, &r);
}

/* Few and many elements, few and many blocks, with and without partial warps; all in one thread. 0: the variant chooses. */
static const struct {
    size_t n;
    unsigned grid, block;
} shapes[] = {
    {0, 0, 0},        {1, 0, 0},        {2, 3, 0},       {100, 0, 0},     {100, 1000, 32}, {9001, 1, 1},
    {1000, 0, 33},    {4097, 2, 100},   {9001, 0, 0},    {9001, 1, 256},  {9001, 65, 31},  {9001, 0, 1},
    {9001, 3, 64},    {9001, 0, 1024},  {70001, 0, 0},   {70001, 1, 0},   {70001, 0, 96},  {70001, 7, 32},
    {70001, 300, 64}, {70001, 40, 544}, {70001, 2, 512}, {65536, 0, 128},
};

/* On the CPU `make check` runs every second one with warps of 64 and the others with warps of 32; check-fast a third of
 * them. */
static bool is_taken(size_t turn)
{
    return suite_level() >= LEVEL_VARIANT || strcmp(device.arch, "cpu") != 0 ||
           turn % (suite_level() == LEVEL_FAST ? 6 : 2) == (device.warp_size == 64);
}

TESTS(chain, contract_count)
{
    const struct contract *c = contract_at(_i);
    bool resident = strcmp(c->variant.name, "reduction_cooperative") == 0; /* all blocks at once */

    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t pick = 0; pick < choices(c); pick++) {
            if (!is_taken(s + pick + (size_t)_i))
                continue;
            const struct machine *m = &machines[resident ? 0 : (s + pick) % machine_count];
            unsigned grid = resident && shapes[s].grid > 1 ? 1 : shapes[s].grid;
            struct reduction r = asked_for(shapes[s].n, grid, shapes[s].block, m);
            choose_options(c, pick, s, &r);
            check_chain(c, (s + pick) % 2 == 0 ? TYPE_DOUBLE : TYPE_FLOAT, r);
            if (c->longest_half.plan != NULL && r.grid * r.block != 1) /* halves count to 2048 */
                check_chain(c, TYPE_HALF, r);
            check_sum(c, r);
        }
}

/* Except for variants whose last step is on the host, which gets several partials. */
TESTS(on_device, contract_count)
{
    const struct contract *c = contract_at(_i);
    bool found = false;

    for (size_t pick = 0; pick < choices(c); pick++) {
        struct reduction r = asked_for(9000, 0, 0, &machines[0]);
        choose_options(c, pick, 0, &r);
        c->sum_long.plan(&r);
        equip(&c->sum_long, &r, TYPE_LONG);
        found = found || r.host_bytes > 2 * sizeof(int64_t) || c->sum_long.device_result(&r) != NULL;
        end(&c->sum_long, &r);
    }
    ck_assert_msg(found, "%s: its table has no device_result, or that is never there", c->variant.name);
}

static int64_t run(const struct variant_entry *e, const struct reduction *r)
{
    union value result = {.l = 0};

    e->launch(r, d_input[TYPE_LONG]);
    e->finish(r, &result);
    return result.l;
}

/* With different n and different values of options: alternating, and both in flight at once. */
TESTS(two_plans, contract_count)
{
    static const size_t sizes[][2] = {{70001, 1000}, {1, 9001}, {4096, 4097}, {0, 300}};
    const struct contract *c = contract_at(_i);
    const struct variant_entry *e = &c->sum_long;

    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t pick = 0; pick < choices(c); pick++) {
            struct reduction r[2];
            int64_t wanted[2], got[2];
            if (!is_taken(s + pick + (size_t)_i))
                continue;
            for (size_t k = 0; k < 2; k++) { /* alone */
                r[k] = asked_for(sizes[s][k], 0, 0, &machines[0]);
                choose_options(c, pick + k, s, &r[k]);
                e->plan(&r[k]);
                equip(e, &r[k], TYPE_LONG);
                wanted[k] = run(e, &r[k]);
                ck_assert_msg(wanted[k] == wanted_sum(e, &r[k], 0), "%s: the sum of 1 ... n is %lld",
                              words(c, TYPE_LONG, &r[k]), (long long)wanted[k]);
                end(e, &r[k]);
            }
            for (size_t k = 0; k < 2; k++) {
                r[k] = asked_for(sizes[s][k], 0, 0, &machines[0]);
                choose_options(c, pick + k, s, &r[k]);
                e->plan(&r[k]);
            }
            for (size_t k = 0; k < 2; k++)
                equip(e, &r[k], TYPE_LONG);
            for (int turn = 0; turn < 3; turn++) {
                for (size_t k = 0; k < 2; k++)
                    e->launch(&r[k], d_input[TYPE_LONG]);
                for (size_t k = 0; k < 2; k++)
                    e->finish(&r[k], &got[k]);
                for (size_t k = 0; k < 2; k++)
                    ck_assert_msg(got[k] == wanted[k] && run(e, &r[k]) == wanted[k],
                                  "%s, beside another one of %zu: %lld and not %lld", words(c, TYPE_LONG, &r[k]),
                                  sizes[s][1 - k], (long long)got[k], (long long)wanted[k]);
            }
            end(e, &r[0]);
            end(e, &r[1]);
        }
}
