/* libreduction when HIP calls fail: each HIP call that a function makes fails once alone, and once with all after it, for
 * every function of the header and every type. The function returns a status or its usual result, the next call is right
 * again, and no device memory or pinned memory leaks. (For the heap: SAN=address.)
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include "nogpu/runtime/internal.h"
#include "stand.h"

#define N ((size_t)20000)

static uint16_t x[4 * N] __attribute__((aligned(16))); /* ordinary numbers, whatever type they are read as */
static const int64_t offsets[] = {0, 10, 10, N};
static const struct {
    size_t rows, columns;
} shapes[] = {{1, N}, {N / 100, 100}, {N / 4, 4}};

typedef int dot_t(lr_handle *, int, const void *, const void *, size_t, void *, lr_stream);
typedef int place_t(lr_handle *, int, const void *, size_t, void *, int64_t *, lr_stream);
typedef int moments_t(lr_handle *, int, const void *, size_t, struct lr_moments_t *, lr_stream);
typedef int matrix_t(lr_handle *, int, const void *, size_t, size_t, size_t, void *, lr_stream);
typedef int reduce_t(lr_handle *, int, int, const void *, const void *, const struct lr_lines *, void *, int64_t *,
                     lr_stream);
typedef int segments_t(lr_handle *, int, const void *, size_t, const int64_t *, size_t, void *, lr_stream);

/* Functions with other arguments. */
static const int32_t keys[N] = {[0] = -1, [N - 2] = 1, [N - 1] = 5}; /* else 0 */

static int dots(lr_handle *h, int type, const void *a, const void *b, size_t n, void *to, lr_stream stream)
{
    return lr_dots(h, type, a, 2, n / 2, b, n / 2, to, stream);
}

static int dots_value(lr_handle *h, int type, const void *a, const void *b, size_t n, void *to, lr_stream stream)
{
    return lr_dots_value(h, type, a, 2, n / 2, b, n / 2, to, stream);
}

static int of_keys(lr_handle *h, int type, const void *a, size_t n, void *to, lr_stream stream)
{
    (void)type, (void)a;
    return lr_offsets_of_keys(h, LR_INT32, keys, n, 4, to, stream);
}

static int by_key(lr_handle *h, int type, const void *a, size_t n, void *to, lr_stream stream)
{
    static int64_t of[4];

    return lr_sum_by_key(h, type, a, LR_INT32, keys, n, 3, of, to, stream);
}

static int softmax(lr_handle *h, int type, const void *a, size_t n, void *to, lr_stream stream)
{
    return lr_softmax_rows(h, type, a, n / 100, 100, to, stream);
}

/* NCCL with one rank, which has its own value. */
static int one_rank(const void *from, void *to, size_t count, int type, int operation, void *communicator, lr_stream of)
{
    (void)from, (void)to, (void)count, (void)type, (void)operation, (void)communicator, (void)of;
    return 0;
}

static const struct lr_nccl_ranks one = {one_rank, NULL};

#define OF_ONE_RANK(name)                                                                                              \
    static int name##_of_ranks(lr_handle *h, int type, const void *a, size_t n, void *to, lr_stream of)                \
    {                                                                                                                  \
        return lr_nccl_##name(h, &one, type, a, n, to, of);                                                            \
    }
OF_ONE_RANK(sum)
OF_ONE_RANK(min)
OF_ONE_RANK(max)
OF_ONE_RANK(asum)
OF_ONE_RANK(nrm2)

static int dot_of_ranks(lr_handle *h, int type, const void *a, const void *b, size_t n, void *to, lr_stream of)
{
    return lr_nccl_dot(h, &one, type, a, b, n, to, of);
}

