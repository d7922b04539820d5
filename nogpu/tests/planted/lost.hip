/* Elements that reach no result. A case has a wrong version, in which some are lost, and the words of the note about it; or none,
 * and then it is a right kernel that may look as if it lost some.
 *
 *   lost list; lost right; lost wrong NAME; lost cost
 *
 * SPDX-License-Identifier: MIT */
#include "cases.h"

#include <math.h>
#include <sys/mman.h>
#include <vector>

#define N 1000

template <typename T> static T *input(size_t count, T (*value)(size_t))
{
    std::vector<T> host(count);
    for (size_t i = 0; i < count; i++)
        host[i] = value(i);
    return device_array<T>(count, host.data());
}
static float one(size_t) { return 1; }
static float rising(size_t i) { return (float)(i % 97) + 1; }
static int small(size_t i) { return (int)(i * 7 % 31); }
static int *ints(size_t count) { return input<int>(count, small); }
static float *floats(size_t count) { return input<float>(count, rising); }
template <typename T> static T *results(size_t count) { return device_array<T>(count); }
#define BLOCKS(n, block) (unsigned)(((n) + (block)-1) / (block))

/* ---- wrong ones: what is `wrong` loses elements ---- */

__global__ void add_all(const float *x, size_t n, float *sum, size_t without = 0)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n - without)
        atomicAdd(sum, x[i]);
}

