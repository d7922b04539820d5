/* Textures and surfaces: elements, filters, address modes, layers, cubes, copies.
 * SPDX-License-Identifier: MIT */
#include "construct.h"

enum { W = 4, H = 2 };

static cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureFilterMode filter = cudaFilterModePoint,
                                      cudaTextureAddressMode address = cudaAddressModeClamp, int normalized = 0,
                                      cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaTextureDesc how = {};
    cudaTextureObject_t texture = 0;

    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = address;
    how.filterMode = filter;
    how.readMode = read;
    how.normalizedCoords = normalized;
    OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

static cudaResourceDesc array_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};

    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

/* Elements are 10 y + x. */
__global__ void planes(cudaTextureObject_t point, cudaTextureObject_t linear, cudaTextureObject_t wrap,
                       cudaTextureObject_t border, int *wrong)
{
    HOLDS(tex2D<float>(point, 2.9f, 1.1f) == 12 && tex2D<float>(point, -3, 9) == 10);
    HOLDS(tex2D<float>(linear, 1.5f, 0.5f) == 1 && tex2D<float>(linear, 2, 1) == 6.5f);
    HOLDS(tex2D<float>(linear, 0, 0) == 0 && tex2D<float>(linear, 4, 2) == 13);
    HOLDS(tex2D<float>(wrap, 1.125f, 0.25f) == 0 && tex2D<float>(wrap, -0.125f, 1.75f) == 13);
    HOLDS(tex2D<float>(border, 4.5f, 0.5f) == 0 && tex2D<float>(border, 3.5f, 0.5f) == 3);
}

__global__ void layers(cudaTextureObject_t layered, cudaTextureObject_t cube, cudaTextureObject_t volume, int *wrong)
{
    HOLDS(tex2DLayered<float>(layered, 0.5f, 1.5f, 5) == 502);
    HOLDS(texCubemap<float>(cube, 1, -0.5f, 0.5f) == 2 && texCubemap<float>(cube, 0.5f, 0.5f, -1) == 500);
    HOLDS(tex3D<float>(volume, 0.5f, 0.5f, 1) == 50);
}

__global__ void bytes(cudaTextureObject_t shares, cudaTextureObject_t elements, int *wrong)
{
    float4 share = tex2D<float4>(shares, 1, 0);
    uchar4 element = tex1Dfetch<uchar4>(elements, 1);

    HOLDS(share.x == 1 && share.y == 0 && share.w == 51 / 255.0f && element.x == 255 && element.w == 51);
}

#ifdef HIP_CPU_CUDA_H /* CUDA 12 has them no longer */
texture<float, 2, cudaReadModeElementType> plane_reference;
texture<uchar4, 1, cudaReadModeNormalizedFloat> share_reference;
__global__ void references(float x, int *wrong)
{
    HOLDS(tex2D(plane_reference, x, 1) == 6.5f);
    HOLDS(tex1Dfetch(share_reference, 1).w == 51 / 255.0f);
}
#endif

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int *wrong)
{
    float value;
    int x = threadIdx.x, y = threadIdx.y;

    surf2Dread(&value, from, x * 4, y);
    surf2Dwrite(-value, to, x * 4, y, cudaBoundaryModeTrap);
    surf2Dwrite(1.0f, to, W * 4, y, cudaBoundaryModeZero);
    HOLDS(surf2Dread<float>(from, -4, y, cudaBoundaryModeZero) == 0);
}

