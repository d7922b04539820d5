/* Sums of CUB as exact as a tree makes them, warps of any number of lanes, and temporary storage that counts.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <cub/cub.cuh>

#include "construct.h"

#define N 20000000

struct Plus {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Largest {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};

template <int LANES> __global__ void of_lanes(int *wrong)
{
    typedef cub::WarpReduce<int, LANES> Reduce;
    typedef cub::WarpScan<int, LANES> Scan;
    constexpr int PARTS = 32 / LANES;
    __shared__ typename Reduce::TempStorage reduce[PARTS];
    __shared__ typename Scan::TempStorage scan[PARTS];
    int part = (int)threadIdx.x / LANES, lane = (int)threadIdx.x % LANES, upto, before, all;

    int sum = Reduce(reduce[part]).Sum(lane + 1);
    HOLDS(lane > 0 || sum == LANES * (LANES + 1) / 2);
    int most = Reduce(reduce[part]).Reduce(lane, Largest(), LANES / 2 + 1);
    HOLDS(lane > 0 || most == LANES / 2);
    Scan(scan[part]).InclusiveSum(lane + 1, upto, all);
    HOLDS(upto == (lane + 1) * (lane + 2) / 2 && all == LANES * (LANES + 1) / 2);
    Scan(scan[part]).ExclusiveSum(lane + 1, before);
    HOLDS(before == lane * (lane + 1) / 2);
    Scan(scan[part]).Scan(lane, upto, before, 3, Largest());
    HOLDS(upto == (lane < 3 ? 3 : lane) && before == (lane < 4 ? 3 : lane - 1));
    Scan(scan[part]).ExclusiveScan(lane, before, Largest(), all);
    HOLDS((lane == 0 || before == lane - 1) && all == LANES - 1);
}
template <int LANES> static void lanes() { RUN(of_lanes<LANES>, 1, 32 / LANES * LANES); }

/* Pairs of lanes first, as a shuffle down makes them: each big number meets its opposite. */
__global__ void of_block(int *wrong)
{
    typedef cub::BlockReduce<float, 256> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    float x = threadIdx.x % 2 ? -1e30f : 1e30f;

    float sum = Reduce(storage).Sum(x);
    HOLDS(threadIdx.x > 0 || sum == 0);
    __syncthreads();
    sum = Reduce(storage).Sum(threadIdx.x == 0 ? 16777216.0f : 1);
    HOLDS(threadIdx.x > 0 || sum > 16777216);
}

static bool near(double x, double right, double within) { return fabs(x - right) <= within * fabs(right); }

__global__ void fill(float *x, int *keys, int n)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += (int)(gridDim.x * blockDim.x)) {
        x[i] = i % 2 ? 1 : 0.5f;
        keys[i] = i >= n / 4;
    }
}

int main()
{
    float *x, *sums;
    int *keys, *unique, *count, *ends;

    OK(cudaMallocManaged(&x, N * sizeof *x));
    OK(cudaMallocManaged(&keys, N * sizeof *keys));
    OK(cudaMallocManaged(&sums, N * sizeof *sums));
    OK(cudaMallocManaged(&unique, 4 * sizeof *unique));
    OK(cudaMallocManaged(&ends, 4 * sizeof *ends));
    OK(cudaMallocManaged(&count, sizeof *count));
    fill<<<64, 256>>>(x, keys, N);
    OK(cudaDeviceSynchronize());
    ends[0] = 0, ends[1] = N / 4, ends[2] = ends[3] = N;

    CALL(cub::DeviceReduce::Sum(temporary, bytes, x, sums, N));
    EXPECT(near(sums[0], 0.75 * N, 1e-6));
    CALL_AND(false, cub::DeviceSegmentedReduce::Sum(temporary, bytes, x, sums, 3, ends, ends + 1));
    EXPECT(near(sums[0], 0.1875 * N, 1e-6) && near(sums[1], 0.5625 * N, 1e-6) && sums[2] == 0);
    CALL(cub::DeviceReduce::ReduceByKey(temporary, bytes, keys, unique, x, sums, count, Plus(), N));
    EXPECT(*count == 2 && near(sums[0], 0.1875 * N, 1e-6) && near(sums[1], 0.5625 * N, 1e-6));
    CALL(cub::DeviceScan::InclusiveSum(temporary, bytes, x, sums, N));
    EXPECT(near(sums[N - 1], 0.75 * N, 1e-4) && near(sums[N / 2 - 1], 0.375 * N, 1e-4));
    CALL(cub::DeviceScan::ExclusiveSum(temporary, bytes, x, sums, N));
    EXPECT(sums[0] == 0 && sums[1] == 0.5f && near(sums[N - 1], 0.75 * N, 1e-4));

    RUN(of_block, 1, 256);
    lanes<32>();
    lanes<7>();
    lanes<5>();
    lanes<3>();
    lanes<1>();
    lanes<12>();
    lanes<16>();
}
