/* Arrays, textures and surfaces: what hosts call. Kernels read and write them by kernel/texture.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_API_TEXTURE_H
#define HIP_CPU_API_TEXTURE_H

typedef enum hipChannelFormatKind {
    hipChannelFormatKindSigned,
    hipChannelFormatKindUnsigned,
    hipChannelFormatKindFloat,
    hipChannelFormatKindNone
} hipChannelFormatKind;
typedef struct hipChannelFormatDesc {
    int x, y, z, w; /* bits of each channel */
    hipChannelFormatKind f;
} hipChannelFormatDesc;

enum {
    hipArrayDefault = 0,
    hipArrayLayered = 1,
    hipArraySurfaceLoadStore = 2,
    hipArrayCubemap = 4,
    hipArrayTextureGather = 8
};

/* Elements in rows without padding, on the device; layers and faces come after each other, as slices do. */
typedef struct hipArray {
    void *data;
    hipChannelFormatDesc desc;
    hipExtent extent; /* as it was asked for: 0 for a dimension that it has not */
    unsigned flags;
} hipArray;
typedef hipArray *hipArray_t;
typedef const hipArray *hipArray_const_t;

typedef enum hipResourceType {
    hipResourceTypeArray,
    hipResourceTypeMipmappedArray,
    hipResourceTypeLinear,
    hipResourceTypePitch2D
} hipResourceType;
typedef struct hipResourceDesc {
    hipResourceType resType;
    union {
        struct {
            hipArray_t array;
        } array;
        struct {
            void *devPtr;
            hipChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            hipChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
} hipResourceDesc;

typedef enum hipTextureAddressMode {
    hipAddressModeWrap,
    hipAddressModeClamp,
    hipAddressModeMirror,
    hipAddressModeBorder
} hipTextureAddressMode;
typedef enum hipTextureFilterMode { hipFilterModePoint, hipFilterModeLinear } hipTextureFilterMode;
typedef enum hipTextureReadMode { hipReadModeElementType, hipReadModeNormalizedFloat } hipTextureReadMode;
typedef struct hipTextureDesc {
    hipTextureAddressMode addressMode[3];
    hipTextureFilterMode filterMode;
    hipTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    hipTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
} hipTextureDesc;
typedef enum hipSurfaceBoundaryMode {
    hipBoundaryModeZero,
    hipBoundaryModeClamp,
    hipBoundaryModeTrap
} hipSurfaceBoundaryMode;

/* What a kernel reads: elements, and how coordinates lead to them. */
typedef struct hip_cpu_texture {
    char *data;
    size_t pitch, slice, element;
    int size[3];
    hipChannelFormatDesc desc;
    hipTextureDesc how;
    hipResourceDesc resource;
} * hipTextureObject_t;
typedef struct hip_cpu_texture *hipSurfaceObject_t;

#ifdef __cplusplus
extern "C" {
#endif

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind);
hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width,
                          size_t height HIP_CPU_DEFAULT(0), unsigned flags HIP_CPU_DEFAULT(0));
hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *desc, hipExtent extent,
                            unsigned flags HIP_CPU_DEFAULT(0));
hipError_t hipFreeArray(hipArray_t array);
hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent, unsigned *flags, hipArray_t array);
hipError_t hipMemcpy2DToArray(hipArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                              size_t height, hipMemcpyKind kind);
hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                   size_t height, hipMemcpyKind kind, hipStream_t stream HIP_CPU_DEFAULT(0));
hipError_t hipMemcpy2DFromArray(void *to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width,
                                size_t height, hipMemcpyKind kind);
hipError_t hipMemcpyToArray(hipArray_t to, size_t x, size_t y, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyFromArray(void *to, hipArray_const_t from, size_t x, size_t y, size_t bytes, hipMemcpyKind kind);
hipError_t hipCreateTextureObject(hipTextureObject_t *texture, const hipResourceDesc *resource,
                                  const hipTextureDesc *how, const void *view);
hipError_t hipDestroyTextureObject(hipTextureObject_t texture);
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *surface, const hipResourceDesc *resource);
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface);

#ifdef __cplusplus
}

/* What a channel of T is, and how many there are. */
template <typename T, typename = void> struct hip_cpu_channels {
    typedef T type;
};
template <typename T> struct hip_cpu_channels<T, decltype((void)T().x)> {
    typedef decltype(T().x) type;
};

/* hipCreateChannelDesc<float4>() */
template <typename T> inline hipChannelFormatDesc hipCreateChannelDesc()
{
    typedef typename hip_cpu_channels<T>::type channel;
    constexpr int count = sizeof(T) / sizeof(channel), bits = 8 * sizeof(channel);

    return hipCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
                                (channel)0.5 != 0          ? hipChannelFormatKindFloat
                                : (channel)-1 < (channel)0 ? hipChannelFormatKindSigned
                                                           : hipChannelFormatKindUnsigned);
}
#endif

#endif
