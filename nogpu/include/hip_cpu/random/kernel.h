/* Random numbers in kernels: curand_kernel.h, hiprand_kernel.h and rocrand_kernel.h. The generators are those that the
 * vendors document, and give cuRAND's bits: XORWOW (Marsaglia 2003), Philox4x32-10 (Salmon et al. 2011), MRG32k3a (L'Ecuyer
 * 1999) and Sobol's sequence with directions of Joe and Kuo (2008). Normal numbers may differ from a GPU's in the last digits.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_RANDOM_KERNEL_H
#define HIP_CPU_RANDOM_KERNEL_H

#ifndef __cplusplus
#error "random numbers are for C++ here: compile this file as C++"
#endif

#include "hip_cpu/kernel/kernels.h"
#include "hip_cpu/random/skip.h"

namespace hip_cpu_random
{
/* Box and Muller's method makes two numbers: the second one waits here. */
struct pair_left {
    int normals, doubles;
    float normal;
    double normal_double;
};

struct xorwow : pair_left {
    unsigned v[5], d;
};
struct philox : pair_left {
    unsigned counter[4], key[2], output[4], at;
};
struct mrg : pair_left {
    unsigned s[2][3];
};
template <typename T> struct sobol {
    T i, x, c, direction[8 * sizeof(T)];
};
typedef sobol<unsigned> sobol32;
typedef sobol<unsigned long long> sobol64;

/* ---- the next bits ---- */

static inline unsigned next(xorwow *s)
{
    hip_cpu_xorwow_step(s->v);
    s->d += 362437;
    return s->v[4] + s->d;
}

static inline void philox_rounds(philox *s)
{
    unsigned c[4] = {s->counter[0], s->counter[1], s->counter[2], s->counter[3]};
    unsigned k0 = s->key[0], k1 = s->key[1];

    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
        unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
        c[0] = (unsigned)(b >> 32) ^ c[1] ^ k0;
        c[1] = (unsigned)b;
        c[2] = (unsigned)(a >> 32) ^ c[3] ^ k1;
        c[3] = (unsigned)a;
    }
    for (int i = 0; i < 4; i++)
        s->output[i] = c[i];
}
/* The counter has 128 bits: n is added at word `from`. */
static inline void philox_add(philox *s, int from, unsigned long long n)
{
    for (int i = from; i < 4; i++, n >>= 32) {
        n += s->counter[i];
        s->counter[i] = (unsigned)n;
    }
    philox_rounds(s);
}
static inline unsigned next(philox *s)
{
    unsigned bits = s->output[s->at++];

    if (s->at == 4) {
        s->at = 0;
        philox_add(s, 0, 1);
    }
    return bits;
}

/* From 1 to 4294967087. */
static inline unsigned long long next_of(mrg *s)
{
    const unsigned long long m1 = HIP_CPU_MRG_M1, m2 = HIP_CPU_MRG_M2;
    unsigned long long a = ((unsigned long long)HIP_CPU_MRG_A1 * s->s[0][1] + (m1 - HIP_CPU_MRG_B1) * s->s[0][0]) % m1;
    unsigned long long b = ((unsigned long long)HIP_CPU_MRG_A2 * s->s[1][2] + (m2 - HIP_CPU_MRG_B2) * s->s[1][0]) % m2;

    for (int i = 0; i < 2; i++) {
        s->s[0][i] = s->s[0][i + 1];
        s->s[1][i] = s->s[1][i + 1];
    }
    s->s[0][2] = (unsigned)a;
    s->s[1][2] = (unsigned)b;
    return a > b ? a - b : a + m1 - b;
}
static inline unsigned next(mrg *s) { return (unsigned)((double)next_of(s) * 1.000000048662); }

template <typename T> static inline T next(sobol<T> *s)
{
    T bits = s->x;
    int zeros = __builtin_ctzll(~(unsigned long long)s->i | 1ull << (8 * sizeof(T) - 1));

    s->x ^= s->direction[zeros];
    s->i++;
    return bits;
}

