/* CUB's reductions, scans, sorts, selections and adjacent differences, for a device and a block (sums.cu: a warp); cuda::atomic_ref.
 * SPDX-License-Identifier: MIT */
#include <cub/block/block_shuffle.cuh> /* cub.cuh has all others */
#include <cub/cub.cuh>
#include <cuda/atomic>

#include "construct.h"

#define N       1000
#define THREADS 128

struct Smallest {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

/* Thread t has t + 1. */
__global__ void of_block(int *wrong)
{
    typedef cub::BlockReduce<int, THREADS> Reduce;
    typedef cub::BlockScan<int, THREADS> Scan;
    typedef cub::BlockRadixSort<int, THREADS, 2> Sort;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename Sort::TempStorage sort;
    } shared;
    int t = (int)threadIdx.x, all, before, upto;

    int sum = Reduce(shared.reduce).Sum(t + 1);
    HOLDS(t > 0 || sum == THREADS * (THREADS + 1) / 2);
    __syncthreads();
    int least = Reduce(shared.reduce).Reduce(t + 1, Smallest(), 100);
    HOLDS(t > 0 || least == 1);
    __syncthreads();
    Scan(shared.scan).ExclusiveSum(t + 1, before, all);
    HOLDS(before == t * (t + 1) / 2 && all == THREADS * (THREADS + 1) / 2);
    __syncthreads();
    Scan(shared.scan).InclusiveScan(t + 1, upto, Smallest());
    HOLDS(upto == 1);
    __syncthreads();
    int two[2] = {t, t}, sums[2];
    Scan(shared.scan).ExclusiveSum(two, sums, all);
    HOLDS(sums[0] == t * (t - 1) && sums[1] == t * t && all == THREADS * (THREADS - 1));
    __syncthreads();
    int keys[2] = {2 * (THREADS - t), -t};
    Sort(shared.sort).Sort(keys);
    HOLDS(t >= THREADS / 2 || (keys[0] == 2 * t - THREADS + 1 && keys[1] == 2 * t - THREADS + 2));
}

struct Minus {
    __host__ __device__ int operator()(int a, int b) const { return a - b; }
};
struct Differ {
    __host__ __device__ bool operator()(int a, int b) const { return a != b; }
};
struct MinusOf {
    __device__ int operator()(int &a, int &b) const { return a - b; }
};
/* Thread t has elements 2 t and 2 t + 1. */
__global__ void of_neighbours(int *wrong)
{
    typedef cub::BlockAdjacentDifference<int, THREADS> Difference;
    typedef cub::BlockDiscontinuity<int, THREADS> Ends;
    typedef cub::BlockShuffle<int, THREADS> Shuffle;
    typedef cub::BlockHistogram<int, THREADS, 2, 4> Bins;
    __shared__ union {
        typename Difference::TempStorage difference;
        typename Ends::TempStorage ends;
        typename Shuffle::TempStorage shuffle;
        typename Bins::TempStorage bins;
    } shared;
    __shared__ unsigned bins[4];
    int t = (int)threadIdx.x, last = 2 * THREADS - 1, got = -1;
    int squares[2], thirds[2], fourths[2], out[2], tails[2];

    for (int i = 0, at = 2 * t; i < 2; i++, at++)
        squares[i] = at * at, thirds[i] = at / 3, fourths[i] = at % 4;
    Difference(shared.difference).SubtractLeft(squares, out, MinusOf());
    HOLDS(out[0] == (t > 0 ? 4 * t - 1 : 0) && out[1] == 4 * t + 1);
    __syncthreads();
    Difference(shared.difference).SubtractLeft(squares, out, Minus(), 5);
    HOLDS(out[0] == (t > 0 ? 4 * t - 1 : -5) && out[1] == 4 * t + 1);
    __syncthreads();
    Difference(shared.difference).SubtractRightPartialTile(squares, out, Minus(), 102);
    HOLDS(out[1] == (t < 50 ? -4 * t - 3 : squares[1]) && (t > 50 || out[0] == -4 * t - 1));
    __syncthreads();
    Ends(shared.ends).FlagHeadsAndTails(out, tails, thirds, Differ());
    HOLDS(out[0] == (2 * t % 3 == 0) && out[1] == ((2 * t + 1) % 3 == 0));
    HOLDS(tails[0] == (2 * t % 3 == 2) && tails[1] == ((2 * t + 1) % 3 == 2 || 2 * t + 1 == last));
    __syncthreads();
    Ends(shared.ends).FlagHeads(out, thirds, Differ(), 0);
    HOLDS(out[0] == (t > 0 && 2 * t % 3 == 0));
    __syncthreads();
    Shuffle(shared.shuffle).Offset(t, got, -1);
    HOLDS(got == t - 1);
    __syncthreads();
    Shuffle(shared.shuffle).Rotate(t, got, 3);
    HOLDS(got == (t + 3) % THREADS);
    __syncthreads();
    Bins(shared.bins).Histogram(fourths, bins);
    __syncthreads();
    HOLDS(bins[t % 4] == THREADS / 2);
}

