/* Segments of sorted keys.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include "library/handle.h"
#include "library/keys.h"

enum { KEYS_BLOCK = 256 };

/* Binary search, a thread for each offset: neighbours look at the same keys until the last steps. */
__global__ void find_segments(const void *keys, bool wide, size_t n, size_t offsets, int64_t *to)
{
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < offsets; k += (size_t)gridDim.x * blockDim.x) {
        size_t first = 0, count = n; /* the first key that is not below k is among these, or after them */
        while (count > 0) {
            size_t half = count / 2, middle = first + half;
            int64_t key = wide ? ((const int64_t *)keys)[middle] : ((const int32_t *)keys)[middle];
            bool below = key < 0 || (uint64_t)key < k;
            first = below ? middle + 1 : first;
            count = below ? count - half - 1 : half;
        }
        to[k] = (int64_t)first;
    }
}

extern "C" void lr_find_segments(hipStream_t stream, const void *keys, bool wide, size_t n, size_t offsets, int64_t *to)
{
    unsigned blocks = (unsigned)min_size(ceil_div(offsets, KEYS_BLOCK), GRID_THREADS_MAX / KEYS_BLOCK);

    hipLaunchKernelGGL(find_segments, dim3(blocks), dim3(KEYS_BLOCK), 0, stream, keys, wide, n, offsets, to);
}
