/* What kernels read from textures, and read and write by surfaces. Filters have eight bits of weight, as on NVIDIA's GPUs.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_KERNEL_TEXTURE_H
#define HIP_CPU_KERNEL_TEXTURE_H

#include <math.h>
#include <string.h>

#include "hip_cpu/api/texture.h"
#include "hip_cpu/runtime.h"

/* The element for a coordinate, by its address mode; -1: the border. */
inline int hip_cpu_texture_index(const hip_cpu_texture *t, int axis, int i)
{
    int n = t->size[axis], turn;
    hipTextureAddressMode mode = t->how.addressMode[axis];

    if (i >= 0 && i < n)
        return i;
    if (mode == hipAddressModeBorder)
        return -1;
    if (!t->how.normalizedCoords || mode == hipAddressModeClamp)
        return i < 0 ? 0 : n - 1;
    if (mode == hipAddressModeWrap)
        return (i % n + n) % n;
    turn = (i % (2 * n) + 2 * n) % (2 * n);
    return turn < n ? turn : 2 * n - 1 - turn;
}

/* 16 bits of half precision. */
inline float hip_cpu_texture_half(const char *at)
{
    unsigned short bits;

    memcpy(&bits, at, sizeof bits);
    int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    float value = exponent == 31  ? (fraction ? __builtin_nanf("") : __builtin_inff())
                  : exponent == 0 ? __builtin_ldexpf((float)fraction, -24)
                                  : __builtin_ldexpf((float)(fraction + 1024), exponent - 25);
    return bits & 0x8000 ? -value : value;
}

