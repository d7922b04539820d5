/* The kernels of the harness: fill memory from a pattern, read memory as fast as possible, and add a few numbers.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#define REDUCTION_INSTANTIATE /* no value_t here */
#include "reduction.h"
#include "device_kernels.h"
#include "values/narrow.h"

#define DEFINE_FILL(NAME, T, VALUE)                                                                                    \
    __global__ void NAME(T *data, struct pattern p, uint64_t first, size_t n)                                          \
    {                                                                                                                  \
        size_t stride = (size_t)gridDim.x * blockDim.x;                                                                \
        for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)                             \
            data[i] = VALUE(&p, first + i);                                                                            \
    }
#define DEFINE_FILL_OF(x, number, name, element, ...) DEFINE_FILL(fill_##name, element, pattern_##name)
COMMON_TYPES(DEFINE_FILL_OF, )
#define DEFINE_NARROW_FILL_OF(x, number, name, element, ...)                                                           \
    PATTERN_FUNCTION element bits_##name(const struct pattern *p, uint64_t i)                                          \
    {                                                                                                                  \
        return name##_narrow(pattern_##name(p, i));                                                                    \
    }                                                                                                                  \
    DEFINE_FILL(fill_##name, element, bits_##name)
NARROW_TYPES(DEFINE_NARROW_FILL_OF, )

extern "C" void device_fill(void *data, int type, const struct pattern *p, uint64_t first, size_t n, unsigned grid,
                            unsigned block, hipStream_t stream)
{
    switch (type) {
#define LAUNCH_FILL(x, number, name, element, ...)                                                                     \
    case number:                                                                                                       \
        hipLaunchKernelGGL(fill_##name, dim3(grid), dim3(block), 0, stream, (element *)data, *p, first, n);            \
        break;
        TYPES(LAUNCH_FILL, )
    }
    HIP_CHECK_LAUNCH();
}

#define UNLIKELY_WORD 0x9e3779b9u

/* Each block reads tiles of blockDim.x * IN_FLIGHT neighbouring vectors, all loads of a tile before the
 * first use. */
#define DEFINE_READ(NAME, IN_FLIGHT)                                                                                   \
    __global__ void NAME(const uint4 *data, size_t count, uint32_t *sink)                                              \
    {                                                                                                                  \
        size_t tile = (size_t)blockDim.x * IN_FLIGHT;                                                                  \
        uint32_t word = 0;                                                                                             \
        for (size_t start = blockIdx.x * tile; start < count; start += gridDim.x * tile) {                             \
            size_t i = start + threadIdx.x;                                                                            \
            uint4 v[IN_FLIGHT];                                                                                        \
            if (start + tile <= count) {                                                                               \
                for (unsigned k = 0; k < IN_FLIGHT; k++)                                                               \
                    v[k] = data[i + k * blockDim.x];                                                                   \
                for (unsigned k = 0; k < IN_FLIGHT; k++)                                                               \
                    word ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;                                                         \
            } else {                                                                                                   \
                for (; i < count; i += blockDim.x)                                                                     \
                    word ^= data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;                                             \
            }                                                                                                          \
        }                                                                                                              \
        if (word == UNLIKELY_WORD)                                                                                     \
            *sink = word;                                                                                              \
    }
DEFINE_READ(read_few, READ_FEW)
DEFINE_READ(read_many, READ_MANY)

extern "C" void device_read(const void *data, size_t count, uint32_t *sink, unsigned in_flight, unsigned grid,
                            unsigned block, hipStream_t stream)
{
    const uint4 *vectors = (const uint4 *)data;
    if (in_flight == READ_FEW)
        hipLaunchKernelGGL(read_few, dim3(grid), dim3(block), 0, stream, vectors, count, sink);
    else
        hipLaunchKernelGGL(read_many, dim3(grid), dim3(block), 0, stream, vectors, count, sink);
    HIP_CHECK_LAUNCH();
}

__global__ void add(struct terms terms, struct sums *sums)
{
    sums->f = ADDITIONS(terms.f);
    sums->d = ADDITIONS(terms.d);
    sums->nans = NANS(terms.f) | NANS(terms.d) << 2;
}

extern "C" void device_add(const struct terms *terms, struct sums *d_sums, hipStream_t stream)
{
    hipLaunchKernelGGL(add, dim3(1), dim3(1), 0, stream, *terms, d_sums);
    HIP_CHECK_LAUNCH();
}