__global__ void counts(int *count, float *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> c(*count);
    cuda::atomic_ref<float, cuda::thread_scope_device> s(*sum);
    c.fetch_add(1, cuda::memory_order_relaxed);
    c.fetch_max(3);
    s.fetch_add(0.5f);
}

int main(void)
{
    int *in, *out, *count, *keys;
    float *sum;

    EXPECT((cub::KeyValuePair<int, float>(1, 2.5f).value == 2.5f));
    OK(cudaMallocManaged(&in, N * sizeof *in));
    OK(cudaMallocManaged(&out, N * sizeof *out));
    OK(cudaMallocManaged(&keys, N * sizeof *keys));
    OK(cudaMallocManaged(&count, sizeof *count));
    OK(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 0; i < N; i++)
        in[i] = i * 7 % N - 500;

    CALL(cub::DeviceReduce::Sum(temporary, bytes, in, out, N));
    EXPECT(out[0] == -500);
    CALL(cub::DeviceReduce::Max(temporary, bytes, in, out, N));
    EXPECT(out[0] == 499);
    CALL(cub::DeviceReduce::Reduce(temporary, bytes, in, out, N, Smallest(), 1000));
    EXPECT(out[0] == -500);
    CALL(cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, N));
    EXPECT(out[0] == -500 && out[1] == -993 && out[N - 1] == -500);
    CALL(cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, N));
    EXPECT(out[0] == 0 && out[1] == -500);
    CALL(cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, N));
    EXPECT(out[0] == -500 && out[1] == -499 && out[N - 1] == 499);
    CALL(cub::DeviceRadixSort::SortPairsDescending(temporary, bytes, in, keys, in, out, N));
    EXPECT(keys[0] == 499 && out[0] == 499 && keys[N - 1] == -500);
    CALL(cub::DeviceSelect::If(temporary, bytes, in, out, count, N, IsEven()));
    EXPECT(*count == N / 2 && out[0] == -500 && out[1] == -486);

    CALL(cub::DeviceAdjacentDifference::SubtractLeftCopy(temporary, bytes, in, out, N, Minus()));
    EXPECT(out[0] == -500 && out[1] == 7 && out[N - 1] == 7);
    CALL(cub::DeviceAdjacentDifference::SubtractRight(temporary, bytes, in, N, Minus()));
    EXPECT(in[0] == -7 && in[N - 1] == 493);

    RUN(of_block, 2, THREADS);
    RUN(of_neighbours, 2, THREADS);
    *count = 0;
    *sum = 0;
    counts<<<2, 32>>>(count, sum);
    OK(cudaDeviceSynchronize());
    EXPECT(*count >= 64 && *sum == 32);
}
