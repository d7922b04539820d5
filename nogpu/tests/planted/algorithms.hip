/* Kernels other than reductions, each in a right version and one with a fault.
 * SPDX-License-Identifier: MIT */
#include <hipcub/hipcub.hpp>

#include "cases.h"

/* ---- transpose: a tile through shared memory ---- */

#define TILE 16

__global__ void transpose(const int *in, int *out, int width, int fault)
{
    __shared__ int tile[TILE][TILE + 1];
    int x = (int)(blockIdx.x * TILE + threadIdx.x), y = (int)(blockIdx.y * TILE + threadIdx.y);

    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    if (!fault)
        __syncthreads();
    x = (int)(blockIdx.y * TILE + threadIdx.x);
    y = (int)(blockIdx.x * TILE + threadIdx.y);
    out[y * width + x] = tile[threadIdx.x][threadIdx.y];
}

static bool run_transpose(int fault)
{
    enum { WIDTH = 3 * TILE };
    static int from[WIDTH * WIDTH], to[WIDTH * WIDTH];
    for (int i = 0; i < WIDTH * WIDTH; i++)
        from[i] = i;
    int *in = device_array(WIDTH * WIDTH, from), *out = device_array<int>(WIDTH * WIDTH);
    hipLaunchKernelGGL(transpose, dim3(3, 3), dim3(TILE, TILE), 0, 0, in, out, WIDTH, fault);
    fetch(to, out, WIDTH * WIDTH);
    for (int i = 0; i < WIDTH * WIDTH; i++)
        if (to[i] != i % WIDTH * WIDTH + i / WIDTH)
            return false;
    return true;
}

/* ---- histogram: bins in shared memory, then in global memory ---- */

#define BINS 32

__global__ void histogram(const unsigned char *in, unsigned n, unsigned *bins, int fault)
{
    __shared__ unsigned mine[BINS];

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (fault)
            mine[in[i] % BINS]++;
        else
            atomicAdd(&mine[in[i] % BINS], 1u);
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], mine[b]);
}

static bool run_histogram(int fault)
{
    enum { N = 2000 };
    unsigned char from[N];
    unsigned want[BINS] = {0}, result[BINS];
    for (int i = 0; i < N; i++) {
        from[i] = (unsigned char)(i * i / 3);
        want[from[i] % BINS]++;
    }
    unsigned char *in = device_array(N, from);
    unsigned *bins = device_array<unsigned>(BINS);
    hipLaunchKernelGGL(histogram, dim3(4), dim3(64), 0, 0, in, (unsigned)N, bins, fault);
    fetch(result, bins, BINS);
    return memcmp(result, want, sizeof want) == 0;
}

/* ---- scan: Hillis and Steele, in two halves of shared memory; it says where kept elements go ---- */

__global__ void scan(const int *in, int *out, int fault)
{
    HIP_DYNAMIC_SHARED(int, shared);
    unsigned tid = threadIdx.x, n = blockDim.x;
    int *from = shared, *to = fault ? shared : shared + n;

    from[tid] = in[tid] % 3 == 0;
    __syncthreads();
    for (unsigned distance = 1; distance < n; distance *= 2) {
        to[tid] = from[tid] + (tid >= distance ? from[tid - distance] : 0);
        __syncthreads();
        int *swap = from;
        from = to;
        to = swap;
    }
    if (in[tid] % 3 == 0)
        out[((unsigned)from[tid] + n - 1) % n] = in[tid]; /* wrong sums: twice */
}

static bool run_scan(int fault)
{
    enum { N = 150 };
    int from[N], result[N], kept = 0;
    for (int i = 0; i < N; i++)
        from[i] = i % 13;
    int *in = device_array(N, from), *out = device_array<int>(N);
    hipLaunchKernelGGL(scan, dim3(1), dim3(N), 2 * N * sizeof(int), 0, in, out, fault);
    fetch(result, out, N);
    for (int i = 0; i < N; i++)
        if (from[i] % 3 == 0 && result[kept++] != from[i])
            return false;
    return true;
}

/* ---- stencil: neighbours from shared memory, with a halo on both sides ---- */