__device__ void block_sum(float *s, unsigned width, float *result)
{
    for (unsigned d = width / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        *result = s[0];
}
__global__ void tree(const float *x, float *partial, unsigned width)
{
    __shared__ float s[256];
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    s[threadIdx.x] = x[i];
    if (threadIdx.x + blockDim.x < width)
        s[threadIdx.x + blockDim.x] = 0;
    block_sum(s, width, partial + blockIdx.x);
}
__global__ void warp_sums(const float *x, float *sum, unsigned width, unsigned warps)
{
    __shared__ float s[32];
    float v = x[threadIdx.x], all = 0;
    for (unsigned d = width / 2; d > 0; d /= 2)
        v += __shfl_down(v, d);
    if (threadIdx.x % warpSize == 0)
        s[threadIdx.x / warpSize] = v;
    __syncthreads();
    for (unsigned w = 0; w < warps; w++)
        all += s[w];
    if (threadIdx.x == 0)
        *sum = all;
}
template <typename T> __global__ void extremes(const T *x, T *result, int op, bool wrong)
{
    __shared__ T s[128];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    T all = s[0];
    for (unsigned i = 1; i < (wrong ? 96u : 128u); i++)
        all = op == 0 ? (s[i] > all ? s[i] : all) : op == 1 ? (T)(all * s[i]) : (T)(all || s[i] > 3);
    *result = all;
}
__global__ void add_partials(const float *partial, size_t n, float *sum, bool wrong)
{
    __shared__ float s[256];
    float v = 0;
    for (size_t i = threadIdx.x; i < n && (i < 256 || !wrong); i += 256)
        v += partial[i];
    s[threadIdx.x] = v;
    block_sum(s, 256, sum);
}
__global__ void add_vectors(const float4 *x, size_t n, float *sum, bool wrong)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n / 4)
        atomicAdd(sum, x[i].x + x[i].y + x[i].z + x[i].w);
    else if (i < n / 4 + n % 4 && !wrong)
        atomicAdd(sum, ((const float *)x)[n - n % 4 + i - n / 4]);
}
__global__ void overlap(const float *x, size_t n, float *sum, size_t each)
{
    size_t begin = blockIdx.x * (size_t)256;
    for (size_t i = begin + threadIdx.x; i < begin + each && i < n; i += blockDim.x)
        atomicAdd(sum, x[i]);
}
/* Neighbours at a distance: once each both ends are read half as often, and if the second is only added, only one is. */
__global__ void two_each(const float *x, size_t n, float *sum, bool wrong)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, other = i + blockDim.x;
    if (other < n)
        atomicAdd(sum, x[other] - x[i]);
    else if (wrong)
        atomicAdd(sum, x[i]);
}
static __device__ unsigned arrived;
__global__ void last_block(const float *x, float *partial, float *sum, bool wrong)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x[blockIdx.x];
        __threadfence();
        is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
        __threadfence();
        if (is_last) {
            float all = 0;
            for (unsigned i = 0; i < gridDim.x; i++)
                all += partial[i];
            *sum = all;
            if (!wrong)
                atomicExch(&arrived, 0);
        }
    }
}
__global__ void every(const float *x, size_t n, float *sum, bool wrong)
{
    float v = 0;
    for (size_t i = 2 * threadIdx.x; i < n; i += 2 * blockDim.x)
        v += x[i] + (wrong ? 0 : x[i + 1]);
    atomicAdd(sum, v);
}
struct four {
    float v[4];
};
__global__ void add_fours(const struct four *x, size_t n, float *sum, bool wrong)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i].v[0] + x[i].v[1] + (wrong ? 0 : x[i].v[2]) + x[i].v[3]);
}
__global__ void add_wide(const float *x, size_t n, float *sum, bool wrong)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const float4 v = i < n / 4 ? ((const float4 *)x)[i] : make_float4(0, 0, 0, 0);
    atomicAdd(sum, v.x + v.y + v.z + (wrong ? 0 : v.w));
}
__global__ void add_bytes(const unsigned char *x, size_t n, unsigned *sum)
{
    for (size_t i = threadIdx.x; i < n / 8; i += blockDim.x)
        atomicAdd(sum, ((const uint2 *)x)[i].x + ((const uint2 *)x)[i].y);
}
static unsigned char byte(size_t i) { return (unsigned char)i; }
__global__ void chunks(const float *x, size_t n, float *sum, size_t each, bool wrong)
{
    size_t begin = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * each;
    float v = 0;
    for (size_t i = begin; i < begin + each + wrong && i < n; i++)
        v += x[i];
    atomicAdd(sum, v);
}
enum without { NOTHING, WITHOUT_ROW, WITHOUT_TAILS };
__global__ void segment_sums(const int *begin, const float *x, unsigned rows, float *sum, enum without without)
{
    float v = 0;
    if (threadIdx.x >= rows - (without == WITHOUT_ROW))
        return;
    for (int i = begin[threadIdx.x]; i < begin[threadIdx.x + 1] - (without == WITHOUT_TAILS); i++)
        v += x[i];
    sum[threadIdx.x] = v;
}
static int ten_each(size_t i) { return (int)i * 10; }
__global__ void rows_of_blocks(const int *begin, const float *x, float *sum, bool wrong)
{
    for (int i = begin[blockIdx.x] + (int)threadIdx.x; i < begin[blockIdx.x + 1]; i += wrong ? N : (int)blockDim.x)
        atomicAdd(sum, x[i]);
}
static int squared(size_t i) { return (int)(i * i); }
static int nine_or_more(size_t i) /* rows of 9 and of 11 */ { return (int)(i * 10 - i % 2); }
__global__ void ordered(const int *order, const float *x, int columns, float *sum, bool wrong)
{
    __shared__ float s[32];
    float v = 0;
    for (int i = (int)threadIdx.x; i < (wrong ? columns / 32 * 32 : columns); i += 32)
        v += x[order[blockIdx.x] * columns + i];
    s[threadIdx.x] = v;
    block_sum(s, 32, sum + blockIdx.x);
}
static int shuffled(size_t i) { return (int)(i * 7 % 20); }

/* ---- right ones ---- */

