/* Reduction by the vendor's library: the baseline.
 *
 * Study    210
 * Idea     Do not write it yourself. rocPRIM (AMD), CUB (NVIDIA) or OpenMP (CPU) in the same harness: the
 *          temporary storage is allocated outside the timed region, as every variant's workspace is.
 * Compare  the numbers: this row is the baseline for all others
 * Try      make run
 *
 * The libraries are C++, so this variant is C++, too.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"
#include "prelude.h"

struct planned {
    size_t bytes; /* of temporary storage that the library needs */
};

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

struct combine_values {
    __host__ __device__ value_t operator()(value_t a, value_t b) const
    {
        return combine(a, b);
    }
};

#ifdef HAS_DETERMINISM
enum { DETERMINISM }; /* index into r->option[] */
enum { RUN_TO_RUN, NOT_GUARANTEED, GPU_TO_GPU };
static const struct variant_option options[] = {
    {"determinism", "run_to_run|not_guaranteed|gpu_to_gpu", RUN_TO_RUN, 0, 0,
     "when CUB gives the same bits for a sum (other operations always do)"},
    VARIANT_OPTIONS_END,
};
#endif

#if defined(HAS_DETERMINISM) && OPERATION == OP_SUM
template <class D>
static hipError_t sum_as(D determinism, void *temporary, size_t *bytes, const value_t *input,
                         value_t *result, size_t n, hipStream_t stream)
{
    cuda::std::execution::prop memory{cuda::mr::get_memory_resource_t{},
                                      given_memory{temporary, bytes}};
    cuda::std::execution::env environment{cuda::stream_ref{stream}, memory,
                                          cuda::execution::require(determinism)};
    hipError_t error = cub::DeviceReduce::Sum(input, result, n, environment);

    return temporary == NULL && error == hipErrorOutOfMemory ? hipSuccess : error;
}
#endif

/* With temporary == NULL: sets *bytes to what the library needs. Else: reduces. */
static hipError_t library_reduce(const struct reduction *r, void *temporary, size_t *bytes,
                                 const value_t *input, value_t *result, hipStream_t stream)
{
    size_t n = r->n;

#if defined(HAS_DETERMINISM) && OPERATION == OP_SUM
    if (r->option[DETERMINISM] == NOT_GUARANTEED)
        return sum_as(cuda::execution::determinism::not_guaranteed, temporary, bytes, input, result,
                      n, stream);
#if IS_FLOATING(VALUE_TYPE)
    if (r->option[DETERMINISM] == GPU_TO_GPU)
        return sum_as(cuda::execution::determinism::gpu_to_gpu, temporary, bytes, input, result, n,
                      stream);
#endif
#endif
#if defined(__HIP_PLATFORM_AMD__)
    return rocprim::reduce(temporary, *bytes, input, result, IDENTITY, n, combine_values(), stream);
#elif CUB_VERSION >= 200200
#if OPERATION == OP_SUM /* by its own name, in case it is tuned for plus */
    return cub::DeviceReduce::Sum(temporary, *bytes, input, result, n, stream);
#else
    return cub::DeviceReduce::Reduce(temporary, *bytes, input, result, n, combine_values(),
                                     IDENTITY, stream);
#endif
#else /* the public function counts in int: take the one below it */
    return cub::DispatchReduce<const value_t *, value_t *, size_t, combine_values>::Dispatch(
        temporary, *bytes, input, result, n, combine_values(), IDENTITY, stream
#if CUB_VERSION < 200000
        ,
        false /* debug_synchronous */
#endif
    );
#endif
}

static void plan(struct reduction *r)
{
    struct planned *p = (struct planned *)r->planned;

    HIP_CHECK(library_reduce(r, NULL, &p->bytes, NULL, NULL, 0));
    /* The result comes first, and the library's storage 256 bytes after it. */
    r->workspace_bytes = 256 + p->bytes;
    r->host_bytes = sizeof(value_t);
    /* The library's order of additions is not known. Assume one block of 128 threads per compute unit
     * and 1024 more additions: no library uses fewer threads for a large array. */
    r->chain = ceil_div(r->n, (size_t)r->compute_units * 128) + 1024;
#ifdef HAS_DETERMINISM
    if (r->option[DETERMINISM] == NOT_GUARANTEED) /* one atomic of each block: five grids of them */
        r->chain += min_size(ceil_div(r->n, 128), 5 * (size_t)r->compute_units * 32);
#endif
    r->block = 0;
    r->grid = 0;
    r->launches = 0; /* the library does not report it */
}

