/* A mistake with memory for each class, and the same program without it:
 *
 *   pairs CASE [wrong]
 *
 * memory.bats says what is to be found, on which line: the one that ends with "HERE CASE".
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 101 /* ints: 404 bytes, which leave 12 of padding */

struct pair {
    char a;
    double b;
};
__device__ int table[16];

__global__ void at(int *x, int i) { x[i] = 7; /* HERE after before padding freed null */ }
__global__ void get(const int *x, int *y, int i) { y[0] = x[i]; /* HERE read unset word copied host */ }
__global__ void add(int *x, int i) { atomicAdd(&x[i], 1); /* HERE atomic */ }
__global__ void byte(const char *x, char *y, int i) { y[0] = x[i]; /* HERE byte */ }
__global__ void wide8(char *x, int i) { *(double *)(x + i) = 1; /* HERE misaligned8 straddle */ }
__global__ void wide16(char *x, int i) { *(float4 *)(x + i) = make_float4(1, 2, 3, 4); /* HERE misaligned16 */ }
__global__ void of_device(int *y, int i) { y[0] = table[i]; /* HERE device */ }
__global__ void of_local(int *y, int i)
{
    int local[4] = {1, 2, 3, 4};
    local[y[0] & 3] = 5;
    y[0] = local[i]; /* HERE local */
}
__global__ void of_shared(int *y, int i)
{
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    __syncthreads();
    s[i] = 2; /* HERE shared */
    y[threadIdx.x] = s[threadIdx.x];
}
__global__ void of_dynamic(int *y, int i)
{
    extern __shared__ int d[];
    d[threadIdx.x] = 1;
    __syncthreads();
    d[i] = 2; /* HERE dynamic */
    y[threadIdx.x] = d[threadIdx.x];
}
__global__ void heap(int *y, int what)
{
    int *m = (int *)malloc(10 * sizeof *m); /* HERE heap_leak */
    for (int i = 0; i < 10; i++)
        m[i] = i;
    if (what == 1)
        m[10] = 1; /* HERE heap_after */
    y[0] = m[9];
    if (what != 2)
        free(m);
    if (what == 3)
        y[0] = m[3]; /* HERE heap_freed */
    if (what == 4)
        free(m); /* HERE heap_twice */
}
__global__ void with_new(int *y, int n)
{
    int *m = new int[4];
    m[n] = 3; /* HERE heap_new */
    y[0] = m[n];
    delete[] m;
}
__global__ void fill(struct pair *x) { x[threadIdx.x].a = 1, x[threadIdx.x].b = 2; }
__global__ void pass(const struct pair *x, struct pair *y) { y[threadIdx.x] = x[threadIdx.x]; }
struct base {
    __device__ virtual int value() const { return 1; }
};
struct derived : base {
    __device__ int value() const override { return 2; }
};
__global__ void build(struct derived *at, struct base **p) { *p = new (at) struct derived; }
__global__ void ask(struct base *const *p, int *y) { y[0] = (*p)->value(); }
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

/* 64 bytes, of which the first ones are set. */
static int *fresh(size_t set)
{
    int *x = NULL;
    (void)hipMalloc((void **)&x, 64); /* HERE unset allocation */
    if (set > 0)
        (void)hipMemset(x, 0, set);
    return x;
}
static int *take(size_t n)
{
    int *x = NULL;
    if (hipMalloc((void **)&x, n * sizeof *x) != hipSuccess || hipMemset(x, 0, n * sizeof *x) != hipSuccess)
        exit(3);
    return x;
}