int main()
{
    float plane[H][W], back[H][W], stack[6][2][2];
    uchar4 pixels[2] = {};
    cudaArray_t array, other, six, faces, deep;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>(), got;
    cudaExtent extent = make_cudaExtent(2, 2, 6);
    cudaMemcpy3DParms copy = {};

    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            plane[y][x] = 10 * y + x;
    OK(cudaMallocArray(&array, &desc, W, H));
    OK(cudaMallocArray(&other, &desc, W, H, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(array, 0, 0, plane, sizeof plane[0], sizeof plane[0], H, cudaMemcpyHostToDevice));
    EXPECT(cudaMemcpy2DToArray(array, 4, 0, plane, sizeof plane[0], sizeof plane[0], H, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidValue);
    (void)cudaGetLastError();
    cudaTextureObject_t point = texture_of(array_of(array));
    LAUNCHED(planes<<<1, 1>>>(point, texture_of(array_of(array), cudaFilterModeLinear),
                              texture_of(array_of(array), cudaFilterModePoint, cudaAddressModeWrap, 1),
                              texture_of(array_of(array), cudaFilterModePoint, cudaAddressModeBorder), wrong));
    OK(cudaDestroyTextureObject(point));

    for (int z = 0; z < 6; z++)
        for (int i = 0; i < 4; i++)
            stack[z][i / 2][i % 2] = 100 * z + i;
    copy.srcPtr = make_cudaPitchedPtr(stack, sizeof stack[0][0], 2, 2);
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMalloc3DArray(&six, &desc, extent, cudaArrayLayered));
    OK(cudaMalloc3DArray(&faces, &desc, extent, cudaArrayCubemap));
    OK(cudaMalloc3DArray(&deep, &desc, extent));
    cudaArray_t all[] = {six, faces, deep};
    for (int i = 0; i < 3; i++) {
        copy.dstArray = all[i];
        OK(cudaMemcpy3D(&copy));
    }
    LAUNCHED(layers<<<1, 1>>>(texture_of(array_of(six)),
                              texture_of(array_of(faces), cudaFilterModePoint, cudaAddressModeClamp, 1),
                              texture_of(array_of(deep), cudaFilterModeLinear), wrong));

    cudaResourceDesc linear = {}, pitched = {};
    uchar4 *d_pixels;
    pixels[1] = make_uchar4(255, 0, 0, 51);
    OK(cudaMalloc(&d_pixels, sizeof pixels));
    OK(cudaMemcpy(d_pixels, pixels, sizeof pixels, cudaMemcpyHostToDevice));
    linear.resType = cudaResourceTypeLinear, linear.res.linear.devPtr = d_pixels;
    linear.res.linear.desc = cudaCreateChannelDesc<uchar4>(), linear.res.linear.sizeInBytes = sizeof pixels;
    pitched.resType = cudaResourceTypePitch2D, pitched.res.pitch2D.devPtr = d_pixels;
    pitched.res.pitch2D.desc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    pitched.res.pitch2D.width = 2, pitched.res.pitch2D.height = 1, pitched.res.pitch2D.pitchInBytes = sizeof pixels;
    LAUNCHED(
        bytes<<<1, 1>>>(texture_of(pitched, cudaFilterModePoint, cudaAddressModeClamp, 0, cudaReadModeNormalizedFloat),
                        texture_of(linear), wrong));

#ifdef HIP_CPU_CUDA_H
    plane_reference.filterMode = cudaFilterModeLinear;
    OK(cudaBindTextureToArray(plane_reference, array));
    OK(cudaBindTexture(NULL, share_reference, d_pixels, sizeof pixels));
    LAUNCHED(references<<<1, 1>>>(2.0f, wrong));
    OK(cudaUnbindTexture(plane_reference));
#endif

    cudaSurfaceObject_t from, to;
    cudaResourceDesc in = array_of(array), out = array_of(other);
    OK(cudaCreateSurfaceObject(&from, &in));
    OK(cudaCreateSurfaceObject(&to, &out));
    LAUNCHED(turn<<<1, dim3(W, H)>>>(from, to, wrong));
    OK(cudaMemcpy2DFromArray(back, sizeof back[0], other, 0, 0, sizeof back[0], H, cudaMemcpyDeviceToHost));
    EXPECT(back[0][0] == 0 && back[1][3] == -13);
    OK(cudaArrayGetInfo(&got, &extent, NULL, other));
    EXPECT(got.x == 32 && got.y == 0 && got.f == cudaChannelFormatKindFloat && extent.width == W && extent.height == H);
    OK(cudaFreeArray(other));
}