/* ---- where a sequence begins ---- */

static inline void skip(xorwow *s, unsigned long long n, int sequences)
{
    unsigned v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};

    hip_cpu_xorwow_skip(v, n, sequences);
    for (int i = 0; i < 5; i++)
        s->v[i] = v[i];
    if (!sequences)
        s->d += 362437u * (unsigned)n;
}
static inline void skip(philox *s, unsigned long long n, int sequences)
{
    if (!sequences) {
        s->at += (unsigned)(n & 3);
        n = (n >> 2) + s->at / 4;
        s->at %= 4;
    }
    philox_add(s, sequences ? 2 : 0, n);
}
static inline void skip(mrg *s, unsigned long long n, int sequences)
{
    unsigned v[2][3];

    __builtin_memcpy(v, s->s, sizeof v);
    hip_cpu_mrg_skip(v, n, sequences ? 76 : 0);
    __builtin_memcpy(s->s, v, sizeof v);
}
template <typename T> static inline void skip(sobol<T> *s, unsigned long long n, int)
{
    s->i += (T)n;
    T gray = s->i ^ (s->i >> 1);
    s->x = s->c;
    for (unsigned bit = 0; bit < 8 * sizeof(T); bit++)
        s->x ^= gray >> bit & 1 ? s->direction[bit] : 0;
}

static inline void seed(xorwow *s, unsigned long long seed)
{
    unsigned t0 = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    unsigned t1 = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);

    *s = {{}, {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0}, 6615241u + t0 + t1};
}
static inline void seed(philox *s, unsigned long long seed)
{
    *s = {{}, {}, {(unsigned)seed, (unsigned)(seed >> 32)}, {}, 0};
}
static inline void seed(mrg *s, unsigned long long seed)
{
    const unsigned long long x[] = {(unsigned)seed ^ 0x55555555u, (unsigned)(seed >> 32) ^ 0xAAAAAAAAu};

    *s = {};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            s->s[i][k] = seed ? (unsigned)(x[(i + k) % 2] * 12345 % (i ? HIP_CPU_MRG_M2 : HIP_CPU_MRG_M1)) : 12345;
}
template <typename S>
static inline void begin(unsigned long long from, unsigned long long sequence, unsigned long long offset, S *s)
{
    S own;
    seed(&own, from);
    skip(&own, sequence, 1);
    skip(&own, offset, 0);
    *s = own;
}
template <typename T, typename D>
static inline void begin(D *directions, T scramble, unsigned long long offset, sobol<T> *s)
{
    s->i = 0;
    s->c = scramble;
    for (unsigned k = 0; k < 8 * sizeof(T); k++)
        s->direction[k] = directions[k];
    skip(s, offset, 0);
}

/* ---- distributions ---- */

static inline float uniform_of(unsigned bits) { return (float)bits * 0x1p-32f + 0x1p-33f; }
static inline float uniform_of(unsigned long long bits) { return uniform_of((unsigned)(bits >> 32)); }
static inline double uniform_double_of(unsigned low, unsigned high)
{
    return (double)(low ^ (unsigned long long)high << 21) * 0x1p-53 + 0x1p-54;
}
template <typename S> static inline float uniform(S *s) { return uniform_of(next(s)); }
static inline float uniform(mrg *s) { return (float)((double)next_of(s) * 2.3283065498378288e-10); }
static inline double uniform_double(xorwow *s)
{
    unsigned low = next(s);
    return uniform_double_of(low, next(s));
}
static inline double uniform_double(mrg *s) { return (double)next_of(s) * 2.3283065498378288e-10; }
template <typename S> static inline double uniform_double(S *s) { return (double)next(s) * 0x1p-32 + 0x1p-32; }
static inline double uniform_double(sobol64 *s) { return (double)(next(s) >> 11) * 0x1p-53 + 0x1p-54; }
template <typename S> static inline float2 uniform2(S *s)
{
    float x = uniform(s);
    return make_float2(x, uniform(s));
}
template <typename S> static inline double2 uniform2_double(S *s)
{
    unsigned b[4];
    for (int i = 0; i < 4; i++)
        b[i] = (unsigned)next(s);
    return make_double2(uniform_double_of(b[0], b[1]), uniform_double_of(b[2], b[3]));
}

