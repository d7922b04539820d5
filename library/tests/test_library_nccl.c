/* libreduction over ranks of NCCL or RCCL: a thread and a device for each rank. On the CPU NCCL is a stand-in, with three
 * ranks; on GPUs the installed one, with as many ranks as there are devices, also in a graph.
 * Suite: kernels
 * SPDX-License-Identifier: MIT */
#if defined(__HIP_PLATFORM_CPU__)
#undef _GNU_SOURCE
#include "tests/multi_gpu/nccl.c"
#include "nogpu/runtime/internal.h"
#else
#include <dlfcn.h>
#include <pthread.h>
#endif
#include "stand.h"

#define MOST 16 /* ranks */
#define N    3000

#if defined(__HIP_PLATFORM_CPU__)
static int (*const get_id)(unique_t *) = ncclGetUniqueId;
static int (*const begin_rank)(void **, int, unique_t, int) = ncclCommInitRank;
static int (*const end_rank)(void *) = ncclCommDestroy;
static lr_all_reduce *const reduce_all = ncclAllReduce;
#else
typedef struct {
    char bytes[128];
} unique_t;
static int (*get_id)(unique_t *);
static int (*begin_rank)(void **, int, unique_t, int);
static int (*end_rank)(void *);
static lr_all_reduce *reduce_all;
#endif

static struct rank {
    pthread_t thread;
    int rank, size;
    lr_handle *handle;
    hipStream_t stream;
    struct lr_nccl_ranks ranks;
    char *x;             /* on its device */
    struct scalar *d_to; /* there, too */
    char wrong[200];     /* what is wrong; empty: nothing */
} ranks[MOST];
static unique_t id;

/* Without a library of NCCL, false. */
static bool load(void)
{
#if defined(__HIP_PLATFORM_CPU__)
    hip_cpu_late = false; /* the stand-in reads what a launch has written */
    return true;
#else
    const char *names[] = {"librccl.so.1", "libnccl.so.2"};
    for (size_t k = 0; k < 2; k++) {
        void *from = dlopen(names[k], RTLD_NOW);
        void *found[4] = {NULL};
        static const char *const functions_of[] = {"ncclGetUniqueId", "ncclCommInitRank", "ncclCommDestroy",
                                                   "ncclAllReduce"};
        for (size_t f = 0; f < 4 && from != NULL; f++)
            found[f] = dlsym(from, functions_of[f]);
        memcpy(&get_id, &found[0], sizeof get_id);
        memcpy(&begin_rank, &found[1], sizeof begin_rank);
        memcpy(&end_rank, &found[2], sizeof end_rank);
        memcpy(&reduce_all, &found[3], sizeof reduce_all);
        if (reduce_all != NULL)
            return true;
    }
    return false;
#endif
}

/* Element i of a rank: small and whole, so that no order of additions rounds. */
static double number(int rank, size_t i) { return (double)((7919 * i + 31 * (size_t)rank) % 23) - 11; }

static void upload_to(struct rank *r, int type, size_t n, double (*of)(int, size_t))
{
    static __thread char x[N * 16];
    bool is_complex = type >= LR_COMPLEX_FLOAT;
    int part = is_complex ? type - LR_COMPLEX_FLOAT + LR_FLOAT : type;

    for (size_t i = 0; i < n * (is_complex ? 2 : 1); i++) {
        double value = of(r->rank, is_complex ? i / 2 + 5 * (i % 2) : i);
        store(x + i * type_size(part), part, value, (int64_t)value);
    }
    HIP_CHECK(hipMemcpy(r->x, x, n * (is_complex ? 2 : 1) * type_size(part), hipMemcpyHostToDevice));
}

static void expect(struct rank *r, int status, int type, size_t part, double wanted, double tolerance, const char *what)
{
    char got[16];

    HIP_CHECK(hipStreamSynchronize(r->stream));
    HIP_CHECK(hipMemcpy(got, r->d_to, sizeof got, hipMemcpyDeviceToHost));
    double value = (double)element_at(type, got, part);
    bool same = value == wanted || (isnan(wanted) && isnan(value)) || fabs(value - wanted) <= tolerance * fabs(wanted);
    same = same && (isnan(value) || signbit(value) == signbit(wanted));
    if ((status != LR_OK || !same) && r->wrong[0] == '\0')
        snprintf(r->wrong, sizeof r->wrong, "rank %d of %d, %s: %s %s, %g and not %g", r->rank, r->size, what,
                 lr_text(status), lr_runtime_text(r->handle), value, wanted);
}

