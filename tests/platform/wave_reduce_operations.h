/* The operations of wave_reduce_cpu_kernels.hip, for one generation.
 * SPDX-License-Identifier: MIT */
OPERATION(sum, wide, a + b)
#include "../../platform/amd/wave_reduce.h"
RUN(wave_reduce(value, lanes))

OPERATION(least, unsigned, a < b ? a : b)
#include "../../platform/amd/wave_reduce.h"
RUN(wave_reduce(value, lanes))

/* The tree of __shfl_down() from distance 16 (32 lanes), or from 8 as far as there are lanes. Neither commutative nor
 * associative, so any wrong pair shows. */
OPERATION(tree, wide, a * 3 + b * 5 + 1)
#include "../../platform/amd/wave_reduce.h"
RUN(lanes == 32 ? wave_tree_32(value) : wave_tree_16(value, lanes))
