/* Blocks whose threads are neighbours in memory, and blocks that only look so at their corners: what each kernel writes, one line
 * a kernel. The test compares the lines with those of kernels that are no loops.
 * SPDX-License-Identifier: MIT */
#include <cstdio>
#include <cuda_runtime.h>

#define N (1 << 16)

__global__ void plain(const int *in, int *out, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - k)
        out[i] = in[i] * 2 + in[i + 1];
}
__global__ void returns(const int *in, int *out, size_t n, int k)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[0];
    if (i >= n || i < (unsigned)k) {
        return;
    }
    int at = i - k;
    sum += in[at];
    out[at] = sum;
}
__global__ void border(const int *in, int *out, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && (y > 0) && x < k - 1 && (y + 1) * k < n)
        out[y * k + x] = in[y * k + x - 1] - in[k * (y - 1) + x] + 3 * in[(y + 1) * k + x] + in[x * 2];
}
__global__ void turned(const int *in, int *out, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < k && y < k)
        out[x * k + y] = in[y * k + x] + n;
}
/* Each thread reads what one before it in the block has written. */
__global__ void follows(const int *in, int *out, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - k)
        out[i + k] = out[i] + in[i] + 1;
}
/* At the corners of a block all hold, between them not: x * 2^29 and i - 4 wrap, as signed and as unsigned numbers. */
__global__ void wraps(const int *in, int *out, int n, int k)
{
    int x = threadIdx.x, i = blockIdx.x * blockDim.x + x;
    if (x * k >= 0)
        out[i] = in[i] + n;
}
__global__ void below(const int *in, int *out, unsigned n, int k)
{
    int x = threadIdx.x, i = blockIdx.x * blockDim.x + x;
    if (x - 3 < n - (N - 3))
        return;
    out[i] = in[i] + k;
}
/* Neighbours by the words, and not by the types. */
__global__ void narrow(const int *in, int *out, int n, int k)
{
    short at = threadIdx.x + 32767 - k / 2;
    out[at + 32768] = in[threadIdx.x] + n;
}
__global__ void rounds(const int *in, int *out, int n, float half)
{
    int at = half * (blockIdx.x * blockDim.x + threadIdx.x);
    if (at < n)
        out[at] = in[at] + threadIdx.x;
}
/* Where k is 0, nobody may divide. */
__global__ void divides(const int *in, int *out, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (k > 8) {
        int at = i + n / (k - 8);
        out[at % N] = in[i];
    }
}

static int *in, *out, got[N];

static void show(const char *name)
{
    unsigned sum = 0;

    cudaError_t error = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        sum = sum * 31 + (unsigned)got[i];
    printf("%s %s %u\n", name, cudaGetErrorString(error), sum);
    cudaMemset(out, 0, sizeof got);
}

int main(void)
{
    static const dim3 blocks[] = {{1}, {8}, {9}, {33}, {256}, {8, 3}, {16, 16}, {9, 4, 2}};

    cudaMalloc(&in, sizeof got);
    cudaMalloc(&out, sizeof got);
    for (int i = 0; i < N; i++)
        got[i] = i * 7919 % 1009;
    cudaMemcpy(in, got, sizeof got, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof got);
    for (dim3 block : blocks) {
        dim3 line(1000 / block.x), plane(130 / block.x + 1, 130 / block.y + 1);
        plain<<<line, block>>>(in, out, 900, 3), show("plain");
        returns<<<line, block>>>(in, out, 900, 3), show("returns");
        border<<<plane, block>>>(in, out, 120 * 130, 130), show("border");
        turned<<<plane, block>>>(in, out, 5, 130), show("turned");
        follows<<<1, block>>>(in, out, 900, 1), show("follows 1");
        follows<<<1, block>>>(in, out, 900, 5), show("follows 5");
        wraps<<<line, block>>>(in, out, 7, 1 << 29), show("wraps");
        below<<<line, block>>>(in, out, N, 8), show("below");
        narrow<<<1, block>>>(in, out, 7, 8), show("narrow");
        rounds<<<1, block>>>(in, out, 900, 0.5f), show("rounds");
        divides<<<line, block>>>(in, out, 900, 8), show("divides");
        divides<<<line, block>>>(in, out, 900, 9), show("divides");
    }
    return cudaGetLastError() != cudaSuccess;
}
