/* Which block of several is the last one: a part of rows.hip and of libreduction's kernels, inside their namespaces, and therefore
 * without an include guard.
 * SPDX-License-Identifier: MIT */

/* True in all threads of the block that is the last of `count` blocks to come here, and only there: what the others
 * wrote before is visible then. The ticket is 0 again afterwards. */
static __device__ bool is_last(unsigned *ticket, unsigned count)
{
    __shared__ bool last;

    stores_arrive();
    __syncthreads(); /* all have written, and all have seen the former `last` */
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(ticket, count - 1) == count - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}
