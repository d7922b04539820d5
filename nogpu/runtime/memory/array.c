/* Arrays for textures and surfaces, and the objects that kernels get.
 * SPDX-License-Identifier: MIT */
#include <stdatomic.h>
#include <stdlib.h>

#include "../internal.h"

#define ELSE_1(n) ((n) ? (n) : 1)

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind)
{
    return (hipChannelFormatDesc){x, y, z, w, kind};
}

hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *desc, hipExtent extent, unsigned flags)
{
    hipArray *a;
    hipError_t error;

    REFUSE_IF(!array || !desc || hip_cpu_element(desc) == 0 || extent.width == 0, hipErrorInvalidValue);
    REFUSE_IF((flags & hipArrayCubemap) && (extent.width != extent.height || extent.depth % 6 != 0),
              hipErrorInvalidValue);
    a = calloc(1, sizeof *a);
    REFUSE_IF(!a, hipErrorOutOfMemory);
    a->desc = *desc;
    a->extent = extent;
    a->flags = flags;
    error = hipMalloc(&a->data, extent.width * ELSE_1(extent.height) * ELSE_1(extent.depth) * hip_cpu_element(desc));
    if (error != hipSuccess)
        free(a);
    else
        *array = a;
    return error;
}

hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width, size_t height,
                          unsigned flags)
{
    return hipMalloc3DArray(array, desc, make_hipExtent(width, height, 0), flags);
}

hipError_t hipFreeArray(hipArray_t array)
{
    hipError_t error = array ? hipFree(array->data) : hipSuccess;

    free(array);
    return error;
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent, unsigned *flags, hipArray_t array)
{
    REFUSE_IF(!array, hipErrorInvalidValue);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return hipSuccess;
}

/* Where a row begins; x in bytes. */
static char *row_of(const hipArray *a, size_t x, size_t y)
{
    return (char *)a->data + y * a->extent.width * hip_cpu_element(&a->desc) + x;
}

static bool inside(const hipArray *a, size_t x, size_t y, size_t width, size_t height)
{
    return a && x + width <= a->extent.width * hip_cpu_element(&a->desc) && y + height <= ELSE_1(a->extent.height);
}

hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                   size_t height, hipMemcpyKind kind, hipStream_t stream)
{
    REFUSE_IF(!inside(to, x, y, width, height), hipErrorInvalidValue);
    return hipMemcpy2DAsync(row_of(to, x, y), to->extent.width * hip_cpu_element(&to->desc), from, pitch, width, height,
                            kind, stream);
}

hipError_t hipMemcpy2DToArray(hipArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                              size_t height, hipMemcpyKind kind)
{
    return hip_cpu_finish(hipMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL), NULL);
}

hipError_t hipMemcpy2DFromArray(void *to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width,
                                size_t height, hipMemcpyKind kind)
{
    REFUSE_IF(!inside(from, x, y, width, height), hipErrorInvalidValue);
    return hipMemcpy2D(to, pitch, row_of(from, x, y), from->extent.width * hip_cpu_element(&from->desc), width, height,
                       kind);
}

/* These go on in the next row. */
hipError_t hipMemcpyToArray(hipArray_t to, size_t x, size_t y, const void *from, size_t bytes, hipMemcpyKind kind)
{
    REFUSE_IF(!to, hipErrorInvalidValue);
    return hipMemcpy(row_of(to, x, y), from, bytes, kind);
}

hipError_t hipMemcpyFromArray(void *to, hipArray_const_t from, size_t x, size_t y, size_t bytes, hipMemcpyKind kind)
{
    REFUSE_IF(!from, hipErrorInvalidValue);
    return hipMemcpy(to, row_of(from, x, y), bytes, kind);
}

/* In one place, so that tools do not take them for memory of the host that a kernel reads. */
#define OBJECTS 4096
static struct hip_cpu_texture object_of[OBJECTS];
static atomic_bool is_taken[OBJECTS];

bool hip_cpu_is_texture(const void *address) { return (uintptr_t)address - (uintptr_t)object_of < sizeof object_of; }

static struct hip_cpu_texture *take_object(void)
{
    for (unsigned i = 0; i < OBJECTS; i++)
        if (!atomic_exchange(&is_taken[i], true))
            return &object_of[i];
    return NULL;
}

static void give_back(const struct hip_cpu_texture *object)
{
    if (object)
        atomic_store(&is_taken[object - object_of], false);
}

static hipError_t create(hipTextureObject_t *object, const hipResourceDesc *resource, const hipTextureDesc *how)
{
    struct hip_cpu_texture *t;
    const hipArray *a;

    REFUSE_IF(!object || !resource, hipErrorInvalidValue);
    t = take_object();
    REFUSE_IF(!t, hipErrorOutOfMemory);
    *t = (struct hip_cpu_texture){.resource = *resource,
                                  .how = how ? *how : (hipTextureDesc){.readMode = hipReadModeElementType},
                                  .size = {0, 1, 1}};
    switch (resource->resType) {
    case hipResourceTypeArray:
        a = resource->res.array.array;
        if (!a)
            break;
        t->data = a->data;
        t->desc = a->desc;
        t->size[0] = (int)a->extent.width;
        t->size[1] = (int)ELSE_1(a->extent.height);
        t->size[2] = (int)ELSE_1(a->extent.depth);
        break;
    case hipResourceTypeLinear:
        t->data = resource->res.linear.devPtr;
        t->desc = resource->res.linear.desc;
        break;
    case hipResourceTypePitch2D:
        t->data = resource->res.pitch2D.devPtr;
        t->desc = resource->res.pitch2D.desc;
        t->size[0] = (int)resource->res.pitch2D.width;
        t->size[1] = (int)resource->res.pitch2D.height;
        t->pitch = resource->res.pitch2D.pitchInBytes;
        break;
    case hipResourceTypeMipmappedArray:
        break;
    }
    t->element = hip_cpu_element(&t->desc);
    if (resource->resType == hipResourceTypeLinear && t->element)
        t->size[0] = (int)(resource->res.linear.sizeInBytes / t->element);
    if (!t->pitch)
        t->pitch = (size_t)t->size[0] * t->element;
    t->slice = t->pitch * (size_t)t->size[1];
    /* Only floats are filtered, and only numbers that are none are normalized. */
    if (!t->data || !t->element ||
        (t->how.filterMode == hipFilterModeLinear && t->how.readMode == hipReadModeElementType &&
         t->desc.f != hipChannelFormatKindFloat) ||
        (t->how.readMode == hipReadModeNormalizedFloat && t->desc.x > 16)) {
        give_back(t);
        return hip_cpu_error(hipErrorInvalidValue);
    }
    *object = t;
    return hipSuccess;
}

hipError_t hipCreateTextureObject(hipTextureObject_t *texture, const hipResourceDesc *resource,
                                  const hipTextureDesc *how, const void *view)
{
    REFUSE_IF(view, hipErrorNotSupported);
    return create(texture, resource, how);
}

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *surface, const hipResourceDesc *resource)
{
    REFUSE_IF(!resource || resource->resType != hipResourceTypeArray, hipErrorInvalidValue);
    return create(surface, resource, NULL);
}

static hipError_t destroy(struct hip_cpu_texture *object)
{
    hipError_t error = hipDeviceSynchronize(); /* a kernel may read it */

    give_back(object);
    return error;
}

hipError_t hipDestroyTextureObject(hipTextureObject_t texture) { return destroy(texture); }

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface) { return destroy(surface); }
