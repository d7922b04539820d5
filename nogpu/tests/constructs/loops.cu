/* Kernels that run as loops between their barriers: what lives across one, what is the same for all threads, and the order.
 * Kernels whose names begin with "not" look like such, and are none.
 * SPDX-License-Identifier: MIT */
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "construct.h"

#define N    96
#define HALF (N / 2)
#define WAIT __syncthreads()
#define MINE (threadIdx.x < 8)
constexpr int rounds = 3;
__device__ int turns = 2;

/* Loaded before a barrier and needed behind it; computed again; changed between two barriers; none of another's. */
__global__ void keeps(const int *in, int *out, int n)
{
    __shared__ int s[N];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int loaded = in[i], sum = 0, *to = out + i, local;

    s[t] = loaded;
    __syncthreads();
    sum += s[n - 1 - t];
    local = sum * 2;
    sum = local - sum;
    __syncthreads();
    s[t] = sum;
    __syncthreads();
    *to = s[n - 1 - t] * 1000 + loaded;
}

/* Loops one after the other with a counter of the same name, one inside another, and a condition with two branches. */
__global__ void nests(int *out, int n)
{
    __shared__ int s[2][N];
    int t = threadIdx.x, w = 0;
    const int last = n - 1, half = last / 2;

    s[0][t] = t;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        int other = (t + d) % n;
        s[1 - w][t] = s[w][t] + s[w][other];
        w = 1 - w;
        __syncthreads();
    }
    for (int d = 0, e = 2; d < rounds; d++, e += 2)
        for (int k = 0; k < e; k++) {
            int mine = s[w][last - t];
            __syncthreads();
            if (half > HALF) {
                s[w][t] = mine;
            } else {
                s[w][t] = mine + d;
                __syncthreads();
                s[w][t] += k;
            }
            __syncthreads();
        }
    out[t] = s[w][t];
}

/* Early ends, and a parameter that each thread changes. */
__global__ void ends(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out += i;
    if (i >= n)
        return;
    n -= i;
    for (int k = 0; k < 4; k++)
        if (k * 7 == i) {
            *out = -k;
            return;
        }
    *out = 2 * n;
}

/* Threads in the order of their numbers, x first. */
__global__ void counts(int *out)
{
    extern __shared__ int next[];
    unsigned number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    next[number] = atomicAdd(out, 1);
    __syncthreads();
    out[1 + number] = next[(number + 1) % (blockDim.x * blockDim.y * blockDim.z)] + blockIdx.y;
}