__global__ void histogram(const int *x, size_t n, int *bin)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && x[i] < 20)
        atomicAdd(&bin[x[i]], 1);
}
__global__ void cross(const float *x, float *y, int width, int height)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (i > 0 && j > 0 && i < width - 1 && j < height - 1)
        y[j * width + i] =
            x[j * width + i - 1] + x[j * width + i + 1] + x[(j - 1) * width + i] + x[(j + 1) * width + i];
}
__global__ void cross_of_tile(const float *x, float *y, int width)
{
    __shared__ float tile[18][18];
    int i = (int)(blockIdx.x * 16 + threadIdx.x), j = (int)(blockIdx.y * 16 + threadIdx.y);
    for (int b = (int)threadIdx.y; b < 18; b += 16)
        for (int a = (int)threadIdx.x; a < 18; a += 16)
            tile[b][a] = x[((int)blockIdx.y * 16 + b) * width + (int)blockIdx.x * 16 + a];
    __syncthreads();
    int a = (int)threadIdx.x + 1, b = (int)threadIdx.y + 1;
    y[(j + 1) * width + i + 1] = tile[b][a - 1] + tile[b][a + 1] + tile[b - 1][a] + tile[b + 1][a];
}
__global__ void window(const float *x, float *y, int n)
{
    __shared__ float s[128 + 6];
    int i = (int)(blockIdx.x * 128 + threadIdx.x);
    float sum = 0;
    for (int k = (int)threadIdx.x; k < 134; k += 128) {
        int at = (int)blockIdx.x * 128 + k - 3;
        s[k] = at >= 0 && at < n ? x[at] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 7; k++)
        sum += s[threadIdx.x + k];
    if (i < n)
        y[i] = sum;
}
__global__ void exclusive(const float *x, float *y)
{
    __shared__ float s[128];
    s[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (unsigned i = 0; i < threadIdx.x; i++)
        sum += s[i];
    y[blockIdx.x * 128 + threadIdx.x] = sum;
}
__global__ void gather(const float *table, const int *index, float *y) { y[threadIdx.x] = table[index[threadIdx.x]]; }
__global__ void sparse(const int *begin, const int *column, const float *value, const float *x, float *y)
{
    float sum = 0;
    for (int k = begin[threadIdx.x]; k < begin[threadIdx.x + 1]; k++)
        sum += value[k] * x[column[k]];
    y[threadIdx.x] = sum;
}
/* With other values the loop takes seconds: those runs are ended. */
__global__ void turns(const int *count, float *y)
{
    float sum = 0;
    for (int i = 0; i < count[threadIdx.x]; i++)
        sum += (float)i;
    y[threadIdx.x] = sum;
}
__global__ void search(const int *sorted, int n, const int *wanted, int *at)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < wanted[threadIdx.x])
            low = middle + 1;
        else
            high = middle;
    }
    at[threadIdx.x] = low;
}
static int three_each(size_t i) { return (int)i * 3; }
__global__ void subsample(const float *x, float *y, unsigned step) { y[threadIdx.x] = x[threadIdx.x * step]; }
__global__ void grey(const float4 *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x].x + x[threadIdx.x].y + x[threadIdx.x].z;
}
__global__ void pool(const float *x, float *y, int width)
{
    int i = (int)threadIdx.x, j = (int)blockIdx.x;
    y[j * (width / 2) + i] = fmaxf(fmaxf(x[2 * j * width + 2 * i], x[2 * j * width + 2 * i + 1]),
                                   fmaxf(x[(2 * j + 1) * width + 2 * i], x[(2 * j + 1) * width + 2 * i + 1]));
}
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[8][8], t[8][8];
    int i = (int)(blockIdx.x * 8 + threadIdx.x), j = (int)(blockIdx.y * 8 + threadIdx.y);
    float sum = 0;
    for (int k = 0; k < n; k += 8) {
        int column = k + (int)threadIdx.x, row = k + (int)threadIdx.y;
        s[threadIdx.y][threadIdx.x] = j < n && column < n ? a[j * n + column] : 0;
        t[threadIdx.y][threadIdx.x] = row < n && i < n ? b[row * n + i] : 0;
        __syncthreads();
        for (int m = 0; m < 8; m++)
            sum += s[threadIdx.y][m] * t[m][threadIdx.x];
        __syncthreads();
    }
    if (i < n && j < n)
        c[j * n + i] = sum;
}
__global__ void sort(int *x)
{
    for (unsigned k = 2; k <= blockDim.x; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned i = threadIdx.x, other = i ^ j;
            __syncthreads();
            if (other > i && (x[i] > x[other]) == ((i & k) == 0)) {
                int v = x[i];
                x[i] = x[other];
                x[other] = v;
            }
        }
}
/* None is. */
__global__ void are_equal(const int *x, int value, int *y) { y[threadIdx.x] = x[threadIdx.x] == value; }
__global__ void first_of(const int *x, int n, int value, int *found)
{
    for (int i = 0; i < n; i++)
        if (x[i] == value) {
            *found = i;
            return;
        }
}
__global__ void softmax(const float *x, float *y)
{
    __shared__ float s[64];
    float largest = x[0], sum = 0;
    for (unsigned i = 1; i < blockDim.x; i++)
        largest = fmaxf(largest, x[i]);
    s[threadIdx.x] = expf(x[threadIdx.x] - largest);
    __syncthreads();
    for (unsigned i = 0; i < blockDim.x; i++)
        sum += s[i];
    y[threadIdx.x] = s[threadIdx.x] / sum;
}
__global__ void scale(float *x, const float *factor, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= *factor;
}
__global__ void say(const int *x)
{
    if (x[threadIdx.x] == 30)
        printf("%d\n", x[threadIdx.x]);
}
static float with_largest(size_t i) { return i == 7 ? INFINITY : (float)i; }
static int all_true(size_t) { return 9; }
/* All are the one that is looked for, so none alone changes the answer. */
__global__ void look_for_one(const float *x, size_t n, int *found)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && x[i] == 1)
        atomicOr(found, 1);
}
/* A border is read by two blocks, and each of its differences counts once. */
__global__ void variation(const float *x, size_t n, float *sum, size_t each)
{
    size_t begin = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * each;
    float last = x[begin], v = 0;
    for (size_t i = begin + 1; i < begin + each + 1 && i < n; i++) {
        v += fabsf(x[i] - last);
        last = x[i];
    }
    atomicAdd(sum, v);
}
__global__ void variation_of_tiles(const float *x, size_t n, float *partial)
{
    __shared__ float s[129], sums[128];
    size_t i = blockIdx.x * (size_t)128 + threadIdx.x;
    s[threadIdx.x] = x[i];
    if (threadIdx.x == 127)
        s[128] = x[i + 1 < n ? i + 1 : i];
    __syncthreads();
    sums[threadIdx.x] = fabsf(s[threadIdx.x + 1] - s[threadIdx.x]);
    block_sum(sums, 128, partial + blockIdx.x);
}
__global__ void real_parts(const float *x, size_t n, float *sum)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(sum, x[2 * i]);
}
__global__ void samples(const float *x, size_t n, size_t step, float *sum)
{
    for (size_t i = threadIdx.x * step; i < n; i += blockDim.x * step)
        atomicAdd(sum, x[i]);
}
static int even(size_t i) { return 2 * (int)i; }

