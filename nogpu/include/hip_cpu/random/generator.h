/* Generators that the host calls: curand.h, hiprand.h and rocrand.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_RANDOM_GENERATOR_H
#define HIP_CPU_RANDOM_GENERATOR_H
#define CURAND_H_ /* by which others know that curand.h is there */

#include "hip_cpu/random/kernel.h"

#include <memory>
#include <type_traits>
#include <vector>

enum curandStatus {
    CURAND_STATUS_SUCCESS,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED,
    CURAND_STATUS_ALLOCATION_FAILED,
    CURAND_STATUS_TYPE_ERROR,
    CURAND_STATUS_OUT_OF_RANGE,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE,
    CURAND_STATUS_INITIALIZATION_FAILED,
    CURAND_STATUS_ARCH_MISMATCH,
    CURAND_STATUS_INTERNAL_ERROR = 999
};
enum curandRngType {
    CURAND_RNG_TEST,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32,
    CURAND_RNG_QUASI_SOBOL64,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64
};
enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT,
    CURAND_ORDERING_PSEUDO_SEEDED,
    CURAND_ORDERING_PSEUDO_LEGACY,
    CURAND_ORDERING_PSEUDO_DYNAMIC,
    CURAND_ORDERING_QUASI_DEFAULT = 201
};
enum curandDirectionVectorSet { CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103 };
typedef enum curandStatus curandStatus_t;
typedef enum curandRngType curandRngType_t;
typedef enum curandOrdering curandOrdering_t;
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

struct hip_cpu_generator {
    curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
    bool on_host = false;
    unsigned long long seed = 0, offset = 0;
    unsigned dimensions = 1;
    hipStream_t stream = 0;
    unsigned long long drawn = 0; /* since the states began */
    std::vector<hip_cpu_random::xorwow> xorwow;
    std::vector<hip_cpu_random::philox> philox;
    std::vector<hip_cpu_random::mrg> mrg;
};
typedef struct hip_cpu_generator *curandGenerator_t;

