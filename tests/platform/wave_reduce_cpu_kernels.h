/* Kernels of test_wave_reduce_cpu.c: platform/amd/wave_reduce.h with the instructions of AMD's ISA done by
 * shuffles of the CPU platform.
 * SPDX-License-Identifier: MIT */
#ifndef WAVE_REDUCE_CPU_KERNELS_H
#define WAVE_REDUCE_CPU_KERNELS_H

#include <hip/hip_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GFX9, GFX10, GENERATIONS }; /* gfx10 and newer */

/* One block: out[t] = wave_reduce(in[t], lanes), combine() being addition. */
hipError_t run_wave_reduce(int generation, unsigned block, unsigned lanes,
                           const unsigned long long *in, unsigned long long *out);
hipError_t run_wave_reduce_32(int generation, unsigned block, unsigned lanes, const unsigned *in,
                              unsigned *out);
/* The tree of __shfl_down() from the distance 16 on (count 32), or from 8 on as far as count reaches; combine(a, b) is
 * 3 a + 5 b + 1. */
hipError_t run_wave_tree(int generation, unsigned block, unsigned count,
                         const unsigned long long *in, unsigned long long *out);
/* With the minimum: a 0 from a lane that has no source would show. */
hipError_t run_wave_reduce_min(int generation, unsigned block, unsigned lanes, const unsigned *in,
                               unsigned *out);

#ifdef __cplusplus
}
#endif

#endif
