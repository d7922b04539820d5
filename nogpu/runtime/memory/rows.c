/* Rows with a pitch, in two and three dimensions: allocation, copies, fills.
 * SPDX-License-Identifier: MIT */
#include "../internal.h"

#define PITCH ((size_t)256)

size_t hip_cpu_element(const hipChannelFormatDesc *desc) { return (size_t)(desc->x + desc->y + desc->z + desc->w) / 8; }

hipError_t hipMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    REFUSE_IF(!pitch, hipErrorInvalidValue);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return hipMalloc(pointer, *pitch * height);
}

hipError_t hipMalloc3D(hipPitchedPtr *pointer, hipExtent extent)
{
    REFUSE_IF(!pointer, hipErrorInvalidValue);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return hipMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream)
{
    hipError_t error = hipSuccess;

    REFUSE_IF(height > 1 && (width > to_pitch || width > from_pitch), hipErrorInvalidPitchValue);
    for (size_t row = 0; row < height && error == hipSuccess; row++)
        error = hipMemcpyAsync((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width, kind, stream);
    return error;
}

hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                       hipMemcpyKind kind)
{
    return hip_cpu_finish(hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL), NULL);
}

hipError_t hipMemset2DAsync(void *to, size_t pitch, int byte, size_t width, size_t height, hipStream_t stream)
{
    hipError_t error = hipSuccess;

    REFUSE_IF(height > 1 && width > pitch, hipErrorInvalidPitchValue);
    for (size_t row = 0; row < height && error == hipSuccess; row++)
        error = hipMemsetAsync((char *)to + row * pitch, byte, width, stream);
    return error;
}

hipError_t hipMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height)
{
    return hip_cpu_finish(hipMemset2DAsync(to, pitch, byte, width, height, NULL), NULL);
}

/* Where row 0 of a slice begins. */
static char *slice(const hipPitchedPtr *p, const hipPos *pos, size_t z)
{
    return (char *)p->ptr + ((pos->z + z) * p->ysize + pos->y) * p->pitch + pos->x;
}

/* An array as rows; its positions, and the width of a copy that it takes part in, count elements. */
static void as_rows(const hipArray *array, hipPitchedPtr *rows, hipPos *pos)
{
    size_t element = hip_cpu_element(&array->desc);

    rows->ptr = array->data;
    rows->pitch = array->extent.width * element;
    rows->ysize = array->extent.height ? array->extent.height : 1;
    pos->x *= element;
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *given, hipStream_t stream)
{
    hipError_t error = hipSuccess;
    hipMemcpy3DParms parameters, *copy = &parameters;

    REFUSE_IF(!given, hipErrorInvalidValue);
    *copy = *given;
    if (copy->srcArray || copy->dstArray)
        copy->extent.width *= hip_cpu_element(&((hipArray *)(copy->srcArray ? copy->srcArray : copy->dstArray))->desc);
    if (copy->srcArray)
        as_rows(copy->srcArray, &copy->srcPtr, &copy->srcPos);
    if (copy->dstArray)
        as_rows(copy->dstArray, &copy->dstPtr, &copy->dstPos);
    for (size_t z = 0; z < copy->extent.depth && error == hipSuccess; z++)
        error = hipMemcpy2DAsync(slice(&copy->dstPtr, &copy->dstPos, z), copy->dstPtr.pitch,
                                 slice(&copy->srcPtr, &copy->srcPos, z), copy->srcPtr.pitch, copy->extent.width,
                                 copy->extent.height, copy->kind, stream);
    return error;
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms *copy) { return hip_cpu_finish(hipMemcpy3DAsync(copy, NULL), NULL); }

hipError_t hipMemset3DAsync(hipPitchedPtr to, int byte, hipExtent extent, hipStream_t stream)
{
    static const hipPos origin;
    hipError_t error = hipSuccess;

    for (size_t z = 0; z < extent.depth && error == hipSuccess; z++)
        error = hipMemset2DAsync(slice(&to, &origin, z), to.pitch, byte, extent.width, extent.height, stream);
    return error;
}

hipError_t hipMemset3D(hipPitchedPtr to, int byte, hipExtent extent)
{
    return hip_cpu_finish(hipMemset3DAsync(to, byte, extent, NULL), NULL);
}