namespace hip_cpu_random
{
/* Sequences side by side, some numbers of each in turn: cuRAND documents these orders. */
template <typename S> struct interleaved {
    static constexpr unsigned sequences = std::is_same<S, mrg>::value ? 81920 : 4096;
    static constexpr unsigned together(bool in_pairs) { return in_pairs ? 2 : 1; }
};
template <> struct interleaved<philox> {
    static constexpr unsigned sequences = 65536;
    static constexpr unsigned together(bool) { return 4; }
};
/* A host's doubles of Philox have all their bits. */
template <typename S> static inline double full_double(S *s) { return uniform_double(s); }
static inline double full_double(philox *s)
{
    unsigned low = next(s);
    return uniform_double_of(low, next(s));
}

template <typename S> static inline void begin_states(std::vector<S> *states, const hip_cpu_generator *g)
{
    S one;

    seed(&one, g->seed);
    states->resize(interleaved<S>::sequences);
    for (S &s : *states) {
        s = one;
        skip(&s, g->offset / interleaved<S>::sequences, 0);
        skip(&one, 1, 1);
    }
}

template <typename S, typename T, typename F>
static inline void draw(hip_cpu_generator *g, std::vector<S> *states, T *to, size_t n, bool in_pairs, F one)
{
    const unsigned together = interleaved<S>::together(in_pairs);

    if (states->empty())
        begin_states(states, g);
    for (size_t i = 0; i < n; i++)
        to[i] = one(&(*states)[(size_t)((g->drawn + i / together) % interleaved<S>::sequences)]);
    g->drawn += (n + together - 1) / together;
}

template <typename S, typename T, typename F>
static inline void draw_sobol(hip_cpu_generator *g, T *to, size_t n, F one)
{
    unsigned long long directions[64];

    for (unsigned d = 0; d < g->dimensions; d++) {
        S s;
        hip_cpu_sobol_directions(d, sizeof s.x * 8, directions);
        begin(directions, (decltype(s.x))0, g->offset + g->drawn, &s);
        for (size_t i = 0; i < n / g->dimensions; i++)
            *to++ = one(&s);
    }
    g->drawn += n / g->dimensions;
}

/* one(state) is the next number; some are made in pairs. */
template <typename T, typename F>
static inline curandStatus_t generate(hip_cpu_generator *g, T *to, size_t n, bool in_pairs, F one)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!to && n > 0)
        return CURAND_STATUS_LAUNCH_FAILURE;
    if (g->type >= CURAND_RNG_QUASI_DEFAULT && n % g->dimensions != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    std::unique_ptr<T, decltype(&free)> numbers((T *)calloc(n, sizeof(T)), &free);
    if (!numbers && n > 0)
        return CURAND_STATUS_ALLOCATION_FAILED;
    switch (g->type) {
    case CURAND_RNG_PSEUDO_MRG32K3A:
        draw(g, &g->mrg, numbers.get(), n, in_pairs, one);
        break;
    case CURAND_RNG_QUASI_SOBOL64:
        draw_sobol<sobol64>(g, numbers.get(), n, one);
        break;
    case CURAND_RNG_QUASI_SOBOL32:
        draw_sobol<sobol32>(g, numbers.get(), n, one);
        break;
    case CURAND_RNG_PSEUDO_XORWOW:
        draw(g, &g->xorwow, numbers.get(), n, in_pairs, one);
        break;
    default:
        draw(g, &g->philox, numbers.get(), n, in_pairs, one);
    }
    if (g->on_host) {
        memcpy(to, numbers.get(), n * sizeof *to);
        return CURAND_STATUS_SUCCESS;
    }
    hipError_t error = hipMemcpyAsync(to, numbers.get(), n * sizeof *to, hipMemcpyHostToDevice, g->stream);
    if (error == hipSuccess)
        error = hipStreamSynchronize(g->stream);
    return error == hipSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

static inline curandStatus_t create(curandGenerator_t *generator, int type, bool on_host)
{
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    switch (type) {
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
        fprintf(stderr, "nogpu: a generator of type MTGP32 or MT19937 gives the numbers of Philox "
                        "here, not its own\n");
        break;
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
        break;
    default:
        fprintf(stderr,
                "nogpu: there is no generator of type %d: use XORWOW, MRG32K3A, PHILOX4_32_10, "
                "SOBOL32 or SOBOL64\n",
                type);
        return CURAND_STATUS_TYPE_ERROR;
    }
    hip_cpu_generator *g = new (std::nothrow) hip_cpu_generator();
    if (!g)
        return CURAND_STATUS_ALLOCATION_FAILED;
    g->type = (curandRngType_t)type;
    g->on_host = on_host;
    *generator = g;
    return CURAND_STATUS_SUCCESS;
}

static inline curandStatus_t begin_again(curandGenerator_t g)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->drawn = g->type < CURAND_RNG_QUASI_DEFAULT ? g->offset : 0;
    g->xorwow.clear();
    g->philox.clear();
    g->mrg.clear();
    return CURAND_STATUS_SUCCESS;
}

template <typename V, typename T> static inline curandStatus_t directions(T **vectors)
{
    static T *known;
    unsigned long long one[64];
    constexpr unsigned bits = 8 * sizeof(V);

    if (!known) {
        if (!(known = (T *)calloc(HIP_CPU_SOBOL_DIMENSIONS, sizeof(T))))
            return CURAND_STATUS_ALLOCATION_FAILED;
        for (unsigned d = 0; d < HIP_CPU_SOBOL_DIMENSIONS; d++) {
            hip_cpu_sobol_directions(d, bits, one);
            for (unsigned i = 0; i < bits; i++)
                known[d][i] = (V)one[i];
        }
    }
    *vectors = known;
    return CURAND_STATUS_SUCCESS;
}
} // namespace hip_cpu_random

