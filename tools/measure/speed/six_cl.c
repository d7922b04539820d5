/* The kernels of six.cu in OpenCL, in the same sizes: six_cl KERNEL. The kernel is compiled before it is timed.
 * SPDX-License-Identifier: MIT */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BARRIER "barrier(CLK_LOCAL_MEM_FENCE);"
static const char *source =
    "kernel void vector_add(global const float *a, global float *b, global float *c, int n) {"
    "    int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }"
    "kernel void reduction(global const float *a, global float *b, global float *p, int n) {"
    "    local float s[256]; int t = get_local_id(0), i = get_global_id(0);"
    "    s[t] = i < n ? a[i] : 0; " BARRIER
    "    for (int d = 128; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; " BARRIER " }"
    "    if (t == 0) p[get_group_id(0)] = s[0]; }"
    "kernel void matrix_product(global const float *a, global float *b, global float *c, int n) {"
    "    local float A[16][16], B[16][16]; int x = get_local_id(0), y = get_local_id(1);"
    "    int r = get_group_id(1) * 16 + y, q = get_group_id(0) * 16 + x; float s = 0;"
    "    for (int t = 0; t < n; t += 16) {"
    "        A[y][x] = a[r * n + t + x]; B[y][x] = b[(t + y) * n + q]; " BARRIER
    "        for (int k = 0; k < 16; k++) s += A[y][k] * B[k][x]; " BARRIER " }"
    "    c[r * n + q] = s; }"
    "kernel void stencil(global const float *a, global float *u, global float *b, int n) {"
    "    int x = get_global_id(0), y = get_global_id(1);"
    "    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)"
    "        b[y * n + x] = 0.2f * (a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] +"
    "                               a[(y - 1) * n + x] + a[(y + 1) * n + x]); }"
    "kernel void histogram(global const uint *a, global float *u, global uint *h, int n) {"
    "    local uint s[256]; int t = get_local_id(0); s[t] = 0; " BARRIER
    "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&s[a[i] & 255], "
    "1u);" BARRIER "    atomic_add(&h[t], s[t]); }"
    "kernel void scan(global const float *a, global float *o, global float *p, int n) {"
    "    local float s[2][256]; int t = get_local_id(0), i = get_global_id(0), w = 0;"
    "    s[0][t] = a[i]; " BARRIER "    for (int d = 1; d < 256; d *= 2) {"
    "        s[1 - w][t] = t >= d ? s[w][t] + s[w][t - d] : s[w][t]; w = 1 - w; " BARRIER " }"
    "    o[i] = s[w][t]; if (t == 255) p[get_group_id(0)] = s[w][t]; }";

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int n = 16 << 20, m = n;
    size_t bytes = (size_t)n * 4, grid[2] = {(size_t)n, 1}, block[2] = {256, 1};
    cl_platform_id platform = NULL;
    cl_device_id device;
    cl_int error;

    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL) != CL_SUCCESS) {
        fprintf(stderr, "six_cl: no OpenCL for the CPU\n");
        return 77;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        return 1;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    if (error != CL_SUCCESS) {
        fprintf(stderr, "six_cl: no kernel '%s'\n", name);
        return 2;
    }

    cl_mem array[3];
    float *host = malloc(bytes);
    for (int i = 0; i < n; i++)
        host[i] = (float)(i % 13);
    for (cl_uint i = 0; i < 3; i++) {
        array[i] = clCreateBuffer(context, 0, bytes, NULL, &error);
        clEnqueueWriteBuffer(queue, array[i], 1, 0, bytes, host, 0, NULL, NULL);
        clSetKernelArg(kernel, i, sizeof array[i], &array[i]);
    }
    cl_uint dimensions = 1;
    if (!strcmp(name, "matrix_product") || !strcmp(name, "stencil")) {
        m = strcmp(name, "stencil") ? 512 : 4096;
        dimensions = 2;
        grid[0] = grid[1] = (size_t)m;
        block[0] = block[1] = 16;
    } else if (!strcmp(name, "histogram")) {
        grid[0] = 1024 * 256;
    }
    clSetKernelArg(kernel, 3, sizeof m, &m);

    double best = 1e30, sum = 0;
    for (int run = 0; run < 3; run++) { /* the first one compiles */
        memset(host, 0, bytes);
        clEnqueueWriteBuffer(queue, array[2], 1, 0, bytes, host, 0, NULL, NULL);
        double start = seconds();
        clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, grid, block, 0, NULL, NULL);
        clFinish(queue);
        double took = seconds() - start;
        best = took < best ? took : best;
    }
    clEnqueueReadBuffer(queue, array[2], 1, 0, bytes, host, 0, NULL, NULL);
    for (int i = 0; i < n; i++)
        sum +=
            strcmp(name, "histogram") ? (double)host[i] : ((unsigned *)host)[i] * (double)(i + 1);
    printf("%.3f %.17g\n", best / (double)(grid[0] * grid[1]) * 1e9, sum);
    return 0;
}