template <typename S> static inline float2 normal2(S *s)
{
    float u = uniform(s), v = uniform(s) * 6.2831855f, r = sqrtf(-2 * logf(u));
    return make_float2(r * sinf(v), r * cosf(v));
}
static inline double2 normal2_of(double u, double v)
{
    double r = sqrt(-2 * log(u)), sine, cosine;
    sincospi(2 * v, &sine, &cosine);
    return make_double2(r * sine, r * cosine);
}
template <typename S> static inline double2 normal2_double(S *s)
{
    double2 x = uniform2_double(s);
    return normal2_of(x.x, x.y);
}
static inline double2 normal2_double(mrg *s)
{
    double u = uniform_double(s);
    return normal2_of(u, uniform_double(s));
}
/* The first number of the next pair, or the second one, if it waits. */
template <typename T, typename P> static inline T one_of(P next_pair, int *waits, T *second)
{
    *waits = !*waits;
    if (!*waits)
        return *second;
    auto both = next_pair();
    *second = both.y;
    return both.x;
}
template <typename S> static inline float normal(S *s)
{
    return one_of([s] { return normal2(s); }, &s->normals, &s->normal);
}
template <typename S> static inline double normal_double(S *s)
{
    return one_of([s] { return normal2_double(s); }, &s->doubles, &s->normal_double);
}
/* By the inverse of the distribution: a sequence that fills space evenly must not be paired. */
template <typename T> static inline float normal(sobol<T> *s) { return normcdfinvf(uniform(s)); }
static inline double normal_double(sobol32 *s) { return normcdfinv((double)next(s) * 0x1p-32 + 0x1p-33); }
static inline double normal_double(sobol64 *s) { return normcdfinv(uniform_double(s)); }

/* Knuth's product of uniform numbers; many events: the nearest normal distribution. */
template <typename S> static inline unsigned poisson(S *s, double mean)
{
    if (mean >= 64) {
        double x = floor(mean + sqrt(mean) * (double)normal(s) + 0.5);
        return x > 0 ? (unsigned)x : 0;
    }
    unsigned events = 0;
    for (double p = uniform(s); p > exp(-mean); p *= (double)uniform(s))
        events++;
    return events;
}
} // namespace hip_cpu_random

/* The names of a library. Those of two and four numbers are for generators of pseudo-random numbers. */
#define HIP_CPU_RANDOM_LOG(name, type, from, ...)                                                                      \
    template <typename S> static inline type name(S *state, __VA_ARGS__ mean, __VA_ARGS__ deviation)                   \
    {                                                                                                                  \
        return exp(mean + deviation * hip_cpu_random::from(state));                                                    \
    }
#define HIP_CPU_RANDOM_FOUR(name, type, from)                                                                          \
    template <typename S> static inline type name(S *state)                                                            \
    {                                                                                                                  \
        auto low = hip_cpu_random::from(state), high = hip_cpu_random::from(state);                                    \
        return {low.x, low.y, high.x, high.y};                                                                         \
    }
#define HIP_CPU_RANDOM_ONE(name, from)                                                                                 \
    template <typename S> static inline auto name(S *state) { return hip_cpu_random::from(state); }
#define HIP_CPU_RANDOM_STATE(name, type)                                                                               \
    typedef hip_cpu_random::type name;                                                                                 \
    typedef hip_cpu_random::type name##_t;