template <typename T, int SIZE> __global__ void __launch_bounds__(SIZE) adds(const T *in, T *out)
{
    __shared__ T s[SIZE];
    T mine = in[threadIdx.x] * 2;

    s[threadIdx.x] = mine;
    for (int d = SIZE / 2; d > 0; d >>= 1) {
        __syncthreads();
        if ((int)threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    __syncthreads();
    out[threadIdx.x] = s[0] - mine;
}

/* What each lane exchanges: in loops, in what one warp alone does, with sections, twice in a row; and who says yes. */
__global__ void exchanges(const int *in, int *out, unsigned all, int n)
{
    __shared__ int s[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, step = 3;
    const unsigned everyone = all;
    int sum = in[threadIdx.x];
    unsigned votes = __ballot_sync(0xffffffff, sum % 3 == 0);

    for (int d = warpSize / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(everyone, sum, d);
    int above = __shfl_down_sync(all, sum * 2 + lane, 2 * step), below = warp;
    below += __shfl_up_sync(~0u, above, 1, n);
    __syncwarp();
    if (lane == 0)
        s[warp] = atomicAdd(&out[N], 1) * 1000 + below;
    if (__any_sync(all, lane == 7 && warp == 1))
        votes = 1 + (__popc(votes) & 1);
    __syncthreads();
    if (warp == 1) {
        for (int d = 1; d < n; d *= 2) {
            int other = __shfl_sync(all, below, d + 1);
            if (lane >= d)
                below = below * 3 + other;
        }
    } else
        below = -below;
    out[threadIdx.x] = below + s[(warp + 1) % 3] + (int)votes;
    if (threadIdx.x >= 64)
        __syncwarp(all);
}
/* Like it, but not for all lanes: of a mask, of a condition, of a part of an expression. */
__global__ void not_whole(const int *in, int *out, int n)
{
    int v = in[threadIdx.x];
    unsigned half = threadIdx.x % 32 < 16 ? 0xffff : 0xffff0000;

    v = __shfl_sync(half, v, 3, 16);
    if (v > n)
        v += __shfl_sync(__activemask(), v, 1);
    out[threadIdx.x] = v && __any_sync(__activemask(), v > n) ? v : 1;
}

__device__ int waits(int *s)
{
    __syncthreads();
    return s[threadIdx.x];
}
__global__ void waiting(int *out)
{
    __shared__ int s[N];
    s[N - 1 - threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = waits(s);
}
/* A function in a function, with names that the kernel has, too; what is changed there and what lives across is not its. */
namespace cg = cooperative_groups;
struct both {
    int t, all;
};
__device__ int up_to(int t, volatile int *s, unsigned size, cg::thread_block cta)
{
    unsigned i = 2 * threadIdx.x - (threadIdx.x & (size - 1));

    s[i] = 0;
    i += size;
    s[i] = t;
    for (unsigned d = 1; d < size; d <<= 1) {
        cg::sync(cta);
        int sum = s[i] + s[i - d];
        cta.sync();
        s[i] = sum;
    }
    return s[i];
}
static inline __device__ both before(const int t, int *s, int size, const cg::thread_block &cta)
{
    both b = {t, 7};
    t > 4 ? b.all = 8 : 0;
    b.all += up_to(t, s, size, cta) - t;
    return b;
}
__global__ void written(const int *in, int *out, int n)
{
    cg::thread_block cta = cg::this_thread_block();
    __shared__ int s[2 * N];
    int4 t = ((const int4 *)in)[threadIdx.x / 4], i = make_int4(1, 2, 3, t.w);
    int rest[2] = {t.x, t.y};

    int first = before(in[threadIdx.x], s, n, cta).all;
    if (n > 8)
        i.x = up_to(1, s, n, cta);
    cta.sync();
    both b = before(rest[threadIdx.x % 2], s, n, cta);
    out[cta.thread_rank()] = first * 50 + i.x + b.all * 7 + rest[1] + i.w - t.w;
}
/* Functions that wait for nothing; and some that change what they are given, ask who calls, or wait in one of two forms. */
__device__ int larger(int a, int b) { return a > b ? a : max(b, rounds); }
template <typename T> __host__ __device__ T largest(const T *from, int n)
{
    T all = from[0];
    for (int k = 1; k < n; k++)
        all = larger(all, from[k]);
    return all;
}
__global__ void calls(const int *in, int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;

    s[t] = in[t] + 4;
    __syncthreads();
    for (int d = HALF; d > 2; d /= 2) {
        if (t < d)
            s[t] = larger(s[t], s[t + d]);
        __syncthreads();
    }
    out[t] = largest(s, 3);
}
__device__ void increase(int &k) { k++; }
__device__ int own() { return threadIdx.x; }
__device__ int either(int *s) { return waits(s); }
__device__ int either(int t) { return t; }
__global__ void given(int *out)
{
    __shared__ int s[N];
    int k = N - 2;

    increase(k);
    s[threadIdx.x] = k;
    __syncthreads();
    out[threadIdx.x] = s[0] - threadIdx.x;
}
__global__ void asking(int *out) { out[threadIdx.x] = N - 1 - own(); }
__global__ void not_either(int *out)
{
    __shared__ int s[N];

    s[N - 1 - threadIdx.x] = either((int)threadIdx.x);
    out[threadIdx.x] = either(s);
}
__global__ void not_macro(int *out)
{
    __shared__ int s[N];
    s[N - 1 - threadIdx.x] = threadIdx.x;
    WAIT;
    out[threadIdx.x] = s[threadIdx.x];
}
/* Not all threads agree on how often: by a thread's own number, and by what memory holds. */
__global__ void not_alike(int *out)
{
    if (MINE) {
        if (blockDim.x == 8)
            __syncthreads();
    }
    int t = threadIdx.x;
    for (int d = t - t; d < turns; d++)
        __syncthreads();
    if (MINE)
        if (blockDim.x == 8) {
            __syncthreads();
        }
    out[t] = t;
}
__global__ void not_by_value(int *out)
{
    for (int d = 0; d < turns; d++) {
        __syncthreads();
        if (threadIdx.x == 0)
            turns = 1;
        __syncthreads();
    }
    out[threadIdx.x] = turns;
}
__global__ void not_returning(int *out, int n)
{
    __shared__ int s[N];
    if ((int)threadIdx.x >= n)
        return;
    s[n - 1 - threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void cast(const int *in, int *out) { out[threadIdx.x] = (int)*(const char *)(in + threadIdx.x); }
/* One thread alone does something between the barriers: before it and behind it all others wait. */
__global__ void not_alone(int *out)
{
    int t = threadIdx.x, last = blockDim.x - 1;
    for (int k = 0; k < 3; k++) {
        if (blockDim.x == N && t == 40 - k)
            __any_sync(1u << t % 32, 1);
        atomicAdd(out + N, 1);
        __syncthreads();
        if (t == last)
            out[k] = out[N];
        __syncthreads();
    }
    atomicAdd(out + N, 1);
    if (blockDim.x == N && t == 50)
        __any_sync(1u << t % 32, 1);
}
/* Two barriers, of which half of the threads are at each. */
__global__ void not_one(int *out)
{
    if (threadIdx.x < HALF)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}
/* Loops only as long as all warps are whole. */
__global__ void warp(int *out, int n)
{
    if (threadIdx.x / 8 < (unsigned)n)
        out[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 5);
}

/* What all threads change together: counters of loops, a parameter, a count that ends with the warp; and what each changes. */
#define WARP_WAITS() __syncwarp()
#pragma nogpu harmless promised
__device__ __noinline__ int promised(int a, int b)
{
    asm volatile("");
    return a + b;
}
__global__ void steps(const int *in, int *out, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x, count = blockDim.x, turns = 0, own = 0;

    in += blockIdx.x * blockDim.x;
    out += blockIdx.x * blockDim.x;
    for (int rest = n; rest > 0;) {
        int part = rest / 2 + 1;
        own += t % 2;
        s[t] = own + part;
        __syncthreads();
        own += s[n - 1 - t];
        __syncthreads();
        rest -= part;
        turns++;
        part = rest; /* each its own, and never read */
    }
    s[t] = in[t];
    __syncthreads();
    while (count > warpSize) {
        int half = (count + 1) / 2;
        if (t + half < count)
            s[t] = promised(s[t], s[t + half]);
        __syncthreads();
        count = half;
    }
    if (t / warpSize != 1)
        while (count > 1) {
            int half = (count + 1) / 2, other = t + half < count ? s[t + half] : 0;
            WARP_WAITS();
            s[t] += other;
            WARP_WAITS();
            own++;
            count = half;
        }
    __syncthreads();
    out[t] = s[0] * 1000 + turns * 100 + own;
}
/* Threads that do not agree on the count: behind the warp that changed it, in the next turn. */
__global__ void not_agreed(int *out)
{
    int t = threadIdx.x, count = 4;

    if (t < warpSize)
        while (count > 1) {
            __syncwarp();
            count--;
        }
    __syncthreads();
    out[t] = count;
}
__global__ void not_again(int *out)
{
    int t = threadIdx.x, count = 4;

    for (int k = 0; k < 2; k++) {
        if (t >= 2 * warpSize)
            while (count > 0) {
                __syncwarp();
                count--;
                out[t] += 1;
            }
        __syncthreads();
    }
}

static int *in, *out, got[2 * N + 1];

/* The bits of what it has given have this hash. */
static void gives(const char *kernel, unsigned want)
{
    unsigned hash = 2166136261u;

    OK(cudaGetLastError());
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    OK(cudaMemset(out, 0, sizeof got));
    for (int value : got)
        hash = (hash ^ (unsigned)value) * 16777619u;
    if (hash != want) {
        printf("%s: %08x\n", kernel, hash);
        exit(1);
    }
}

int main(int argc, char **)
{
    static const unsigned warps[] = {0, 0xbb7db537, 0x227efd4f, 0x2984ba67, 0xe6a94c7f, 0x219356d7};
    int numbers[2 * N];

    OK(cudaMalloc(&in, sizeof numbers));
    OK(cudaMalloc(&out, sizeof got));
    OK(cudaMemset(out, 0, sizeof got));
    for (int i = 0; i < 2 * N; i++)
        numbers[i] = i * i % 97;
    OK(cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    if (argc > 5)
        exchanges<<<1, N>>>(in, out, 0xffff, 8);
    else if (argc > 3)
        not_one<<<1, N>>>(out);
    else if (argc > 1) /* of block 1, thread 95 is the first to leave the array; or each is misaligned */
        keeps<<<2, N>>>(argc > 2 ? (int *)((char *)in + 1) : in + 1, out, N);

    keeps<<<2, N>>>(in, out, N), gives("keeps", 0x76430552);
    nests<<<1, N>>>(out, N), gives("nests", 0xf112581f);
    ends<<<3, 32>>>(out, 90), gives("ends", 0x37770d21);
    adds<int, 64><<<1, 64>>>(in, out), gives("adds", 0x51410f35);
    adds<int, 32><<<1, 64>>>(in, out);
    EXPECT(cudaGetLastError() != cudaSuccess);
    not_alike<<<1, N>>>(out), gives("not_alike", 0xbd97043f);
    waiting<<<1, N>>>(out), gives("waiting", 0x80f4c5df);
    not_macro<<<1, N>>>(out), gives("not_macro", 0x80f4c5df);
    given<<<1, N>>>(out), gives("given", 0x80f4c5df);
    asking<<<1, N>>>(out), gives("asking", 0x80f4c5df);
    not_either<<<1, N>>>(out), gives("not_either", 0x80f4c5df);
    calls<<<1, N>>>(in, out), gives("calls", 0x0810c69f);
    steps<<<2, N>>>(in, out, N), gives("steps", 0xbf92c65f);
    not_agreed<<<1, N>>>(out), gives("not_agreed", 0x4d6bb57f);
    not_again<<<1, N>>>(out), gives("not_again", 0xa894c39f);
    not_by_value<<<1, N>>>(out), gives("not_by_value", 0x3b95433f);
    for (int n = N; n >= 2; n -= N - 2)
        not_alone<<<1, n>>>(out), gives("not_alone", n == N ? 0xbaed3d9f : 0x4152c5df);
    not_returning<<<1, N>>>(out, 64), gives("not_returning", 0x9a66b71f);
    cast<<<1, N>>>(in, out), gives("cast", 0x20aee364);
    written<<<1, N>>>(in, out, 32), gives("written", 0x25f551dd);
    for (int n = 40; n > 0; n -= 8)
        warp<<<1, n>>>(out, 8), gives("warp", warps[n / 8]);
    warp<<<1, 64>>>(out, 6), gives("warp", 0xf12f41ef);
    not_whole<<<1, N>>>(in, out, 4), gives("not_whole", 0x753f20cf);
    if (getenv("HIP_CPU_SCHEDULE"))
        return 0;
    /* In the order of the threads. */
    counts<<<1, dim3(4, 3, 2), 24 * sizeof(int)>>>(out), gives("counts", 0xdc735b3f);
    exchanges<<<1, N>>>(in, out, 0xffffffff, 8), gives("exchanges", 0x4c14c782);
}