static const struct function {
    const char *name;
    call_t *whole;
    dot_t *dot;
    place_t *place;
    moments_t *moments;
    matrix_t *matrix;
    segments_t *segments;
    reduce_t *reduce;
} all[] = {
#define BOTH(kind, function)                                                                                           \
    {.name = #function, .kind = function}, { .name = #function "_value", .kind = function##_value }
    BOTH(whole, lr_sum),
    BOTH(whole, lr_min),
    BOTH(whole, lr_max),
    BOTH(whole, lr_asum),
    BOTH(whole, lr_nrm2),
    BOTH(whole, lr_sum_tree),
    BOTH(whole, lr_sum_binned),
    BOTH(dot, lr_dot),
    BOTH(place, lr_argmin),
    BOTH(place, lr_argmax),
    BOTH(moments, lr_moments),
    BOTH(matrix, lr_sum_rows),
    BOTH(matrix, lr_min_rows),
    BOTH(matrix, lr_max_rows),
    BOTH(matrix, lr_sum_columns),
    BOTH(matrix, lr_min_columns),
    BOTH(matrix, lr_max_columns),
    BOTH(segments, lr_sum_segments),
    BOTH(segments, lr_min_segments),
    BOTH(segments, lr_max_segments),
    BOTH(reduce, lr_reduce),
    {.name = "lr_dots", .dot = dots},
    {.name = "lr_dots_value", .dot = dots_value},
    {.name = "lr_offsets_of_keys", .whole = of_keys},
    {.name = "lr_sum_by_key", .whole = by_key},
    {.name = "lr_softmax_rows", .whole = softmax},
    {.name = "lr_nccl_sum", .whole = sum_of_ranks},
    {.name = "lr_nccl_min", .whole = min_of_ranks},
    {.name = "lr_nccl_max", .whole = max_of_ranks},
    {.name = "lr_nccl_asum", .whole = asum_of_ranks},
    {.name = "lr_nccl_nrm2", .whole = nrm2_of_ranks},
    {.name = "lr_nccl_dot", .dot = dot_of_ranks},
};

struct results {
    char values[N * 8];
    int64_t index, indices[N / 4];
    struct lr_moments_t moments;
};

static int call(lr_handle *h, const struct function *f, int type, size_t shape, struct results *r)
{
    size_t rows = shapes[shape].rows, columns = shapes[shape].columns;

    memset(r, 0, sizeof *r);
    if (f->whole != NULL)
        return f->whole(h, type, x, N, r->values, NULL);
    if (f->dot != NULL)
        return f->dot(h, type, x, x, N, r->values, NULL);
    if (f->place != NULL)
        return f->place(h, type, x, N, r->values, &r->index, NULL);
    if (f->moments != NULL)
        return f->moments(h, type, x, N, &r->moments, NULL);
    if (f->reduce != NULL)
        return f->reduce(h, LR_OP_ARGMAX, type, x, NULL,
                         &(struct lr_lines){.lines = rows / 4 + 1, .length = columns, .lead = columns, .step = 1},
                         r->values, r->indices, NULL);
    if (f->matrix != NULL)
        return f->matrix(h, type, x, rows, columns, columns, r->values, NULL);
    return f->segments(h, type, x, N, offsets, 3, r->values, NULL);
}

/* From now on call k of HIP fails; 0: none. */
static void let_fail(uint64_t k, bool and_all_after_it)
{
    hip_cpu_config.fail = k > 0 ? "any" : NULL;
    hip_cpu_config.fail_at = k;
    hip_cpu_config.fail_on = and_all_after_it;
    hip_cpu_config.calls = 0;
}

static bool has_failed(void) { return hip_cpu_config.calls >= hip_cpu_config.fail_at; }

static size_t memory_free(void)
{
    size_t bytes = 0, total;

    let_fail(0, false);
    ck_assert_int_eq(hipMemGetInfo(&bytes, &total), hipSuccess);
    return bytes;
}

static void begin(void)
{
    hip_cpu_late = false;                             /* values are read right after their call */
    hip_cpu_config.device_memory = (size_t)256 << 20; /* what is free of that is exact */
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = (uint16_t)(0x3c00 | (pattern_hash(1, i) & 0xff));
}
SUITE_EACH(begin, NULL)

/* Makes every call of f fail; returns their number. */
static uint64_t fail_each(lr_handle *h, const struct function *f, int type, size_t shape)
{
    static struct results right, got;
    uint64_t calls = 0;

    let_fail(0, false);
    if (call(h, f, type, shape, &right) == LR_TYPE)
        return 1;
    for (int on = 0; on < 2; on++)
        for (uint64_t k = 1;; k++) {
            let_fail(k, on);
            int status = call(h, f, type, shape, &got);
            if (!has_failed())
                break;
            calls++;
            ck_assert_msg(status == LR_RUNTIME || (status == LR_OK && memcmp(&got, &right, sizeof got) == 0),
                          "%s, type %d, call %d fails: %s, or a wrong value", f->name, type, (int)k, lr_text(status));
            ck_assert((status == LR_OK) == (lr_runtime_error(h) == 0));
            let_fail(0, false);
            ck_assert_int_eq(hipGetLastError(), hipSuccess);
            status = call(h, f, type, shape, &got);
            ck_assert_msg(status == LR_OK && memcmp(&got, &right, sizeof got) == 0,
                          "%s, type %d, after call %d has failed: %s, or a wrong value", f->name, type, (int)k,
                          lr_text(status));
            ck_assert_int_eq(lr_runtime_error(h), 0);
        }
    return calls;
}

TESTS(functions_of_arrays, TYPE_ALL)
{
    lr_handle *h;
    size_t before = memory_free();

    OK(lr_create(&h, 0));
    size_t used = memory_free();
    for (size_t f = 0; f < COUNT(all); f++)
        for (size_t shape = 0; shape < (all[f].matrix != NULL || all[f].reduce != NULL ? COUNT(shapes) : 1); shape++)
            ck_assert_msg(fail_each(h, &all[f], _i, shape) > 0, "%s: nothing failed", all[f].name);
    ck_assert_uint_eq(memory_free(), used);
    OK(lr_destroy(h));
    ck_assert_uint_eq(memory_free(), before);
}

/* lr_create() and, 2 of them in turn, lr_create_in(), and lr_workspace_bytes(). */
TESTS(creating, 4)
{
    bool on = _i % 2 != 0;
    static struct results r;
    size_t bytes = 0;
    void *workspace = NULL;
    uint64_t k = 1;

    OK(lr_workspace_bytes(0, &bytes));
    ck_assert_int_eq(hipMalloc(&workspace, bytes), hipSuccess);
    for (;; k++) {
        lr_handle *h = workspace;
        size_t before = memory_free();
        let_fail(k, on);
        int status = _i < 2 ? lr_create(&h, 0) : lr_create_in(&h, 0, workspace, bytes);
        bool failed = has_failed();
        let_fail(0, false);
        ck_assert_int_eq(hipGetLastError(), hipSuccess);
        ck_assert_msg(failed ? status == LR_RUNTIME || status == LR_NO_MEMORY : status == LR_OK, "call %d fails: %s",
                      (int)k, lr_text(status));
        ck_assert((h == NULL) == failed);
        if (!failed) {
            OK(call(h, &all[0], LR_DOUBLE, 0, &r));
            OK(lr_destroy(h));
        }
        ck_assert_msg((failed && on) /* then nothing can be freed */ || memory_free() == before,
                      "call %d fails: %zu bytes are left", (int)k, before - memory_free());
        if (!failed)
            break;
    }
    ck_assert_uint_gt(k, 5);
    let_fail(1, on);
    IS(LR_RUNTIME, lr_workspace_bytes(0, &bytes));
    ck_assert(bytes == 0 && has_failed());
}

/* Only what could not be freed is left. */
TESTS(destroying, 2)
{
    lr_handle *h;
    bool failed = true;

    for (uint64_t k = 1; failed; k++) {
        size_t before = memory_free();
        OK(lr_create(&h, 0));
        size_t used = before - memory_free();
        let_fail(k, _i);
        int status = lr_destroy(h);
        failed = has_failed();
        ck_assert_int_eq(status, failed ? LR_RUNTIME : LR_OK);
        let_fail(0, false);
        ck_assert_int_eq(hipGetLastError(), hipSuccess);
        size_t left = before - memory_free();
        ALL((left > 0) == failed, !failed || (left == used) == (_i == 1 && k == 1));
    }
}

/* A device whose memory is too small. */
TEST(no_memory)
{
    lr_handle *h;

    hip_cpu_config.device_memory = 4096;
    IS(LR_NO_MEMORY, lr_create(&h, 0));
    ck_assert_ptr_null(h);
}

/* The tests above cover every function of the header, except those that call no HIP function. */
TEST(every_function)
{
    char line[256], name[64],
        others[] = "lr_create lr_create_in lr_workspace_bytes lr_destroy "
                   "lr_device_of lr_leave_stream lr_input_ready lr_text lr_version "
                   "lr_version_number lr_targets lr_runtime_error lr_runtime_text "
                   "lr_result_type lr_function_name lr_function_text lr_finds ";
    size_t named = 0;
    FILE *header = fopen("library/libreduction.h", "r");

    ck_assert_ptr_nonnull(header);
    while (fgets(line, sizeof line, header) != NULL) {
        const char *at = strncmp(line, "LR_API", 6) == 0 ? strstr(line, "lr_") : NULL;
        if (at == NULL || sscanf(at, "%60[a-z0-9_]", name) != 1)
            continue;
        bool known = strstr(others, strcat(name, " ")) != NULL;
        name[strlen(name) - 1] = '\0';
        for (size_t f = 0; f < COUNT(all) && !known; f++)
            known = strcmp(all[f].name, name) == 0;
        ck_assert_msg(known, "no test of %s", name);
        named++;
    }
    (void)fclose(header);
    ck_assert_uint_eq(named, COUNT(all) + 17);
}