__global__ void stencil(const int *in, int *out, int n, int fault)
{
    __shared__ int shared[64 + 2];
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), at = (int)threadIdx.x + 1;

    shared[at] = i < n ? in[i] : 0;
    if (threadIdx.x == 0)
        shared[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == blockDim.x - 1 && !fault)
        shared[at + 1] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    if (i < n)
        out[i] = shared[at - 1] + 2 * shared[at] + shared[at + 1];
}

static bool run_stencil(int fault)
{
    enum { N = 64 * 3 };
    int from[N], result[N];
    for (int i = 0; i < N; i++)
        from[i] = i * i % 17 + 1;
    int *in = device_array(N, from), *out = device_array<int>(N);
    hipLaunchKernelGGL(stencil, dim3(3), dim3(64), 0, 0, in, out, N, fault);
    fetch(result, out, N);
    for (int i = 0; i < N; i++)
        if (result[i] != (i > 0 ? from[i - 1] : 0) + 2 * from[i] + (i + 1 < N ? from[i + 1] : 0))
            return false;
    return true;
}

/* ---- bitonic sort of a block ---- */

__global__ void bitonic_sort(int *data, int fault)
{
    HIP_DYNAMIC_SHARED(int, shared);
    unsigned tid = threadIdx.x, n = 2 * blockDim.x;

    shared[tid] = data[tid];
    shared[tid + blockDim.x] = data[tid + blockDim.x];
    for (unsigned size = 2; size <= n; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            if (!fault || stride > 1)
                __syncthreads();
            unsigned low = 2 * tid - (tid & (stride - 1));
            bool up = (low & size) == 0;
            int a = shared[low], b = shared[low + stride];
            if ((a > b) == up) {
                shared[low] = b;
                shared[low + stride] = a;
            }
        }
    }
    __syncthreads();
    data[tid] = shared[tid];
    data[tid + blockDim.x] = shared[tid + blockDim.x];
}

static bool run_sort(int fault)
{
    enum { N = 256 };
    int from[N], result[N];
    for (int i = 0; i < N; i++)
        from[i] = i * 97 % 251;
    int *data = device_array(N, from);
    hipLaunchKernelGGL(bitonic_sort, dim3(1), dim3(N / 2), N * sizeof(int), 0, data, fault);
    fetch(result, data, N);
    for (int i = 1; i < N; i++)
        if (result[i] < result[i - 1])
            return false;
    return true;
}

/* ---- matrix product, tile by tile ---- */

__global__ void multiply(const float *a, const float *b, float *c, int width, int fault)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = (int)threadIdx.x, y = (int)threadIdx.y;
    int column = (int)blockIdx.x * TILE + x, row = (int)blockIdx.y * TILE + y;
    float sum = 0;

    for (int t = 0; t < width; t += TILE) {
        tile_a[y][x] = a[row * width + t + x];
        tile_b[y][x] = b[(t + y) * width + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        if (!fault)
            __syncthreads();
    }
    c[row * width + column] = sum;
}

static bool run_multiply(int fault)
{
    enum { WIDTH = 2 * TILE };
    static float from[WIDTH * WIDTH], result[WIDTH * WIDTH];
    for (int i = 0; i < WIDTH * WIDTH; i++)
        from[i] = (float)(i % 7);
    float *a = device_array(WIDTH * WIDTH, from), *b = device_array(WIDTH * WIDTH, from);
    float *c = device_array<float>(WIDTH * WIDTH), want = 0;
    hipLaunchKernelGGL(multiply, dim3(2, 2), dim3(TILE, TILE), 0, 0, a, b, c, WIDTH, fault);
    fetch(result, c, WIDTH * WIDTH);
    for (int k = 0; k < WIDTH; k++)
        want += from[5 * WIDTH + k] * from[k * WIDTH + 20];
    return result[5 * WIDTH + 20] == want;
}

/* ---- compaction: votes count the kept elements, and atomics assign their places ---- */

__global__ void compact(const int *in, unsigned n, int *out, unsigned *count, int fault)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % (unsigned)warpSize;
    bool keep = i < n && in[i] % 3 == 0;
    unsigned long long kept = __ballot(keep);
    unsigned place = 0;

    if (lane == 0)
        place = fault ? *count : atomicAdd(count, (unsigned)__popcll(kept));
    if (lane == 0 && fault)
        *count = place + (unsigned)__popcll(kept);
    place = __shfl(place, 0) + (unsigned)__popcll(kept & ((1ull << lane) - 1));
    if (keep)
        out[place] = in[i];
}