static void launch(const struct reduction *r, const value_t *input)
{
    const struct planned *p = (const struct planned *)r->planned;
    size_t bytes = p->bytes; /* the library may write to it */

    HIP_CHECK(library_reduce(r, (char *)r->workspace + 256, &bytes, input, workspace_values(r),
                             r->stream));
}

#ifdef HAS_DETERMINISM
/* gpu_to_gpu keeps three bins of 13 bits (doubles: 40). The largest element may use one bit of the first, so the two
 * below it are sure; what is smaller is lost. */
static void prepare(const struct reduction *r, const struct input_view *in,
                    struct reference *expected)
{
    if (r->option[DETERMINISM] != GPU_TO_GPU || OPERATION != OP_SUM || in == NULL || r->n == 0 ||
        expected->exact) /* such sums need fewer bits */
        return;
    double largest = fmax(fabs(scalar_to_double(reference_of_input(in, OP_MIN, 0, in->n).value)),
                          fabs(scalar_to_double(reference_of_input(in, OP_MAX, 0, in->n).value)));
    int bits = VALUE_TYPE == TYPE_DOUBLE ? 80 : 26;
    double lost = ldexp(largest, -bits - expected->exponent) * (double)r->n;
    expected->lost = isfinite(lost) ? lost : 0; /* inf and NaN are right or wrong */
}
#endif

#else /* CPU: device memory is host memory */

#ifdef _OPENMP
#pragma omp declare reduction(combine_values:value_t                                               \
                              : omp_out = combine(omp_out, omp_in))                                \
    initializer(omp_priv = IDENTITY)
#endif

#define CHUNK 4096 /* elements that are summed before their sum is added: both chains stay short */
#define LANES 16

static void plan(struct reduction *r)
{
    r->workspace_bytes = sizeof(value_t);
    r->host_bytes = sizeof(value_t);
    r->chain = ceil_div(min_size(r->n, CHUNK), LANES) + LANES + ceil_div(r->n, CHUNK);
    r->block = 0;
    r->grid = 0;
    r->launches = 0;
}

static void launch(const struct reduction *r, const value_t *input)
{
    value_t result = IDENTITY;
    size_t n = r->n;

#ifdef _OPENMP
#pragma omp parallel for reduction(combine_values : result)
#endif
    for (size_t first = 0; first < n; first += CHUNK) {
        size_t end = n - first < CHUNK ? n : first + CHUNK;
        value_t lanes[LANES]; /* independent additions, which the compiler puts into vectors */
        for (unsigned k = 0; k < LANES; k++)
            lanes[k] = IDENTITY;
        size_t i = first;
        for (; i + LANES <= end; i += LANES)
            for (unsigned k = 0; k < LANES; k++)
                lanes[k] = combine(lanes[k], input[i + k]);
        for (unsigned k = 0; k < LANES && i + k < end; k++)
            lanes[k] = combine(lanes[k], input[i + k]);
        for (unsigned k = 1; k < LANES; k++)
            lanes[0] = combine(lanes[0], lanes[k]);
        result = combine(result, lanes[0]);
    }
    *workspace_values(r) = result;
}

#endif

/* Where launch() leaves the result. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r);
}

static value_t finish(const struct reduction *r)
{
    value_t *result = host_values(r);

    HIP_CHECK(hipMemcpyAsync(result, device_result(r), sizeof(value_t), hipMemcpyDeviceToHost,
                             r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *result;
}

VARIANT = {
#ifdef HAS_DETERMINISM
    .options = options,
#endif
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
#ifdef HAS_DETERMINISM
    .prepare = prepare,
#endif
    .planned_bytes = sizeof(struct planned),
};
