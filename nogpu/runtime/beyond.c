/* Guard words behind the static __shared__ variables of a program, before the thread-local variables of the runtime.
 * Objects are linked in the order of their names, and thread_local variables lie in that order.
 * SPDX-License-Identifier: MIT */
#include "internal.h"

#ifndef LIBRARY                         /* which has little room for such variables, and kernels of its own alone */
__thread uint64_t hip_cpu_beyond[1024]; /* not static: no compiler knows who writes it */
#endif

void hip_cpu_check_beyond(const struct hip_cpu_block *block)
{
#ifndef LIBRARY
    uint64_t written = 0;

    for (size_t i = 0; i < 64; i++)
        written |= hip_cpu_beyond[i];
    if (written) {
        hip_cpu_begin_fault(HIP_CPU_OUT_OF_BOUNDS);
        hip_cpu_fatal("hip: kernel %s, block (%u,%u,%u): writes past the static __shared__ "
                      "variables: check the index against the size; make race names the line\n",
                      block->kernel, block->index.x, block->index.y, block->index.z);
    }
#else
    (void)block;
#endif
}