/* How often the threads of large launches run, also in processes that only try other values. */
static __attribute__((no_sanitize("thread"), noinline)) void count(long *turns)
{
    __atomic_add_fetch(turns, 1, __ATOMIC_RELAXED);
}
__global__ void counted(const float *x, float *sum, long *turns)
{
    count(turns);
    atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
}
static void cost()
{
    long *turns = (long *)mmap(NULL, sizeof *turns, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    float *x = floats(1 << 19), *sum = results<float>(1);
    long once = 0;
    for (unsigned blocks = 1 << 10; blocks < (1 << 10) + 20; blocks++, once += 256L * blocks)
        counted<<<blocks, 256>>>(x, sum, turns);
    must(hipDeviceSynchronize());
    printf("%ld more accesses for trials\n", 2 * (*turns - once));
}

static const struct {
    const char *name, *note; /* NULL: there is only a right version */
    void (*run)(bool wrong);
} all[] = {
    {"absent_value", NULL, [](bool) { are_equal<<<1, 64>>>(ints(64), 123456, results<int>(64)); }},
    {"tail", "x[768] to x[999], the last n % 256, which no thread reads",
     [](bool wrong) { add_all<<<N / 256 + !wrong, 256>>>(floats(N), N, results<float>(1)); }},
    {"off_by_one", "x[999], the last 1 of 1000, which no thread reads",
     [](bool wrong) { add_all<<<BLOCKS(N, 256), 256>>>(floats(N), N, results<float>(1), wrong); }},
    {"tree_of_192", "(1 of each 3 threads, from thread 2)",
     [](bool wrong) { tree<<<40, 192>>>(floats(7680), results<float>(40), wrong ? 192u : 256u); }},
    {"half_warp", "of each warp)",
     [](bool wrong) { warp_sums<<<1, 256>>>(floats(256), results<float>(1), warpSize >> wrong, 256 / warpSize); }},
    {"last_warp", "to x[255] are read in",
     [](bool wrong) { warp_sums<<<1, 256>>>(floats(256), results<float>(1), warpSize, 256 / warpSize - wrong); }},
    {"product_with_0", "x[96] to x[127] are read in",
     [](bool wrong) { extremes<int><<<1, 128>>>(ints(128), results<int>(1), 1, wrong); }},
    {"second_kernel", "partial[256] to partial[299], the last n % 256, which a kernel writes and no",
     [](bool wrong) {
         float *partial = results<float>(300);
         tree<<<300, 32>>>(floats(9600), partial, 32u);
         add_partials<<<1, 256>>>(partial, 300, results<float>(1), wrong);
     }},
    {"vector_tail", "x[250], the last n % 2, which no thread reads",
     [](bool wrong) {
         add_vectors<<<BLOCKS(N, 128), 128>>>((const float4 *)floats(1003), 1003, results<float>(1), wrong);
     }},
    {"read_twice", "x[256] to x[319], x[512] to x[575] and so on, 64 of each 256, which are read twice as often",
     [](bool wrong) { overlap<<<8, 128>>>(floats(2048), 2048, results<float>(1), (wrong ? 320 : 256)); }},
    {"read_half", "x[0] to x[255], which are read half as often",
     [](bool wrong) { two_each<<<8, 256>>>(floats(2048), 2048, results<float>(1), wrong); }},
    {"ticket", "arrived is 8 when kernel last_block begins again",
     [](bool wrong) {
         float *x = floats(8), *partial = results<float>(8), *sum = results<float>(1);
         for (int turn = 0; turn < 2; turn++)
             last_block<<<8, 32>>>(x, partial, sum, wrong);
     }},
    {"every_second", "x[1], x[3] and so on, every second one, which no thread reads",
     [](bool wrong) { every<<<1, 128>>>(floats(N), N, results<float>(1), wrong); }},
    {"member", "x[0].v[2], x[1].v[2] and so on, 1 of each 4, which no thread reads",
     [](bool wrong) { add_fours<<<2, 128>>>((const struct four *)floats(1024), 256, results<float>(1), wrong); }},
    {"part_in_many_blocks", "x[3], x[7] and so on are read in",
     [](bool wrong) { add_wide<<<8, 256>>>(floats(8192), 8192, results<float>(1), wrong); }},
    {"tail_of_bytes", "x[1024] to x[1028], the last n % 32, which no thread reads",
     [](bool wrong) {
         add_bytes<<<1, 32>>>(input<unsigned char>(1024 + 5 * wrong, byte), 1024 + 5 * wrong, results<unsigned>(1));
     }},
    {"overlap_by_one", "x[16], x[32] and so on, 1 of each 16, which are read twice as often as the others, and count",
     [](bool wrong) { chunks<<<4, 32>>>(floats(2048), 2048, results<float>(1), 16, wrong); }},
    {"last_row", "x[390] to x[399], the last 10 of 400, which no thread reads",
     [](bool wrong) {
         segment_sums<<<1, 64>>>(input<int>(41, ten_each), floats(400), 40u, results<float>(40),
                                 wrong ? WITHOUT_ROW : NOTHING);
     }},
    {"ends_of_rows", "x[8] and so on, the last 1 of each row, which no thread reads",
     [](bool wrong) {
         segment_sums<<<1, 64>>>(input<int>(41, nine_or_more), floats(400), 40u, results<float>(40),
                                 wrong ? WITHOUT_TAILS : NOTHING);
     }},
    {"long_rows", "x[288] and so on: of each row no thread reads more than the first 32",
     [](bool wrong) { rows_of_blocks<<<40, 32>>>(input<int>(41, squared), floats(1600), results<float>(1), wrong); }},
    {"ordered_rows", "x[96] to x[99], x[196] to x[199] and so on, 4 of each 100, which no thread reads",
     [](bool wrong) { ordered<<<20, 32>>>(input<int>(20, shuffled), floats(2000), 100, results<float>(20), wrong); }},
    {"chosen", NULL,
     [](bool) {
         variation<<<4, 32>>>(floats(2048), 2048, results<float>(1), 16);
         variation_of_tiles<<<40, 128>>>(floats(5120), 5120, results<float>(40));
         real_parts<<<1, 128>>>(floats(N), N / 2, results<float>(1));
         samples<<<1, 64>>>(floats(N), N, 5, results<float>(1));
         ordered<<<10, 32>>>(input<int>(10, even), floats(2000), 100, results<float>(10), false);
     }},
    {"histograms", NULL, [](bool) { histogram<<<BLOCKS(N, 256), 256>>>(ints(N), N, results<int>(31)); }},
    {"stencils", NULL,
     [](bool) {
         float *x = floats(66 * 66), *y = results<float>(66 * 66);
         cross<<<dim3(5, 5), dim3(16, 16)>>>(x, y, 66, 66);
         cross<<<dim3(1, 1), dim3(16, 16)>>>(floats(256), results<float>(256), 16, 16);
         cross_of_tile<<<dim3(4, 4), dim3(16, 16)>>>(x, y, 66);
         cross_of_tile<<<dim3(1, 1), dim3(16, 16)>>>(floats(18 * 18), results<float>(18 * 18), 18);
         window<<<8, 128>>>(floats(N), results<float>(N), N);
     }},
    {"scans", NULL,
     [](bool) {
         exclusive<<<1, 128>>>(floats(128), results<float>(128));
         exclusive<<<5, 128>>>(floats(640), results<float>(640));
     }},
    {"indices", NULL,
     [](bool) {
         gather<<<1, 128>>>(floats(64), ints(128), results<float>(128));
         sparse<<<1, 100>>>(input<int>(101, three_each), ints(300), floats(300), floats(40), results<float>(100));
         turns<<<1, 100>>>(ints(100), results<float>(100));
         search<<<1, 64>>>(input<int>(500, three_each), 500, ints(64), results<int>(64));
     }},
    {"layouts", NULL,
     [](bool) {
         subsample<<<1, 64>>>(floats(64 * 64), results<float>(64), 64u);
         subsample<<<1, 64>>>(floats(192), results<float>(64), 3u);
         grey<<<1, 64>>>((const float4 *)floats(256), results<float>(64));
         pool<<<20, 32>>>(floats(65 * 40), results<float>(640), 65);
     }},
    {"parts", NULL,
     [](bool) {
         float *x = floats(N), *sum = results<float>(1), host[100];
         for (size_t at = 0; at < N; at += 100)
             add_all<<<BLOCKS(100, 64), 64>>>(x + at, 100, sum);
         float *buffer = results<float>(100);
         for (float &v : host)
             v = 1;
         for (size_t left = 250; left > 0;) { /* the last copy is shorter */
             size_t count = left < 100 ? left : 100;
             must(hipMemcpy(buffer, host, count * sizeof *host, hipMemcpyHostToDevice));
             add_all<<<BLOCKS(count, 64), 64>>>(buffer, count, sum);
             left -= count;
         }
     }},
    {"products", NULL,
     [](bool) { multiply<<<dim3(3, 3), dim3(8, 8)>>>(floats(400), floats(400), results<float>(400), 20); }},
    {"others", NULL,
     [](bool) {
         sort<<<1, 128>>>(ints(128));
         first_of<<<1, 1>>>(ints(100), 100, 5, results<int>(1));
         softmax<<<1, 64>>>(floats(64), results<float>(64));
         scale<<<BLOCKS(N, 128), 128>>>(floats(N), floats(4), N);
         say<<<1, 64>>>(ints(64));
     }},
    {"saturated", NULL,
     [](bool) {
         extremes<float><<<1, 128>>>(input<float>(128, with_largest), results<float>(1), 0, false);
         extremes<int><<<1, 128>>>(input<int>(128, all_true), results<int>(1), 2, false);
         add_all<<<BLOCKS(N, 256), 256>>>(input<float>(N, one), N, results<float>(1));
         look_for_one<<<BLOCKS(N, 256), 256>>>(input<float>(N, one), N, results<int>(1));
     }},
};

int main(int count, char **argument)
{
    if (count > 1 && strcmp(argument[1], "cost") == 0)
        cost();
    bool wrong = count > 2 && strcmp(argument[1], "wrong") == 0;

    for (const auto &c : all) {
        if (count > 1 && strcmp(argument[1], "list") == 0 && c.note != NULL)
            printf("%s|%s\n", c.name, c.note);
        if (count > 1 && (wrong ? strcmp(argument[2], c.name) == 0 : strcmp(argument[1], "right") == 0)) {
            c.run(wrong);
            must(hipDeviceSynchronize());
        }
        if (count > 2 && !wrong && strcmp(argument[2], c.name) == 0)
            c.run(false);
    }
}
