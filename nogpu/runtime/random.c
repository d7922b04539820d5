/* Far ahead in a sequence of random numbers. A step of these generators is a product with a matrix, so n steps are a product
 * with its n-th power.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>

#include "hip_cpu/random/skip.h"

#define WORDS    5
#define BITS     (32 * WORDS)
#define SEQUENCE 67 /* 2^67 steps */
#define POWERS   (SEQUENCE + 64)

/* XORWOW, without its counter: row[i] is what bit i becomes. */
struct matrix {
    unsigned row[BITS][WORDS];
};
static struct matrix power[POWERS]; /* 2^i steps */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void multiply(unsigned v[WORDS], const struct matrix *m)
{
    unsigned sum[WORDS] = {0};

    for (unsigned i = 0; i < BITS; i++)
        if (v[i / 32] >> i % 32 & 1)
            for (unsigned k = 0; k < WORDS; k++)
                sum[k] ^= m->row[i][k];
    memcpy(v, sum, sizeof sum);
}

static void find_powers(void)
{
    for (unsigned i = 0; i < BITS; i++) {
        power[0].row[i][i / 32] = 1u << i % 32;
        hip_cpu_xorwow_step(power[0].row[i]);
    }
    for (unsigned p = 1; p < POWERS; p++) {
        power[p] = power[p - 1];
        for (unsigned i = 0; i < BITS; i++)
            multiply(power[p].row[i], &power[p - 1]);
    }
}

void hip_cpu_xorwow_skip(unsigned v[WORDS], unsigned long long n, int sequences)
{
    if (n)
        pthread_once(&once, find_powers);
    for (unsigned i = 0; i < 64; i++)
        if (n >> i & 1)
            multiply(v, &power[i + (sequences ? SEQUENCE : 0)]);
}

/* ---- MRG32k3a ---- */

static unsigned long long product(const unsigned long long row[3], unsigned long long x, unsigned long long y,
                                  unsigned long long z, unsigned long long modulus)
{
    return (row[0] * x % modulus + row[1] * y % modulus + row[2] * z % modulus) % modulus;
}

static void square(unsigned long long m[3][3], unsigned long long modulus)
{
    unsigned long long both[3][3];

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            both[i][k] = product(m[i], m[0][k], m[1][k], m[2][k], modulus);
    memcpy(m, both, sizeof both);
}

void hip_cpu_mrg_skip(unsigned s[2][3], unsigned long long n, unsigned power_of_two)
{
    unsigned long long m[2][3][3] = {
        {{0, 1, 0}, {0, 0, 1}, {HIP_CPU_MRG_M1 - HIP_CPU_MRG_B1, HIP_CPU_MRG_A1, 0}},
        {{0, 1, 0}, {0, 0, 1}, {HIP_CPU_MRG_M2 - HIP_CPU_MRG_B2, 0, HIP_CPU_MRG_A2}},
    };

    for (int j = 0; j < 2; j++) {
        const unsigned long long modulus = j ? HIP_CPU_MRG_M2 : HIP_CPU_MRG_M1;
        for (unsigned i = 0; i < power_of_two; i++)
            square(m[j], modulus);
        for (unsigned long long left = n; left; left >>= 1, square(m[j], modulus)) {
            unsigned next[3];
            if (!(left & 1))
                continue;
            for (int i = 0; i < 3; i++)
                next[i] = (unsigned)product(m[j][i], s[j][0], s[j][1], s[j][2], modulus);
            memcpy(s[j], next, sizeof next);
        }
    }
}

/* ---- Sobol ---- */

void hip_cpu_sobol_directions(unsigned dimension, unsigned bits, unsigned long long *directions)
{
    /* Degree and inner coefficients of the polynomial, and the first directions: new-joe-kuo-6 by S. Joe and F. Y. Kuo. */
    static const struct {
        unsigned char degree, inner, first[7];
    } table[HIP_CPU_SOBOL_DIMENSIONS] = {
        {0, 0, {0}},
        {1, 0, {1}},
        {2, 1, {1, 3}},
        {3, 1, {1, 3, 1}},
        {3, 2, {1, 1, 1}},
        {4, 1, {1, 1, 3, 3}},
        {4, 4, {1, 3, 5, 13}},
        {5, 2, {1, 1, 5, 5, 17}},
        {5, 4, {1, 1, 5, 5, 5}},
        {5, 7, {1, 1, 7, 11, 19}},
        {5, 11, {1, 1, 5, 1, 1}},
        {5, 13, {1, 1, 1, 3, 11}},
        {5, 14, {1, 3, 5, 5, 31}},
        {6, 1, {1, 3, 3, 9, 7, 49}},
        {6, 13, {1, 1, 1, 15, 21, 21}},
        {6, 16, {1, 3, 1, 13, 27, 49}},
        {6, 19, {1, 1, 1, 15, 7, 5}},
        {6, 22, {1, 3, 1, 15, 13, 25}},
        {6, 25, {1, 1, 5, 5, 19, 61}},
        {7, 1, {1, 3, 7, 11, 23, 15, 103}},
        {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    };
    const unsigned degree = table[dimension].degree, inner = table[dimension].inner;

    for (unsigned i = 0; i < bits; i++) {
        if (dimension == 0 || i < degree) {
            directions[i] = (dimension == 0 ? 1ull : table[dimension].first[i]) << (bits - 1 - i);
            continue;
        }
        directions[i] = directions[i - degree] ^ (directions[i - degree] >> degree);
        for (unsigned k = 1; k < degree; k++)
            if (inner >> (degree - 1 - k) & 1)
                directions[i] ^= directions[i - k];
    }
}