#define HIP_CPU_RANDOM_GENERATE(name, type, in_pairs, parameters, what)                                                \
    static inline curandStatus_t name(curandGenerator_t g, type *to, size_t n HIP_CPU_REST parameters)                 \
    {                                                                                                                  \
        return hip_cpu_random::generate(g, to, n, in_pairs, [=](auto *s) -> type { return what; });                    \
    }
#define HIP_CPU_REST(...) __VA_OPT__(, ) __VA_ARGS__
HIP_CPU_RANDOM_GENERATE(curandGenerate, unsigned, false, (), (unsigned)hip_cpu_random::next(s))
HIP_CPU_RANDOM_GENERATE(curandGenerateLongLong, unsigned long long, false, (), hip_cpu_random::next(s))
HIP_CPU_RANDOM_GENERATE(curandGenerateUniform, float, false, (), hip_cpu_random::uniform(s))
HIP_CPU_RANDOM_GENERATE(curandGenerateUniformDouble, double, false, (), hip_cpu_random::full_double(s))
HIP_CPU_RANDOM_GENERATE(curandGenerateNormal, float, true, (float mean, float deviation),
                        mean + deviation * hip_cpu_random::normal(s))
HIP_CPU_RANDOM_GENERATE(curandGenerateNormalDouble, double, true, (double mean, double deviation),
                        mean + deviation * hip_cpu_random::normal_double(s))
HIP_CPU_RANDOM_GENERATE(curandGenerateLogNormal, float, true, (float mean, float deviation),
                        expf(mean + deviation * hip_cpu_random::normal(s)))
HIP_CPU_RANDOM_GENERATE(curandGenerateLogNormalDouble, double, true, (double mean, double deviation),
                        exp(mean + deviation * hip_cpu_random::normal_double(s)))
HIP_CPU_RANDOM_GENERATE(curandGeneratePoisson, unsigned, false, (double mean), hip_cpu_random::poisson(s, mean))
#undef HIP_CPU_RANDOM_GENERATE
#undef HIP_CPU_REST

static inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return hip_cpu_random::create(generator, type, false);
}
static inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return hip_cpu_random::create(generator, type, true);
}
static inline curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    delete g;
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
static inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    if (g && g->type >= CURAND_RNG_QUASI_DEFAULT)
        return CURAND_STATUS_TYPE_ERROR;
    if (g)
        g->seed = seed;
    return hip_cpu_random::begin_again(g);
}
static inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    if (g)
        g->offset = offset;
    return hip_cpu_random::begin_again(g);
}
static inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t)
{
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
static inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions)
{
    if (g && g->type < CURAND_RNG_QUASI_DEFAULT)
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions > HIP_CPU_SOBOL_DIMENSIONS)
        fprintf(stderr, "nogpu: Sobol's sequence has at most %d dimensions here\n", HIP_CPU_SOBOL_DIMENSIONS);
    if (dimensions == 0 || dimensions > HIP_CPU_SOBOL_DIMENSIONS)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (g)
        g->dimensions = dimensions;
    return hip_cpu_random::begin_again(g);
}
static inline curandStatus_t curandSetStream(curandGenerator_t g, hipStream_t stream)
{
    if (g)
        g->stream = stream;
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
static inline curandStatus_t curandGenerateSeeds(curandGenerator_t g)
{
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
static inline curandStatus_t curandGetVersion(int *version)
{
    *version = 10300;
    return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors,
                                                         curandDirectionVectorSet_t set)
{
    return set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 ? hip_cpu_random::directions<unsigned>(vectors)
                                                      : CURAND_STATUS_OUT_OF_RANGE;
}
static inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors,
                                                         curandDirectionVectorSet_t set)
{
    return set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 ? hip_cpu_random::directions<unsigned long long>(vectors)
                                                      : CURAND_STATUS_OUT_OF_RANGE;
}

#endif