#define HIP_CPU_RANDOM_KERNEL(type, function, init)                                                                    \
    HIP_CPU_RANDOM_STATE(type##State, xorwow)                                                                          \
    HIP_CPU_RANDOM_STATE(type##StateXORWOW, xorwow)                                                                    \
    HIP_CPU_RANDOM_STATE(type##StatePhilox4_32_10, philox)                                                             \
    HIP_CPU_RANDOM_STATE(type##StateMRG32k3a, mrg)                                                                     \
    HIP_CPU_RANDOM_STATE(type##StateSobol32, sobol32)                                                                  \
    HIP_CPU_RANDOM_STATE(type##StateSobol64, sobol64)                                                                  \
    template <typename S>                                                                                              \
    static inline void init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, S *state) \
    {                                                                                                                  \
        hip_cpu_random::begin(seed, sequence, offset, state);                                                          \
    }                                                                                                                  \
    static inline void init(const unsigned *directions, unsigned offset, hip_cpu_random::sobol32 *state)               \
    {                                                                                                                  \
        hip_cpu_random::begin(directions, 0u, offset, state);                                                          \
    }                                                                                                                  \
    static inline void init(const unsigned long long *directions, unsigned long long offset,                           \
                            hip_cpu_random::sobol64 *state)                                                            \
    {                                                                                                                  \
        hip_cpu_random::begin(directions, 0ull, offset, state);                                                        \
    }                                                                                                                  \
    HIP_CPU_RANDOM_ONE(function, next)                                                                                 \
    template <typename S> static inline uint4 function##4(S * state)                                                   \
    {                                                                                                                  \
        unsigned x = hip_cpu_random::next(state), y = hip_cpu_random::next(state);                                     \
        unsigned z = hip_cpu_random::next(state);                                                                      \
        return {x, y, z, hip_cpu_random::next(state)};                                                                 \
    }                                                                                                                  \
    HIP_CPU_RANDOM_ONE(function##_uniform, uniform)                                                                    \
    HIP_CPU_RANDOM_ONE(function##_uniform2, uniform2)                                                                  \
    HIP_CPU_RANDOM_ONE(function##_uniform_double, uniform_double)                                                      \
    HIP_CPU_RANDOM_ONE(function##_uniform2_double, uniform2_double)                                                    \
    HIP_CPU_RANDOM_ONE(function##_normal, normal)                                                                      \
    HIP_CPU_RANDOM_ONE(function##_normal2, normal2)                                                                    \
    HIP_CPU_RANDOM_ONE(function##_normal_double, normal_double)                                                        \
    HIP_CPU_RANDOM_ONE(function##_normal2_double, normal2_double)                                                      \
    HIP_CPU_RANDOM_FOUR(function##_uniform4, float4, uniform2)                                                         \
    HIP_CPU_RANDOM_FOUR(function##_uniform4_double, double4, uniform2_double)                                          \
    HIP_CPU_RANDOM_FOUR(function##_normal4, float4, normal2)                                                           \
    HIP_CPU_RANDOM_FOUR(function##_normal4_double, double4, normal2_double)                                            \
    HIP_CPU_RANDOM_LOG(function##_log_normal, float, normal, float)                                                    \
    HIP_CPU_RANDOM_LOG(function##_log_normal_double, double, normal_double, double)                                    \
    template <typename S> static inline unsigned function##_poisson(S *state, double mean)                             \
    {                                                                                                                  \
        return hip_cpu_random::poisson(state, mean);                                                                   \
    }
HIP_CPU_RANDOM_KERNEL(curand, curand, curand_init)
HIP_CPU_RANDOM_KERNEL(hiprand, hiprand, hiprand_init)

template <typename S> static inline void skipahead(unsigned long long n, S *state)
{
    hip_cpu_random::skip(state, n, 0);
}
template <typename S> static inline void skipahead_sequence(unsigned long long n, S *state)
{
    hip_cpu_random::skip(state, n, 1);
}
static inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *state)
{
    hip_cpu_random::skip(state, n, 1);
}
static inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *state)
{
    hip_cpu_mrg_skip(state->s, n, 127);
}

#endif