static bool run_compact(int fault)
{
    enum { N = 1000 };
    int from[N], result[N];
    unsigned length;
    long sum = 0, want = 0;
    for (int i = 0; i < N; i++) {
        from[i] = i * 5 % 301;
        want += from[i] % 3 == 0 ? from[i] : 0;
    }
    int *in = device_array(N, from), *out = device_array<int>(N);
    unsigned *count = device_array<unsigned>(1);
    hipLaunchKernelGGL(compact, dim3(8), dim3(128), 0, 0, in, (unsigned)N, out, count, fault);
    fetch(&length, count, 1);
    fetch(result, out, N);
    for (unsigned i = 0; i < length; i++)
        sum += result[i];
    return sum == want;
}

/* ---- game of life: two boards, one launch per turn ---- */

__global__ void life(const unsigned char *now, unsigned char *next, int width)
{
    int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y, alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                alive += now[(y + dy + width) % width * width + (x + dx + width) % width];
    next[y * width + x] = alive == 3 || (alive == 2 && now[y * width + x]);
}

static bool run_life(int fault)
{
    enum { WIDTH = 32 };
    unsigned char from[WIDTH * WIDTH] = {0}, result[WIDTH * WIDTH];
    from[1 * WIDTH + 2] = from[2 * WIDTH + 3] = from[3 * WIDTH + 1] = 1; /* a glider */
    from[3 * WIDTH + 2] = from[3 * WIDTH + 3] = 1;
    unsigned char *a = device_array(WIDTH * WIDTH, from);
    unsigned char *b = fault ? a : device_array<unsigned char>(WIDTH * WIDTH);
    for (int turn = 0; turn < 4; turn++) {
        hipLaunchKernelGGL(life, dim3(1, WIDTH), dim3(WIDTH), 0, 0, a, b, (int)WIDTH);
        unsigned char *swap = a;
        a = b;
        b = swap;
    }
    fetch(result, a, WIDTH * WIDTH);
    for (int i = 0; i < WIDTH * WIDTH; i++)
        if (result[i] != from[(i / WIDTH + WIDTH - 1) % WIDTH * WIDTH + (i + WIDTH - 1) % WIDTH])
            return false;
    return true;
}

/* ---- a library's temporary storage: reused after only a barrier, and one per warp ---- */

__global__ void storage_again(int *out, int fault)
{
    typedef hipcub::BlockScan<int, 64> block_scan;
    typedef hipcub::BlockReduce<int, 64> block_reduce;
    __shared__ union {
        typename block_scan::TempStorage scan;
        typename block_reduce::TempStorage reduce;
    } storage;
    int before, sum;

    block_scan(storage.scan).ExclusiveSum((int)threadIdx.x, before);
    if (!fault)
        __syncthreads();
    sum = block_reduce(storage.reduce).Sum(before);
    if (threadIdx.x == 0)
        *out = sum;
}

__global__ void storage_of_warps(int *out, int fault)
{
    typedef hipcub::WarpReduce<int, 16> warp_reduce;
    __shared__ typename warp_reduce::TempStorage storage[4];
    int part = (int)threadIdx.x / 16;

    int sum = warp_reduce(storage[fault ? 0 : part]).Sum((int)threadIdx.x);
    if (threadIdx.x % 16 == 0)
        atomicAdd(out, sum);
}

template <void (*kernel)(int *, int), int want> static bool run_storage(int fault)
{
    int *out = device_array<int>(1), result;
    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(64), 0, 0, out, fault);
    fetch(&result, out, 1);
    return fault || result == want;
}

const struct planted_case algorithms[] = {
    {"transpose", "no barrier after the tile", run_transpose},
    {"histogram", "bins without atomics", run_histogram},
    {"scan", "one buffer", run_scan},
    {"stencil", "half of the halo is missing", run_stencil},
    {"bitonic sort", "a barrier is missing", run_sort},
    {"matrix tiles", "no second barrier", run_multiply},
    {"compaction", "a count without atomics", run_compact},
    {"game of life", "one board", run_life},
    {"a library's storage, reused", "no barrier before it", run_storage<storage_again, 41664>},
    {"a library's storage for warps", "two warps share one", run_storage<storage_of_warps, 2016>},
    {NULL, NULL, NULL},
};
