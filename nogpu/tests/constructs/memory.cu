/* Memory in all its forms, and copies between them.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include <string.h>

#include "construct.h"

__device__ float table[8];
__managed__ int shared_by_all = 5;

__global__ void twice(float *x, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
__global__ void rows(float *x, size_t pitch, int width)
{
    float *row = (float *)((char *)x + blockIdx.x * pitch);
    if ((int)threadIdx.x < width)
        row[threadIdx.x] += 100;
}
__global__ void add_all(int *x)
{
    atomicAdd(&shared_by_all, *x);
    table[threadIdx.x] = (float)threadIdx.x;
}

static void pitched(void)
{
    float in[3][5], out[3][5], *device;
    size_t pitch;

    for (int i = 0; i < 15; i++)
        in[i / 5][i % 5] = (float)i;
    OK(cudaMallocPitch(&device, &pitch, sizeof in[0], 3));
    EXPECT(pitch >= sizeof in[0]);
    OK(cudaMemcpy2D(device, pitch, in, sizeof in[0], sizeof in[0], 3, cudaMemcpyHostToDevice));
    rows<<<3, 32>>>(device, pitch, 5);
    OK(cudaMemcpy2DAsync(out, sizeof out[0], device, pitch, sizeof in[0], 3, cudaMemcpyDeviceToHost, 0));
    OK(cudaDeviceSynchronize());
    EXPECT(out[0][0] == 100 && out[1][2] == 107 && out[2][4] == 114);
    OK(cudaMemset2D(device, pitch, 0, 2 * sizeof(float), 3));
    OK(cudaMemcpy2D(out, sizeof out[0], device, pitch, sizeof in[0], 3, cudaMemcpyDeviceToHost));
    EXPECT(out[1][1] == 0 && out[1][2] == 107);
    EXPECT(cudaMemcpy2D(out, 4, device, pitch, 20, 3, cudaMemcpyDeviceToHost) != cudaSuccess);
    (void)cudaGetLastError();
    OK(cudaFree(device));
}

static void solid(void)
{
    cudaExtent extent = make_cudaExtent(4 * sizeof(int), 3, 2);
    cudaPitchedPtr device;
    int in[2][3][4], out[2][3][4];
    cudaMemcpy3DParms p;

    for (int i = 0; i < 24; i++)
        in[i / 12][i / 4 % 3][i % 4] = i;
    OK(cudaMalloc3D(&device, extent));
    memset(&p, 0, sizeof p);
    p.srcPtr = make_cudaPitchedPtr(in, sizeof in[0][0], 4, 3);
    p.dstPtr = device;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    memset(out, 0, sizeof out);
    memset(&p, 0, sizeof p);
    p.srcPtr = device;
    p.srcPos = make_cudaPos(0, 1, 1); /* the second slice, from its second row */
    p.dstPtr = make_cudaPitchedPtr(out, sizeof out[0][0], 4, 3);
    p.extent = make_cudaExtent(4 * sizeof(int), 2, 1);
    p.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&p));
    EXPECT(out[0][0][0] == 16 && out[0][1][3] == 23 && out[1][0][0] == 0);
    /* On the default stream, without naming it. */
    OK(cudaMemset3DAsync(device, 1, extent));
    OK(cudaMemset2DAsync(device.ptr, device.pitch, 2, 4, 3));
    OK(cudaMemcpy3DAsync(&p));
    OK(cudaDeviceSynchronize());
    EXPECT(out[0][1][3] == 0x01010101);
    OK(cudaMemcpyPeerAsync(device.ptr, 0, (char *)device.ptr + device.pitch, 0, 8));
    OK(cudaMemcpy2D(out, 16, device.ptr, device.pitch, 16, 2, cudaMemcpyDeviceToHost));
    EXPECT(out[0][0][0] == 0x02020202 && out[0][0][1] == 0x01010101);
    OK(cudaFree(device.ptr));
}