/* A channel as a number: floats as they are, integers as a share of the largest. */
inline float hip_cpu_texture_channel(const hip_cpu_texture *t, const char *at, int bits)
{
    if (t->desc.f == hipChannelFormatKindFloat) {
        float wide;
        if (bits == 16)
            return hip_cpu_texture_half(at);
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    if (t->desc.f == hipChannelFormatKindSigned) {
        float value = bits == 8 ? *(const signed char *)at / 127.0f : *(const short *)at / 32767.0f;
        return value < -1 ? -1 : value;
    }
    return bits == 8 ? *(const unsigned char *)at / 255.0f : *(const unsigned short *)at / 65535.0f;
}

/* One element: as it is stored, or as floats. */
template <typename T> inline T hip_cpu_texel(const hip_cpu_texture *t, int x, int y, int z)
{
    T value;
    float channels[4] = {0, 0, 0, 0};

    memset((void *)&value, 0, sizeof value);
    if (x < 0 || y < 0 || z < 0) {
        memcpy(channels, t->how.borderColor, sizeof channels);
    } else {
        const char *at = t->data + z * t->slice + y * t->pitch + x * t->element;
        const int bits[4] = {t->desc.x, t->desc.y, t->desc.z, t->desc.w};

        if (t->how.readMode == hipReadModeElementType && (t->desc.f != hipChannelFormatKindFloat || t->desc.x != 16)) {
            memcpy((void *)&value, at, sizeof value < t->element ? sizeof value : t->element);
            return value;
        }
        for (int i = 0; i < 4 && bits[i]; at += bits[i++] / 8)
            channels[i] = hip_cpu_texture_channel(t, at, bits[i]);
    }
    memcpy((void *)&value, channels, sizeof value < sizeof channels ? sizeof value : sizeof channels);
    return value;
}

/* A coordinate in elements; of a linear filter its lower neighbour, and the weight of the upper one. */
inline int hip_cpu_texture_place(const hip_cpu_texture *t, int axis, float x, float *weight)
{
    if (t->how.normalizedCoords)
        x *= (float)t->size[axis];
    *weight = 0;
    if (t->how.filterMode == hipFilterModePoint)
        return (int)floorf(x);
    x -= 0.5f;
    *weight = rintf((x - floorf(x)) * 256) / 256;
    return (int)floorf(x);
}

/* At a place in `axes` dimensions; the layer, or else 0, is z. */
template <typename T>
inline T hip_cpu_texture_read(const hip_cpu_texture *t, int axes, float x, float y, float z, int layer)
{
    const float at[3] = {x, y, z};
    int low[3] = {0, 0, layer}, place[3];
    float weight[3] = {0, 0, 0}, sum[4] = {0, 0, 0, 0}, part[4] = {0, 0, 0, 0};
    T value;

    for (int i = 0; i < axes; i++)
        low[i] = hip_cpu_texture_place(t, i, at[i], &weight[i]);
    if (t->how.filterMode == hipFilterModePoint) {
        for (int i = 0; i < axes; i++)
            low[i] = hip_cpu_texture_index(t, i, low[i]);
        return hip_cpu_texel<T>(t, low[0], low[1], low[2]);
    }
    for (int corner = 0; corner < 1 << axes; corner++) {
        float share = 1;
        for (int i = 0; i < 3; i++) {
            int up = corner >> i & 1;
            place[i] = i < axes ? hip_cpu_texture_index(t, i, low[i] + up) : low[i];
            share *= up ? weight[i] : 1 - weight[i];
        }
        value = hip_cpu_texel<T>(t, place[0], place[1], place[2]);
        memcpy(part, (const void *)&value, sizeof value < sizeof part ? sizeof value : sizeof part);
        for (int i = 0; i < 4; i++)
            sum[i] += share == 0 ? 0 : share * part[i];
    }
    memcpy((void *)&value, sum, sizeof value < sizeof sum ? sizeof value : sizeof sum);
    return value;
}

/* The face that a direction points at, and where. */
template <typename T> inline T hip_cpu_texture_cube(const hip_cpu_texture *t, float x, float y, float z, int layer)
{
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, u, v;
    int face;

    if (ax >= ay && ax >= az)
        face = x < 0, m = ax, u = x < 0 ? z : -z, v = -y;
    else if (ay >= az)
        face = 2 + (y < 0), m = ay, u = x, v = y < 0 ? -z : z;
    else
        face = 4 + (z < 0), m = az, u = z < 0 ? -x : x, v = -y;
    u = (u / m + 1) / 2, v = (v / m + 1) / 2;
    if (!t->how.normalizedCoords)
        u *= (float)t->size[0], v *= (float)t->size[1];
    return hip_cpu_texture_read<T>(t, 2, u, v, 0, layer * 6 + face);
}

inline int hip_cpu_texture_layer(const hip_cpu_texture *t, int layer)
{
    return layer < 0 ? 0 : layer < t->size[2] ? layer : t->size[2] - 1;
}

/* Levels of detail are those of textures without mipmaps: none. */
#define HIP_CPU_TEXTURE(name, parameters, value)                                                                       \
    template <typename T> inline T name parameters { return value; }
HIP_CPU_TEXTURE(tex1Dfetch, (hipTextureObject_t t, int x), (hip_cpu_texel<T>(t, x < t->size[0] ? x : -1, 0, 0)))
HIP_CPU_TEXTURE(tex1D, (hipTextureObject_t t, float x), (hip_cpu_texture_read<T>(t, 1, x, 0, 0, 0)))
HIP_CPU_TEXTURE(tex2D, (hipTextureObject_t t, float x, float y), (hip_cpu_texture_read<T>(t, 2, x, y, 0, 0)))
HIP_CPU_TEXTURE(tex3D, (hipTextureObject_t t, float x, float y, float z), (hip_cpu_texture_read<T>(t, 3, x, y, z, 0)))
HIP_CPU_TEXTURE(tex1DLod, (hipTextureObject_t t, float x, float), (hip_cpu_texture_read<T>(t, 1, x, 0, 0, 0)))
HIP_CPU_TEXTURE(tex2DLod, (hipTextureObject_t t, float x, float y, float), (hip_cpu_texture_read<T>(t, 2, x, y, 0, 0)))
HIP_CPU_TEXTURE(tex3DLod, (hipTextureObject_t t, float x, float y, float z, float),
                (hip_cpu_texture_read<T>(t, 3, x, y, z, 0)))
HIP_CPU_TEXTURE(tex1DLayered, (hipTextureObject_t t, float x, int layer),
                (hip_cpu_texture_read<T>(t, 1, x, 0, 0, hip_cpu_texture_layer(t, layer))))
HIP_CPU_TEXTURE(tex2DLayered, (hipTextureObject_t t, float x, float y, int layer),
                (hip_cpu_texture_read<T>(t, 2, x, y, 0, hip_cpu_texture_layer(t, layer))))
HIP_CPU_TEXTURE(texCubemap, (hipTextureObject_t t, float x, float y, float z), (hip_cpu_texture_cube<T>(t, x, y, z, 0)))
HIP_CPU_TEXTURE(texCubemapLayered, (hipTextureObject_t t, float x, float y, float z, int layer),
                (hip_cpu_texture_cube<T>(t, x, y, z, layer)))
#undef HIP_CPU_TEXTURE

/* Texture references, which CUDA 12 has no longer: an object that binding makes. The translator gives texture<> this name. */
template <typename T, int axes = 1, hipTextureReadMode mode = hipReadModeElementType> struct hip_cpu_texture_reference {
    int normalized = 0;
    hipTextureFilterMode filterMode = hipFilterModePoint;
    hipTextureAddressMode addressMode[3] = {hipAddressModeClamp, hipAddressModeClamp, hipAddressModeClamp};
    hipChannelFormatDesc channelDesc = hipCreateChannelDesc<T>();
    hipTextureObject_t object = nullptr;

    hipError_t bind(const hipResourceDesc &resource)
    {
        hipTextureDesc how = {};
        for (int i = 0; i < 3; i++)
            how.addressMode[i] = addressMode[i];
        how.filterMode = filterMode, how.readMode = mode, how.normalizedCoords = normalized;
        return unbind() == hipSuccess ? hipCreateTextureObject(&object, &resource, &how, nullptr)
                                      : hipErrorInvalidValue;
    }
    hipError_t unbind()
    {
        hipError_t error = object ? hipDestroyTextureObject(object) : hipSuccess;
        object = nullptr;
        return error;
    }
    hipError_t linear(size_t *offset, const void *data, const hipChannelFormatDesc &desc, size_t bytes)
    {
        hipResourceDesc resource = {hipResourceTypeLinear, {}};
        resource.res.linear = {const_cast<void *>(data), desc, bytes};
        if (offset)
            *offset = 0;
        return bind(resource);
    }
};
#define HIP_CPU_REFERENCE    hip_cpu_texture_reference<T, axes, mode>
#define HIP_CPU_OF_REFERENCE template <typename T, int axes, hipTextureReadMode mode> inline
HIP_CPU_OF_REFERENCE hipError_t hipBindTexture(size_t *offset, HIP_CPU_REFERENCE &t, const void *data, size_t bytes)
{
    return t.linear(offset, data, t.channelDesc, bytes);
}
HIP_CPU_OF_REFERENCE hipError_t hipBindTexture(size_t *offset, HIP_CPU_REFERENCE &t, const void *data,
                                               const hipChannelFormatDesc &desc, size_t bytes)
{
    return t.linear(offset, data, desc, bytes);
}
HIP_CPU_OF_REFERENCE hipError_t hipBindTexture(size_t *offset, HIP_CPU_REFERENCE *t, const void *data,
                                               const hipChannelFormatDesc *desc, size_t bytes)
{
    return t->linear(offset, data, *desc, bytes);
}
HIP_CPU_OF_REFERENCE hipError_t hipBindTextureToArray(HIP_CPU_REFERENCE &t, hipArray_t array)
{
    hipResourceDesc resource = {hipResourceTypeArray, {}};
    resource.res.array.array = array;
    return t.bind(resource);
}
HIP_CPU_OF_REFERENCE hipError_t hipBindTextureToArray(HIP_CPU_REFERENCE &t, hipArray_t array,
                                                      const hipChannelFormatDesc &)
{
    return hipBindTextureToArray(t, array);
}
HIP_CPU_OF_REFERENCE hipError_t hipUnbindTexture(HIP_CPU_REFERENCE &t) { return t.unbind(); }
HIP_CPU_OF_REFERENCE hipError_t hipUnbindTexture(HIP_CPU_REFERENCE *t) { return t->unbind(); }
/* What a kernel reads: T, or its channels as floats. */
template <typename T, hipTextureReadMode mode, int bytes = sizeof(T) / sizeof(typename hip_cpu_channels<T>::type)>
struct hip_cpu_texture_value {
    typedef T type;
};
template <typename T> struct hip_cpu_texture_value<T, hipReadModeNormalizedFloat, 1> {
    typedef float type;
};
template <typename T> struct hip_cpu_texture_value<T, hipReadModeNormalizedFloat, 4> {
    typedef float4 type;
};
#define HIP_CPU_VALUE typename hip_cpu_texture_value<T, mode>::type
HIP_CPU_OF_REFERENCE HIP_CPU_VALUE tex1Dfetch(const HIP_CPU_REFERENCE &t, int x)
{
    return tex1Dfetch<HIP_CPU_VALUE>(t.object, x);
}
HIP_CPU_OF_REFERENCE HIP_CPU_VALUE tex1D(const HIP_CPU_REFERENCE &t, float x)
{
    return tex1D<HIP_CPU_VALUE>(t.object, x);
}
HIP_CPU_OF_REFERENCE HIP_CPU_VALUE tex2D(const HIP_CPU_REFERENCE &t, float x, float y)
{
    return tex2D<HIP_CPU_VALUE>(t.object, x, y);
}
HIP_CPU_OF_REFERENCE HIP_CPU_VALUE tex3D(const HIP_CPU_REFERENCE &t, float x, float y, float z)
{
    return tex3D<HIP_CPU_VALUE>(t.object, x, y, z);
}
#undef HIP_CPU_VALUE
#undef HIP_CPU_OF_REFERENCE
#undef HIP_CPU_REFERENCE

/* Where an element of a surface is, x in bytes; NULL: outside, where the mode is to say nothing. */
inline char *hip_cpu_surface_at(const hip_cpu_texture *s, int x, int y, int z, hipSurfaceBoundaryMode mode)
{
    int column = x < 0 ? -1 : x / (int)s->element;
    bool inside = column >= 0 && column < s->size[0] && y >= 0 && y < s->size[1] && z >= 0 && z < s->size[2];

    if (!inside && mode == hipBoundaryModeTrap)
        hip_cpu_fail("accesses a surface outside of its array", __FILE__, __LINE__);
    if (!inside && mode == hipBoundaryModeZero)
        return NULL;
    column = column < 0 ? 0 : column < s->size[0] ? column : s->size[0] - 1;
    y = y < 0 ? 0 : y < s->size[1] ? y : s->size[1] - 1;
    z = z < 0 ? 0 : z < s->size[2] ? z : s->size[2] - 1;
    return s->data + z * s->slice + y * s->pitch + column * s->element;
}
template <typename T> inline T hip_cpu_surface_read(const char *at)
{
    T value;

    memset((void *)&value, 0, sizeof value);
    if (at)
        memcpy((void *)&value, at, sizeof value);
    return value;
}
#define HIP_CPU_SURFACE(name, more, at)                                                                                \
    template <typename T>                                                                                              \
    inline T name##read(hipSurfaceObject_t s, int x more, hipSurfaceBoundaryMode mode = hipBoundaryModeTrap)           \
    {                                                                                                                  \
        return hip_cpu_surface_read<T>(at);                                                                            \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    inline void name##read(T *value, hipSurfaceObject_t s, int x more,                                                 \
                           hipSurfaceBoundaryMode mode = hipBoundaryModeTrap)                                          \
    {                                                                                                                  \
        *value = hip_cpu_surface_read<T>(at);                                                                          \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    inline void name##write(T value, hipSurfaceObject_t s, int x more,                                                 \
                            hipSurfaceBoundaryMode mode = hipBoundaryModeTrap)                                         \
    {                                                                                                                  \
        if (char *to = at)                                                                                             \
            memcpy(to, (const void *)&value, sizeof value);                                                            \
    }
#define HIP_CPU_AND , int
HIP_CPU_SURFACE(surf1D, , hip_cpu_surface_at(s, x, 0, 0, mode))
HIP_CPU_SURFACE(surf2D, HIP_CPU_AND y, hip_cpu_surface_at(s, x, y, 0, mode))
HIP_CPU_SURFACE(surf3D, HIP_CPU_AND y HIP_CPU_AND z, hip_cpu_surface_at(s, x, y, z, mode))
HIP_CPU_SURFACE(surf2DLayered, HIP_CPU_AND y HIP_CPU_AND z, hip_cpu_surface_at(s, x, y, z, mode))
#undef HIP_CPU_AND
#undef HIP_CPU_SURFACE

#endif
