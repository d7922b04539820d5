/* Thrust by its own headers, beside kernels and the program's CUB.
 * SPDX-License-Identifier: MIT */
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include "construct.h"

struct square
#ifdef HIP_CPU_CUDA_H /* as in rocThrust */
    : thrust::unary_function<long, long>
#endif
{
    __host__ __device__ long operator()(long x) const { return x * x; }
};

__global__ void negate(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = -x[i];
}

int main()
{
    enum { N = 1000 };
    thrust::host_vector<int> h(N);
    for (int i = 0; i < N; i++)
        h[i] = (i * 7) % N;
    thrust::device_vector<int> d = h;

    negate<<<(N + 255) / 256, 256>>>(thrust::raw_pointer_cast(d.data()), N);
    OK(cudaDeviceSynchronize());
    thrust::sort(d.begin(), d.end());
    h = d;
    EXPECT(h[0] == 1 - N && h[N - 1] == 0 && thrust::reduce(d.begin(), d.end()) == -N * (N - 1) / 2);
    thrust::exclusive_scan(thrust::device, d.begin(), d.begin() + 3, d.begin());
    EXPECT(d[0] == 0 && d[1] == 1 - N && d[2] == 3 - 2 * N);
    EXPECT(thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(5), square(), 0l,
                                    thrust::plus<long>()) == 30);
    int last = 0;
    OK(cudaMemcpy(&last, thrust::raw_pointer_cast(d.data()) + N - 1, sizeof last, cudaMemcpyDeviceToHost));
    EXPECT(last == 0);
    thrust::device_ptr<int> raw = thrust::device_malloc<int>(1);
    OK(cudaMemcpy(thrust::raw_pointer_cast(raw), &last, sizeof last, cudaMemcpyHostToDevice));
    thrust::device_free(raw);
}