static void in_order(void)
{
    cudaStream_t stream;
    cudaMemPool_t pool;
    float *x, out[4], in[4] = {1, 2, 3, 4};
    unsigned long long keep = 1 << 20, kept = 0;

    OK(cudaStreamCreate(&stream));
    OK(cudaMallocAsync(&x, sizeof in, stream));
    OK(cudaMemcpyAsync(x, in, sizeof in, cudaMemcpyHostToDevice, stream));
    twice<<<1, 32, 0, stream>>>(x, 4);
    OK(cudaMemcpyAsync(out, x, sizeof out, cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(x, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(out[0] == 2 && out[3] == 8);
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    EXPECT(kept == keep);
    OK(cudaMallocFromPoolAsync(&x, 64, pool, stream));
    OK(cudaMemsetAsync(x, 0, 64, stream));
    OK(cudaFreeAsync(x, stream));
    OK(cudaStreamDestroy(stream));
}

__device__ int of_device[2];

__global__ void spaces(int *wrong)
{
    extern __shared__ int dynamic[];
    __shared__ int fixed[2];
    int own[2] = {(int)threadIdx.x, 0}, *p = threadIdx.x % 2 ? own : fixed;

    HOLDS(__isShared(dynamic + 1) && __isShared(fixed + 1) && !__isShared(own));
    HOLDS(!__isShared(wrong) && !__isShared(of_device + 1));
    HOLDS(__isLocal(own + 1) && !__isLocal(fixed) && !__isLocal(dynamic) && !__isLocal(wrong));
    HOLDS(__isGlobal(wrong) && __isGlobal(of_device) && !__isGlobal(fixed) && !__isGlobal(own));
    HOLDS(__isShared(p) == (threadIdx.x % 2 == 0));
}

int main(void)
{
    float *managed, *host, *alias, *symbol, in[8] = {1, 2, 3}, out[8];
    int *x, one = 2, can = 1;
    size_t bytes = 0, total = 0;
    cudaPointerAttributes a;

    OK(cudaMallocManaged(&managed, 64 * sizeof *managed));
    for (int i = 0; i < 64; i++)
        managed[i] = (float)i;
    twice<<<1, 64>>>(managed, 64);
    OK(cudaDeviceSynchronize());
    EXPECT(managed[63] == 126);
    OK(cudaPointerGetAttributes(&a, managed + 3));
    EXPECT(a.type == cudaMemoryTypeManaged);
    OK(cudaPointerGetAttributes(&a, &shared_by_all));
    EXPECT(a.type == cudaMemoryTypeManaged);
    OK(cudaMemcpy(&shared_by_all, &one, sizeof one, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(out, &shared_by_all, sizeof one, cudaMemcpyDeviceToHost));
    EXPECT(shared_by_all == 2 && memcmp(out, &one, sizeof one) == 0);
    shared_by_all = 5;
    OK(cudaPointerGetAttributes(&a, &host));
    EXPECT(a.type == cudaMemoryTypeUnregistered && a.devicePointer == nullptr);
    OK(cudaFree(managed));

    OK(cudaMallocHost(&host, 64, cudaHostAllocDefault));
    OK(cudaHostGetDevicePointer(&alias, host, 0));
    host[2] = 21;
    twice<<<1, 16>>>(alias, 16);
    OK(cudaDeviceSynchronize());
    EXPECT(host[2] == 42);
    OK(cudaFreeHost(host));
    host = (float *)malloc(4096);
    OK(cudaHostRegister(host, 4096, cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer(&alias, host, 0));
    host[1] = 4;
    twice<<<1, 16>>>(alias, 16);
    OK(cudaDeviceSynchronize());
    EXPECT(host[1] == 8);
    OK(cudaHostUnregister(host));
    free(host);

    OK(cudaMalloc(&x, sizeof one));
    OK(cudaMemcpy(x, &one, sizeof one, cudaMemcpyHostToDevice));
    add_all<<<1, 8>>>(x);
    OK(cudaDeviceSynchronize());
    EXPECT(shared_by_all == 21);
    OK(cudaGetSymbolAddress((void **)&symbol, table));
    OK(cudaGetSymbolSize(&bytes, table));
    EXPECT(bytes == sizeof in);
    OK(cudaMemcpy(out, symbol, sizeof out, cudaMemcpyDeviceToHost));
    EXPECT(out[7] == 7);
    OK(cudaMemcpy(symbol, in, sizeof in, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(out, table, 2 * sizeof(float), sizeof(float)));
    EXPECT(out[0] == 2 && out[1] == 3);
    EXPECT(cudaMemcpyToSymbol(table, in, 3 * sizeof(float), 6 * sizeof(float)) ==
           cudaErrorInvalidValue); /* past its end */
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    twice<<<1, 8>>>(symbol, 8);
    OK(cudaMemcpyFromSymbolAsync(out, table, sizeof out, 0, cudaMemcpyDeviceToHost, 0));
    OK(cudaDeviceSynchronize());
    EXPECT(out[2] == 6);

    pitched();
    solid();
    in_order();
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    EXPECT(can == 0 && cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice);
    OK(cudaMemGetInfo(&bytes, &total));
    EXPECT(bytes > 0 && bytes <= total && cudaMalloc(&x, (size_t)1 << 60) == cudaErrorMemoryAllocation);
    EXPECT(strlen(cudaGetErrorString(cudaGetLastError())) > 3);
    LAUNCHED(spaces<<<2, 32, 64>>>(wrong));
}
