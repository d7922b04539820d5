#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"

uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + (b + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

struct scalar whole(int type, int64_t value)
{
    struct scalar s = {.type = type};

    if (type == TYPE_FLOAT)
        s.as.f = (float)value;
    else if (type == TYPE_DOUBLE)
        s.as.d = (double)value;
    else if (type == TYPE_INT)
        s.as.i = (int32_t)(uint32_t)value;
    else
        s.as.l = value;
    return s;
}

static struct scalar element(const struct bed *b, size_t i)
{
    struct scalar s = {.type = b->shape.type};

    memcpy(&s.as, b->values + i * type_size(s.type), type_size(s.type));
    return s;
}

/* Integers use all their bits, since sums wrap. Floating-point numbers are multiples of 1/64 with few bits: no
 * addition of at most 2^14 of them rounds, in whatever order, and the result is exact. */
static struct scalar value_of(const struct shape *s, enum fill fill, uint64_t seed, size_t i)
{
    uint64_t bits = mix(seed, i);
    bool floating = s->type == TYPE_FLOAT || s->type == TYPE_DOUBLE;

    if (fill == ZEROS)
        return whole(s->type, 0);
    if (fill == NEGATIVE || fill == POSITIVE)
        return whole(s->type, (int64_t)(1 + bits % 1000) * (fill == NEGATIVE ? -1 : 1));
    if (fill == RANDOM && s->type == TYPE_LONG) /* readable numbers */
        return whole(s->type, (int64_t)(bits % 2000003) - 1000001);
    if (floating) {
        double value = ((double)(bits % 2047) - 1023) / 64;
        struct scalar v = whole(s->type, 0);
        if (s->type == TYPE_FLOAT)
            v.as.f = (float)value;
        else
            v.as.d = value;
        return v;
    }
    return whole(s->type, (int64_t)bits);
}

static struct scalar combine_two(struct scalar a, struct scalar b, int op)
{
    bool take_b;

    if (op == OP_SUM) {
        if (a.type == TYPE_FLOAT)
            a.as.f += b.as.f;
        else if (a.type == TYPE_DOUBLE)
            a.as.d += b.as.d;
        else if (a.type == TYPE_INT)
            a.as.i = (int32_t)((uint32_t)a.as.i + (uint32_t)b.as.i);
        else
            a.as.l = (int64_t)((uint64_t)a.as.l + (uint64_t)b.as.l);
        return a;
    }
    take_b = a.type == TYPE_FLOAT    ? b.as.f < a.as.f
             : a.type == TYPE_DOUBLE ? b.as.d < a.as.d
             : a.type == TYPE_INT    ? b.as.i < a.as.i
                                     : b.as.l < a.as.l;
    return take_b == (op == OP_MIN) ? b : a;
}

static struct scalar identity(int type, int op)
{
    struct scalar s = whole(type, 0);
    bool min = op == OP_MIN;

    if (op == OP_SUM)
        return s;
    if (type == TYPE_FLOAT)
        s.as.f = min ? INFINITY : -INFINITY;
    else if (type == TYPE_DOUBLE)
        s.as.d = min ? (double)INFINITY : (double)-INFINITY;
    else if (type == TYPE_INT)
        s.as.i = min ? INT32_MAX : INT32_MIN;
    else
        s.as.l = min ? INT64_MAX : INT64_MIN;
    return s;
}

struct scalar bed_expected(const struct bed *b)
{
    struct scalar result = identity(b->shape.type, b->shape.op);

    for (size_t i = 0; i < b->shape.n; i++)
        result = combine_two(result, element(b, i), b->shape.op);
    return result;
}

bool same(struct scalar a, struct scalar b)
{
    switch (a.type) {
    case TYPE_FLOAT:
        return a.as.f == b.as.f;
    case TYPE_DOUBLE:
        return a.as.d == b.as.d;
    case TYPE_INT:
        return a.as.i == b.as.i;
    default:
        return a.as.l == b.as.l;
    }
}

static size_t bytes_of(const struct bed *b)
{
    return b->shape.n * type_size(b->shape.type);
}

static void plan(struct bed *b)
{
    const struct shape *s = &b->shape;
    struct reduction *r = &b->r;
    hipStream_t stream = r->stream;
    int units = 1, threads = 1024;

    memset(r, 0, sizeof *r);
    HIP_CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    HIP_CHECK(hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerMultiProcessor, 0));
    r->n = s->n;
    r->block = s->block;
    r->grid = s->grid;
    r->arch = "check";
    r->warp_size = s->warp;
    r->compute_units = (unsigned)units;
    r->threads_per_unit = (unsigned)threads;
    r->stream = stream;
    b->entry->plan(r);
    HIP_CHECK(hipMalloc(&r->workspace, r->workspace_bytes > 0 ? r->workspace_bytes : 1));
    HIP_CHECK(hipHostMalloc(&r->host, r->host_bytes > 0 ? r->host_bytes : 1, 0));
    HIP_CHECK(hipMemset(r->workspace, 0, r->workspace_bytes > 0 ? r->workspace_bytes : 1));
    HIP_CHECK(hipDeviceSynchronize());
}

