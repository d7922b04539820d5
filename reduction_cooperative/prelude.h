/* The grid-wide barrier. Cooperative groups are C++, so their header comes before the namespaces of
 * instantiate.hip, and the variant sees a C function.
 * SPDX-License-Identifier: MIT */
#ifndef COOPERATIVE_PRELUDE_H
#define COOPERATIVE_PRELUDE_H

#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>

#include "exit_codes.h"
#include "intrinsics.h"

/* Waits until every thread of the grid has arrived; writes before it are visible after it. Only for a
 * kernel that was launched with hipLaunchCooperativeKernel. The barrier itself, on gfx9 with ROCm 7.2, makes sure of the
 * stores of one wavefront of a block only. */
static __device__ __forceinline__ void grid_sync(void)
{
    stores_arrive();
    cooperative_groups::this_grid().sync();
}

#endif
