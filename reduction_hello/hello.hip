/* A whole GPU program in one file. It adds up numbers: ./reduction_hello 1 2 3 4 5 6 7 8
 * Step     0; in all other steps the program around the kernel is in common/harness. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <hip/hip_runtime.h>

static int complain(const char *what, const char *why, int status)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return status;
}
#define CHECK(call) check((call), "hello.hip: " #call) /* every call of HIP can fail */
static void check(hipError_t error, const char *what)
{
    if (error != hipSuccess)
        exit(complain(what, hipGetErrorString(error), 3));
}

/* Runs on the GPU, once for each thread: thread i adds element i. */
__global__ void add_elements(const float *input, float *output, int N)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (unsigned)N)
        atomicAdd(output, input[i]);
}

/* output[0] becomes the sum of input[0] to input[N - 1]. Both arrays are in the memory of the GPU. */
extern "C" void solve(const float *input, float *output, int N)
{
    const int block = 256, grid = N / block + (N % block != 0);

    CHECK(hipMemset(output, 0, sizeof *output));
    if (grid > 0)
        add_elements<<<grid, block>>>(input, output, N);
    CHECK(hipGetLastError());      /* a launch has no return value: its error is here */
    CHECK(hipDeviceSynchronize()); /* and it returns before the kernel is done */
}

/* The CPU's part: memory on the GPU, numbers to it, the work, the result back. */
static float sum(const float *numbers, int N)
{
    float *input, *output, result;

    CHECK(hipMalloc((void **)&input, N * sizeof *input));
    CHECK(hipMalloc((void **)&output, sizeof *output));
    CHECK(hipMemcpy(input, numbers, N * sizeof *input, hipMemcpyHostToDevice));
    solve(input, output, N);
    CHECK(hipMemcpy(&result, output, sizeof result, hipMemcpyDeviceToHost));
    CHECK(hipFree(output));
    CHECK(hipFree(input));
    return result;
}

int main(int argc, char **argv)
{
    static float numbers[1024] = {1, 2, 3, 4, 5, 6, 7, 8};
    int N = argc > 1 ? argc - 1 : 8, devices = 0;

    for (int i = 0; i < argc - 1; i++) {
        char *end = argv[i + 1];
        if (i < 1024)
            numbers[i] = strtof(argv[i + 1], &end);
        if (end == argv[i + 1] || *end != '\0')
            return complain(argv[i + 1], "give numbers, 1024 at most", 2);
    }
    if (hipGetDeviceCount(&devices) != hipSuccess || devices == 0)
        return complain("no GPU found", "run it on a machine with a GPU, or make GPU=cpu", 77);
    printf("sum of %d numbers: %g\n", N, sum(numbers, N));
    return fflush(stdout) == 0 ? 0 : complain("output", "cannot be written", 3);
}