static void unplan(struct bed *b)
{
    HIP_CHECK(hipHostFree(b->r.host));
    HIP_CHECK(hipFree(b->r.workspace));
    b->entry->release(&b->r);
}

/* Bytes on each side of the input: more than the tile of a block of 1024 threads. None where a tool is watching:
 * the CPU platform, and the sanitizer that --once is for. */
static size_t margin(void)
{
#ifdef ON_CPU
    return 0;
#else
    return options.once ? 0 : 256 * 1024;
#endif
}

void bed_surround(struct bed *b, int byte)
{
    if (margin() == 0)
        return;
    HIP_CHECK(hipMemset(b->d_memory, byte, margin()));
    HIP_CHECK(hipMemset((char *)b->d_input + bytes_of(b), byte, margin()));
    HIP_CHECK(hipDeviceSynchronize());
}

void bed_open(struct bed *b, const struct shape *s)
{
    memset(b, 0, sizeof *b);
    b->shape = *s;
    b->entry = &exercise_variant()->entry[s->type][s->op];
    observe_order(s->warp, s->order, s->seed);
    HIP_CHECK(hipStreamCreate(&b->r.stream));
    HIP_CHECK(hipMalloc((void **)&b->d_memory, (s->n > 0 ? bytes_of(b) : 1) + 2 * margin()));
    b->d_input = b->d_memory + margin();
    bed_surround(b, 0x41);
    b->values = malloc(s->n > 0 ? bytes_of(b) : 1);
    HIP_CHECK(b->values != NULL ? hipSuccess : hipErrorOutOfMemory);
    observe_input(b->d_input, bytes_of(b));
    plan(b);
}

void bed_close(struct bed *b)
{
    unplan(b);
    observe_input(NULL, 0);
    HIP_CHECK(hipFree(b->d_memory));
    HIP_CHECK(hipStreamDestroy(b->r.stream));
    free(b->values);
}

void bed_reset(struct bed *b)
{
    unplan(b);
    plan(b);
}

void bed_fill(struct bed *b, enum fill fill, uint64_t seed)
{
    size_t size = type_size(b->shape.type);

    for (size_t i = 0; i < b->shape.n; i++) {
        struct scalar value = value_of(&b->shape, fill, seed, i);
        memcpy(b->values + i * size, &value.as, size);
    }
    if (b->shape.n > 0)
        HIP_CHECK(hipMemcpy(b->d_input, b->values, bytes_of(b), hipMemcpyHostToDevice));
}

void bed_ones(struct bed *b, size_t ones)
{
    size_t size = type_size(b->shape.type);
    struct scalar one = whole(b->shape.type, 1);

    memset(b->values, 0, bytes_of(b));
    for (size_t i = 0; i < ones; i++)
        memcpy(b->values + i * size, &one.as, size);
    if (b->shape.n > 0)
        HIP_CHECK(hipMemcpy(b->d_input, b->values, bytes_of(b), hipMemcpyHostToDevice));
}

void bed_set(struct bed *b, size_t i, struct scalar value)
{
    size_t size = type_size(b->shape.type);

    memcpy(b->values + i * size, &value.as, size);
    HIP_CHECK(hipMemcpy((char *)b->d_input + i * size, &value.as, size, hipMemcpyHostToDevice));
}

struct scalar bed_run(struct bed *b)
{
    struct scalar result = {.type = b->shape.type};

    b->entry->launch(&b->r, b->d_input);
    b->entry->finish(&b->r, &result.as);
    return result;
}

size_t bed_changed(const struct bed *b)
{
    size_t size = type_size(b->shape.type), n = b->shape.n, i = 0;

    if (n == 0)
        return 0;
    char *now = malloc(bytes_of(b));
    HIP_CHECK(now != NULL ? hipSuccess : hipErrorOutOfMemory);
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipMemcpy(now, b->d_input, bytes_of(b), hipMemcpyDeviceToHost));
    while (i < n && memcmp(now + i * size, b->values + i * size, size) == 0)
        i++;
    free(now);
    return i;
}