#define CASE(name)       if (strcmp(which, #name) == 0)
#define RUN(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int wrong = argc > 2, h[N] = {0};
    int *x = take(N), *y = take(64), *z;

    RUN(twice, x);
    CASE(after) RUN(at, x, wrong ? N + 8 : N - 1);
    CASE(before) RUN(at, x, wrong ? -1 : 0);
    CASE(padding) RUN(at, x, wrong ? N : N - 1);
    CASE(read) RUN(get, x, y, wrong ? N : N - 1);
    CASE(atomic) RUN(add, x, wrong ? N : N - 1);
    CASE(freed)
    {
        z = take(N);
        if (wrong)
            (void)hipFree(z);
        RUN(at, z, 3);
        if (!wrong)
            (void)hipFree(z);
    }
    CASE(misaligned8) RUN(wide8, (char *)x, wrong ? 4 : 8);
    CASE(straddle) RUN(wide8, (char *)x, wrong ? 400 : 392);
    CASE(misaligned16) RUN(wide16, (char *)x, wrong ? 8 : 16);
    CASE(device) RUN(of_device, y, wrong ? 16 : 15);
    CASE(local) RUN(of_local, y, wrong ? 4 : 3);
    CASE(shared) of_shared<<<1, 32>>>(y, wrong ? 32 : 31);
    CASE(dynamic) of_dynamic<<<1, 32, 128>>>(y, wrong ? 33 : 31);
    CASE(heap_after) RUN(heap, y, wrong ? 1 : 0);
    CASE(heap_leak) RUN(heap, y, wrong ? 2 : 0);
    CASE(heap_freed) RUN(heap, y, wrong ? 3 : 0);
    CASE(heap_twice) RUN(heap, y, wrong ? 4 : 0);
    CASE(heap_new) RUN(with_new, y, wrong ? 4 : 3);
    CASE(null) RUN(at, wrong ? NULL : x, 3);
    CASE(host) RUN(get, wrong ? (int *)memset(malloc(4), 0, 4) : x, y, 0);
    CASE(unset) RUN(get, fresh(wrong ? 0 : 64), y, 3);
    CASE(word) RUN(get, fresh(wrong ? 10 : 12), y, 2); /* the last 2 bytes of a word */
    CASE(byte) RUN(byte, (char *)fresh(wrong ? 3 : 4), (char *)y, 3);
    CASE(copy_out)
    (void)hipMemcpy(h, fresh(wrong ? 60 : 64), 64, hipMemcpyDeviceToHost); /* HERE copy_out */
    CASE(copied)
    {
        int *u = fresh(0);
        z = fresh(wrong ? 0 : 64);
        (void)hipMemcpy(x, z, 64, hipMemcpyDeviceToDevice);
        (void)hipMemcpy(u, z, 64, hipMemcpyDeviceToDevice);
        RUN(get, u, y, 1);
        (void)hipFree(u);
        (void)hipFree(z);
    }
    CASE(twice)
    {
        z = take(4);
        (void)hipFree(z);
        if (wrong)
            (void)hipFree(z); /* HERE twice */
    }
    CASE(async_twice)
    {
        (void)hipMallocAsync((void **)&z, 16, NULL);
        (void)hipFreeAsync(z, NULL);
        if (wrong)
            (void)hipFreeAsync(z, NULL); /* HERE async_twice */
    }
    CASE(inside)
    {
        z = take(4);
        (void)hipFree(wrong ? z + 1 : z); /* HERE inside */
        if (wrong)
            (void)hipFree(z);
    }
    CASE(of_host)
    {
        z = (int *)malloc(64);
        wrong ? (void)hipFree(z) : free(z); /* HERE of_host */
    }
    CASE(leak) for (int i = 0; i < 2; i++)
    {
        z = take(5);
        if (!wrong)
            (void)hipFree(z);
    }
    CASE(pinned_leak)
    {
        (void)hipHostMalloc((void **)&z, 64, 0); /* HERE pinned_leak */
        if (!wrong)
            (void)hipHostFree(z);
    }
    CASE(dereference) printf("%d\n", wrong ? x[2] : h[2]); /* HERE dereference */
    CASE(host_copy)
    {
        if (wrong)
            memcpy(h, x, sizeof h); /* HERE host_copy */
        else
            (void)hipMemcpy(h, x, sizeof h, hipMemcpyDeviceToHost);
        printf("%d\n", h[0]); /* else a compiler leaves out the copy */
    }
    CASE(pinned_freed)
    {
        (void)hipHostMalloc((void **)&z, 64, 0);
        z[0] = 1;
        if (wrong)
            (void)hipHostFree(z);
        z[1] = 2; /* HERE pinned_freed */
        if (!wrong)
            (void)hipHostFree(z);
    }
    CASE(launch) twice<<<1, wrong ? 2048 : 64>>>(x);                                    /* HERE launch */
    CASE(copy) hipMemcpy(h, x, wrong ? sizeof h + 4 : sizeof h, hipMemcpyDeviceToHost); /* HERE copy */
    CASE(rows) /* with arguments on the stack */
    {
        hipMemcpy2DAsync(h, 8, x, 8, wrong ? 12 : 8, 4, hipMemcpyDeviceToHost, 0); /* HERE rows */
    }
    CASE(checked)
    { /* failures that the program looks at: nothing to find */
        hipError_t e = hipMemset(x, 0, 1 << 20);
        int any = hipMemcpy2D(h, 8, x, 8, 12, 4, hipMemcpyDeviceToHost);
        any |= hipMemcpy(h, x, 1 << 20, hipMemcpyDeviceToHost);
        if (e == hipSuccess || any == hipSuccess)
            return 3;
    }
    CASE(asked)
    { /* the same by the last error */
        twice<<<1, 2048>>>(x);
        (void)hipMemset(x, 0, 1 << 20);
        if (hipGetLastError() == hipSuccess)
            return 3;
    }
    CASE(structs)
    { /* the bytes between members are no mistake */
        struct pair *p = (struct pair *)fresh(0), *q = (struct pair *)fresh(0);
        fill<<<1, 4>>>(p);
        pass<<<1, 4>>>(p, q);
        (void)hipMemcpy(h, q, 4 * sizeof *q, hipMemcpyDeviceToHost);
        (void)hipFree(p);
        (void)hipFree(q);
    }
    CASE(managed)
    { /* the host may write and read it */
        (void)hipMallocManaged((void **)&z, 64, hipMemAttachGlobal);
        for (int i = 0; i < 16; i++)
            z[i] = i;
        twice<<<1, 16>>>(z);
        (void)hipDeviceSynchronize();
        printf("%d\n", z[3]);
        (void)hipFree(z);
    }
    CASE(dispatched)
    { /* the compiler writes the pointer to the table of functions */
        struct derived *d = NULL;
        struct base **p = NULL;
        (void)hipMalloc((void **)&d, sizeof *d);
        (void)hipMalloc((void **)&p, sizeof *p);
        RUN(build, d, p);
        RUN(ask, p, y);
        (void)hipFree(p);
        (void)hipFree(d);
    }
    CASE(failures)
    {
        hipMemset(x, 0, wrong ? 1 << 20 : 4);
        hipMemset(x, 1, wrong ? 1 << 20 : 4);
    }
    CASE(registered)
    {
        (void)hipHostRegister(h, sizeof h, 0);
        twice<<<1, 16>>>(h);
        (void)hipDeviceSynchronize();
        (void)hipHostUnregister(h);
    }
    if (hipDeviceSynchronize() != hipSuccess || hipFree(x) != hipSuccess || hipFree(y) != hipSuccess)
        return 3;
}
