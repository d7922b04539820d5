/* --method library: the vendor's segmented reduction, to compare with. Part of segmented.hip, inside its
 * namespace, and therefore without an include guard.
 * SPDX-License-Identifier: MIT */

#if defined(WITHOUT_LIBRARY) /* not called */

static size_t library_plan(struct segments)
{
    return 0;
}

static void launch_library(const struct reduction *, const element_t *, struct segments, value_t *)
{
}

#else
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)

struct combine_values {
    __host__ __device__ value_t operator()(value_t a, value_t b) const
    {
        return combine(a, b);
    }
};

/* With temporary == NULL: sets *bytes to what the library needs. Else: reduces. */
static hipError_t library_reduce(void *temporary, size_t *bytes, const value_t *input,
                                 struct segments s, value_t *results, hipStream_t stream)
{
    struct segment_iterator begins = {s.offsets, s.length, s.n, 0};
#if defined(__HIP_PLATFORM_AMD__)
    return rocprim::segmented_reduce(temporary, *bytes, input, results, (unsigned)s.count, begins,
                                     begins + 1, combine_values(), IDENTITY, stream);
#elif OPERATION == OP_SUM /* by its own name, in case it is tuned for plus */
    return cub::DeviceSegmentedReduce::Sum(temporary, *bytes, input, results, (int)s.count, begins,
                                           begins + 1, stream);
#else
    return cub::DeviceSegmentedReduce::Reduce(temporary, *bytes, input, results, (int)s.count,
                                              begins, begins + 1, combine_values(), IDENTITY,
                                              stream);
#endif
}

#else /* CPU: device memory is host memory */

static hipError_t library_reduce(void *temporary, size_t *bytes, const value_t *input,
                                 struct segments s, value_t *results, hipStream_t stream)
{
    (void)stream;
    if (temporary == NULL) {
        *bytes = 1;
        return hipSuccess;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(guided)
#endif
    for (size_t k = 0; k < s.count; k++) {
        value_t value = IDENTITY;
        for (size_t i = segment_begin(s, k); i < segment_begin(s, k + 1); i++)
            value = combine(value, input[i]);
        results[k] = value;
    }
    return hipSuccess;
}

#endif

/* The bytes of temporary memory that the library wants. */
static size_t library_plan(struct segments s)
{
    size_t bytes = 0;

    if (s.count > INT32_MAX) {
        fprintf(stderr, "--method library: the libraries count segments in 32 bits; give a larger "
                        "--segment\n");
        exit(EXIT_USAGE);
    }
    HIP_CHECK(library_reduce(NULL, &bytes, NULL, s, NULL, 0));
    return bytes;
}

static void launch_library(const struct reduction *r, const value_t *input, struct segments s,
                           value_t *results)
{
    const struct planned *p = (const struct planned *)r->planned;
    size_t bytes = p->library_bytes;

    HIP_CHECK(
        library_reduce((char *)r->workspace + p->library, &bytes, input, s, results, r->stream));
}

#endif