static void check_type(struct rank *r, int type)
{
    double sum = 0, im = 0, sizes = 0, squares = 0, least = INFINITY, most = -INFINITY;
    bool is_complex = type >= LR_COMPLEX_FLOAT, floating = type < LR_INT32 || type > LR_INT64;
    int value = is_complex ? type : type_of_result(type), part = is_complex ? type - LR_COMPLEX_FLOAT : value;
    size_t n = N - 100; /* the last rank has none */

    for (int k = 0; k < r->size; k++)
        for (size_t i = 0; i < n && (k == 0 || k < r->size - 1); i++) {
            double x = number(k, i), y = is_complex ? number(k, i + 5) : 0;
            sum += x;
            im += y;
            sizes += fabs(x) + fabs(y);
            squares += x * x + y * y;
            least = fmin(least, x);
            most = fmax(most, x);
        }
    n = r->rank > 0 && r->rank == r->size - 1 ? 0 : n;
    upload_to(r, type, N - 100, number);
#define CALL(name, ...) lr_nccl_##name(r->handle, &r->ranks, type, r->x, __VA_ARGS__, n, r->d_to, r->stream)
#define CALL_ONE(name)  lr_nccl_##name(r->handle, &r->ranks, type, r->x, n, r->d_to, r->stream)
    expect(r, CALL_ONE(sum), part, 0, sum, 0, "sum");
    if (is_complex)
        expect(r, LR_OK, part, 1, im, 0, "sum");
    expect(r, CALL(dot, r->x), part, 0, squares, 0, "dot");
    if (!is_complex) {
        expect(r, CALL_ONE(min), part, 0, least, 0, "min");
        expect(r, CALL_ONE(max), part, 0, most, 0, "max");
    }
    if (!floating)
        return;
    expect(r, CALL_ONE(asum), part, 0, sizes, 0, "asum");
    expect(r, CALL_ONE(nrm2), part, 0, sqrt(squares), 1e-6, "nrm2");
}

static double zeros(int rank, size_t i) { return (void)i, rank == 0 ? 0.0 : -0.0; }

static double one_nan(int rank, size_t i) { return rank == 0 && i == 7 ? NAN : (double)i; }

static double huge(int rank, size_t i) { return (void)rank, (void)i, 0x1p1000; }

static double infinite(int rank, size_t i) { return rank == 0 && i == 3 ? -INFINITY : 1; }

static void check_special(struct rank *r)
{
    size_t n = 9;
    int type = LR_DOUBLE;

    upload_to(r, type, n, zeros);
    expect(r, CALL_ONE(min), type, 0, r->size > 1 ? -0.0 : 0.0, 0, "the smaller zero");
    expect(r, CALL_ONE(max), type, 0, 0.0, 0, "the larger zero");
    expect(r, CALL_ONE(nrm2), type, 0, 0.0, 0, "no norm");
    upload_to(r, type, n, one_nan);
    expect(r, CALL_ONE(min), type, 0, NAN, 0, "min of NaN");
    expect(r, CALL_ONE(max), type, 0, NAN, 0, "max of NaN");
    expect(r, CALL_ONE(nrm2), type, 0, NAN, 0, "norm of NaN");
    upload_to(r, type, n, infinite);
    expect(r, CALL_ONE(min), type, 0, -INFINITY, 0, "min of -inf");
    upload_to(r, type, n, huge);
    expect(r, CALL_ONE(nrm2), type, 0, 0x1p1000 * sqrt(9.0 * r->size), 1e-14, "a large norm");
    if (lr_nccl_sum(r->handle, NULL, type, r->x, n, r->d_to, r->stream) != LR_NULL ||
        lr_nccl_sum(r->handle, &r->ranks, type, r->x, n, NULL, r->stream) != LR_NULL ||
        lr_nccl_min(r->handle, &r->ranks, 99, r->x, n, r->d_to, r->stream) != LR_TYPE)
        snprintf(r->wrong, sizeof r->wrong, "no error of a wrong argument");
}

