/* Six kernels, and one with shuffles, which OpenCL's six_cl.c has not, and the processor time that each of their threads takes
 * in nanoseconds, a sum, and the seconds of the process: six KERNEL [SHIFT], where each problem is 2^SHIFT times smaller.
 * SPDX-License-Identifier: MIT */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>

#define BLOCK 256
#define SIDE  16

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void reduction(const float *a, float *partials, int n)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

    s[t] = i < n ? a[i] : 0;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partials[blockIdx.x] = s[0];
}

__global__ void matrix_product(const float *a, const float *b, float *c, int n)
{
    __shared__ float A[SIDE][SIDE], B[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y,
        column = blockIdx.x * SIDE + x;
    float sum = 0;

    for (int t = 0; t < n; t += SIDE) {
        A[y][x] = a[row * n + t + x];
        B[y][x] = b[(t + y) * n + column];
        __syncthreads();
        for (int k = 0; k < SIDE; k++)
            sum += A[y][k] * B[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void stencil(const float *a, float *b, int n)
{
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;

    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        b[y * n + x] = 0.2f * (a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] +
                               a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}

__global__ void histogram(const unsigned *a, unsigned *counts, int n)
{
    __shared__ unsigned s[BLOCK];
    int t = threadIdx.x;

    s[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK)
        atomicAdd(&s[a[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&counts[t], s[t]);
}

__global__ void scan(const float *a, float *out, float *partials, int n)
{
    __shared__ float s[2][BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t, w = 0;

    s[0][t] = a[i];
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        s[1 - w][t] = t >= d ? s[w][t] + s[w][t - d] : s[w][t];
        w = 1 - w;
        __syncthreads();
    }
    out[i] = s[w][t];
    if (t == BLOCK - 1)
        partials[blockIdx.x] = s[w][t];
}

__global__ void shuffles(const float *a, float *partials, int n)
{
    __shared__ float s[BLOCK / 32];
    int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = i < n ? a[i] : 0;

    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        s[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < BLOCK / 32 ? s[lane] : 0;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, d);
        if (lane == 0)
            partials[blockIdx.x] = sum;
    }
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int shift = argc > 2 ? atoi(argv[2]) : 0;
    int n = (16 << 20) >> shift, m = 4096 >> shift / 2, p = 512 >> shift / 3;
    long threads = n;
    double best = 1e30;
    float *a, *b, *c, *host = (float *)malloc(n * sizeof *host);

    for (int i = 0; i < n; i++)
        host[i] = i % 13;
    cudaMalloc(&a, n * sizeof *a);
    cudaMalloc(&b, n * sizeof *b);
    cudaMalloc(&c, n * sizeof *c);
    cudaMemcpy(a, host, n * sizeof *a, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, n * sizeof *b, cudaMemcpyHostToDevice);
    for (int run = 0; run < 2; run++) {
        cudaMemset(c, 0, n * sizeof *c);
        double start = seconds();
        if (!strcmp(name, "vector_add")) {
            vector_add<<<n / BLOCK, BLOCK>>>(a, b, c, n);
        } else if (!strcmp(name, "reduction")) {
            reduction<<<n / BLOCK, BLOCK>>>(a, c, n);
        } else if (!strcmp(name, "shuffles")) {
            shuffles<<<n / BLOCK, BLOCK>>>(a, c, n);
        } else if (!strcmp(name, "matrix_product")) {
            threads = (long)p * p;
            matrix_product<<<dim3(p / SIDE, p / SIDE), dim3(SIDE, SIDE)>>>(a, b, c, p);
        } else if (!strcmp(name, "stencil")) {
            threads = (long)m * m;
            stencil<<<dim3(m / SIDE, m / SIDE), dim3(SIDE, SIDE)>>>(a, c, m);
        } else if (!strcmp(name, "histogram")) {
            threads = 1024 * BLOCK >> shift;
            histogram<<<dim3(1024 >> shift), BLOCK>>>((unsigned *)a, (unsigned *)c, n);
        } else if (!strcmp(name, "scan")) {
            scan<<<n / BLOCK, BLOCK>>>(a, b, c, n);
        } else {
            fprintf(stderr, "six: no kernel '%s'\n", name);
            return 2;
        }
        cudaDeviceSynchronize();
        double took = seconds() - start;
        best = took < best ? took : best;
    }
    cudaMemcpy(host, c, n * sizeof *c, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += strcmp(name, "histogram") ? host[i] : ((unsigned *)host)[i] * (double)(i + 1);
    printf("%.3f %.17g %.3f\n", best / threads * 1e9, sum, seconds());
    return cudaGetLastError() != cudaSuccess;
}
