/* Far ahead in a sequence of random numbers; runtime/random.c. C and C++.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_RANDOM_SKIP_H
#define HIP_CPU_RANDOM_SKIP_H

#include <stddef.h>

#define HIP_CPU_MRG_M1           4294967087u
#define HIP_CPU_MRG_M2           4294944443u
#define HIP_CPU_MRG_A1           1403580u /* what a step multiplies with */
#define HIP_CPU_MRG_B1           810728u
#define HIP_CPU_MRG_A2           527612u
#define HIP_CPU_MRG_B2           1370589u
#define HIP_CPU_SOBOL_DIMENSIONS 21

#ifdef __cplusplus
extern "C" {
#endif

static inline void hip_cpu_xorwow_step(unsigned v[5])
{
    unsigned t = v[0] ^ (v[0] >> 2);

    for (int i = 0; i < 4; i++)
        v[i] = v[i + 1];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}
/* n steps, or n sequences of 2^67 steps. */
void hip_cpu_xorwow_skip(unsigned v[5], unsigned long long n, int sequences);
/* n times 2^power steps. */
void hip_cpu_mrg_skip(unsigned s[2][3], unsigned long long n, unsigned power);
/* `bits` (32 or 64) directions of one dimension, in the upper bits of each; dimension < HIP_CPU_SOBOL_DIMENSIONS. */
void hip_cpu_sobol_directions(unsigned dimension, unsigned bits, unsigned long long *directions);

#ifdef __cplusplus
}
#endif

#endif