/* Captured once; each replay has other elements. */
static void check_graph(struct rank *r)
{
#if defined(__HIP_PLATFORM_CPU__)
    (void)r; /* the stand-in cannot be captured */
#else
    hipGraph_t graph;
    hipGraphExec_t exec;
    size_t n = 100;
    int type = LR_DOUBLE, status;

    HIP_CHECK(hipStreamBeginCapture(r->stream, hipStreamCaptureModeThreadLocal));
    status = CALL_ONE(sum);
    HIP_CHECK(hipStreamEndCapture(r->stream, &graph));
    HIP_CHECK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    for (int replay = 0; replay < 3; replay++) {
        double sum = 0;
        int rank = r->rank;
        for (int k = 0; k < r->size; k++)
            for (size_t i = 0; i < n; i++)
                sum += number(k + replay, i);
        r->rank += replay;
        upload_to(r, type, n, number);
        r->rank = rank;
        HIP_CHECK(hipGraphLaunch(exec, r->stream));
        expect(r, status, type, 0, sum, 0, "a graph");
    }
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
#endif
}

static void *work(void *of_rank)
{
    struct rank *r = of_rank;
    int devices = 0;

    HIP_CHECK(hipGetDeviceCount(&devices));
    HIP_CHECK(hipSetDevice(r->rank % devices));
    HIP_CHECK(hipStreamCreate(&r->stream));
    HIP_CHECK(hipMalloc((void **)&r->x, N * 16));
    HIP_CHECK(hipMalloc((void **)&r->d_to, sizeof *r->d_to));
    if (lr_create(&r->handle, r->rank % devices) != LR_OK ||
        begin_rank(&r->ranks.communicator, r->size, id, r->rank) != 0) {
        snprintf(r->wrong, sizeof r->wrong, "rank %d cannot begin", r->rank);
        return NULL;
    }
    r->ranks.all_reduce = reduce_all;
    for (int type = LR_FLOAT; type < LR_TYPE_COUNT; type++)
        if (type <= LR_BFLOAT16 || type >= LR_COMPLEX_FLOAT)
            check_type(r, type);
    check_special(r);
    check_graph(r);
    end_rank(r->ranks.communicator);
    lr_destroy(r->handle);
    HIP_CHECK(hipStreamDestroy(r->stream));
    HIP_CHECK(hipFree(r->x));
    HIP_CHECK(hipFree(r->d_to));
    return NULL;
}

TEST(every_function_of_all_ranks)
{
    int size = 3;

    if (!load()) {
        puts("no NCCL or RCCL here: not tested");
        return;
    }
#if !defined(__HIP_PLATFORM_CPU__)
    HIP_CHECK(hipGetDeviceCount(&size));
    size = size > MOST ? MOST : size;
#endif
    ck_assert_int_eq(get_id(&id), 0);
    for (int k = 0; k < size; k++) {
        ranks[k].rank = k;
        ranks[k].size = size;
        ck_assert_int_eq(pthread_create(&ranks[k].thread, NULL, work, &ranks[k]), 0);
    }
    for (int k = 0; k < size; k++)
        ck_assert_int_eq(pthread_join(ranks[k].thread, NULL), 0);
    for (int k = 0; k < size; k++)
        ck_assert_msg(ranks[k].wrong[0] == '\0', "%s", ranks[k].wrong);
    printf("%d ranks\n", size);
}

/* What NCCL returns comes back. */
static int failing(const void *from, void *to, size_t count, int type, int operation, void *communicator, lr_stream of)
{
    (void)from, (void)to, (void)count, (void)type, (void)operation, (void)communicator, (void)of;
    return 3;
}

TEST(errors_of_nccl)
{
    const struct lr_nccl_ranks none = {failing, NULL};

    set_up();
    IS(LR_NCCL, lr_nccl_sum(handle, &none, LR_FLOAT, d_x, 10, d_result, stream));
    IS(LR_NCCL, lr_nccl_nrm2(handle, &none, LR_FLOAT, d_x, 10, d_result, stream));
    tear_down();
}
