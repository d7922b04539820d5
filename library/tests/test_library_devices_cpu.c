/* libreduction where another device is current than that of the handle: calls run on their own device, and leave the
 * current one as it was; and memory that the device cannot use is refused before anything is launched. The linker passes
 * some calls of the runtime to the functions below, which have two devices with memory of their own, as GPUs have.
 * (library/tests/test_library.c uses two where there are.)
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include "stand.h"

hipError_t __wrap_hipGetDevice(int *device);
hipError_t __wrap_hipSetDevice(int device);

hipError_t __wrap_hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device);
hipError_t __real_hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device);
hipError_t __wrap_hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer);

hipError_t __wrap_hipMalloc(void **to, size_t bytes);
hipError_t __real_hipMalloc(void **to, size_t bytes);
hipError_t __wrap_hipHostMalloc(void **to, size_t bytes, unsigned flags);
hipError_t __real_hipHostMalloc(void **to, size_t bytes, unsigned flags);

static int current, switches, questions, allocations;
static const void *pageable, *elsewhere, *unknown; /* the memory of the host, and of device 1; what HIP calls invalid */

hipError_t __wrap_hipGetDevice(int *device)
{
    *device = current;
    return hipSuccess;
}

hipError_t __wrap_hipSetDevice(int device)
{
    switches++;
    current = device;
    return device < 2 ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t __wrap_hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device)
{
    hipError_t error = __real_hipDeviceGetAttribute(value, attribute, device);

    if (attribute == hipDeviceAttributePageableMemoryAccess)
        *value = 0;
    return error;
}

hipError_t __wrap_hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer)
{
    bool refused = pointer == pageable || (pointer == elsewhere && current != 1);

    questions++;
    attributes->device = pointer == pageable ? -2 : pointer == elsewhere ? 1 : 0;
    attributes->devicePointer = refused ? NULL : (void *)(uintptr_t)pointer;
    return pointer == unknown ? hipErrorInvalidValue : hipSuccess;
}

hipError_t __wrap_hipMalloc(void **to, size_t bytes)
{
    allocations++;
    return __real_hipMalloc(to, bytes);
}

hipError_t __wrap_hipHostMalloc(void **to, size_t bytes, unsigned flags)
{
    allocations++;
    return __real_hipHostMalloc(to, bytes, flags);
}

SUITE_EACH(set_up, tear_down)

TEST(another_device_is_current)
{
    static const int statuses[] = {LR_OK, LR_OK, LR_MISALIGNED};
    struct lr_moments_t moments;
    struct scalar value = {.type = TYPE_DOUBLE};

    fill(TYPE_DOUBLE, 1, 1000);
    upload(8000);
    for (int device = 0; device < 2; device++)
        for (size_t k = 0; k < COUNT(statuses); k++) {
            const char *x = d_x + (k == 2);
            current = device;
            switches = 0;
            for (size_t f = 0; f < COUNT(functions); f++)
                ck_assert_int_eq((k % 2 == 0 ? functions[f].call : functions[f].value)(
                                     handle, LR_DOUBLE, x, 1000, k % 2 == 0 ? d_result : (void *)&value, stream),
                                 statuses[k]);
            ALL(current == device, lr_moments_value(handle, LR_DOUBLE, x, 1000, &moments, stream) == statuses[k],
                lr_sum_rows(handle, LR_DOUBLE, x, 10, 100, 100, d_result, stream) == statuses[k], current == device);
            /* there and back, unless it is the right one, or nothing was started */
            ck_assert_int_eq(switches, device == 0 || k == 2 ? 0 : 2 * ((int)COUNT(functions) + 2));
        }
    current = 0;
}

/* Nothing is launched, and the handle is not bound to the stream. Addresses are asked for once. */
TEST(memory_of_others)
{
    static double elements[1000];
    const void **wrong[] = {&pageable, &elsewhere, &unknown};
    struct lr_lines rows = {.lines = 10, .length = 50, .lead = 100, .step = 2, .y_step = 1};
    int64_t *offsets = (int64_t *)(void *)(elements + 500);
    struct scalar value = {.type = TYPE_DOUBLE};
    double *d_there = (double *)(void *)d_result;

    fill(TYPE_DOUBLE, 1, 1000);
    upload(8000);
    for (size_t k = 0; k < COUNT(wrong); k++) {
        *wrong[k] = elements;
        *d_there = 5;
        IS(LR_MEMORY, lr_sum(handle, LR_DOUBLE, elements, 9, d_result, stream));
        IS(LR_MEMORY, lr_sum(handle, LR_DOUBLE, d_x, 9, elements, stream));
        IS(LR_MEMORY, lr_sum_value(handle, LR_DOUBLE, elements, 9, &value, stream));
        IS(LR_MEMORY, lr_dot(handle, LR_DOUBLE, d_x, elements, 9, d_result, stream));
        IS(LR_MEMORY, lr_sum_rows(handle, LR_DOUBLE, elements, 3, 3, 3, d_result, stream));
        *wrong[k] = offsets;
        IS(LR_MEMORY, lr_sum_segments(handle, LR_DOUBLE, d_x, 9, offsets, 2, d_result, stream));
        *wrong[k] = elements;
        IS(LR_MEMORY, lr_reduce(handle, LR_OP_PROD, LR_DOUBLE, elements, NULL, &rows, d_result, NULL, stream));
        ck_assert_int_eq(lr_runtime_error(handle), 0);
        HIP_CHECK(hipDeviceSynchronize());
        ck_assert(*d_there == 5);
        *wrong[k] = NULL;
    }
    OK(lr_sum(handle, LR_DOUBLE, d_x, 9, d_result, NULL));
    OK(lr_leave_stream(handle));
    questions = 0;
    for (int k = 0; k < 3; k++) /* a value of the host is no address of the device */
        OK(lr_sum_value(handle, LR_DOUBLE, d_x + 8000, 9, &value, stream));
    ck_assert_int_eq(questions, 1);
}

/* Only lr_create() allocates memory of the device or pinned memory; also the first call of a function does not. */
TEST(nothing_is_allocated)
{
    struct lr_lines rows = {.lines = 10, .length = 90, .lead = 100, .step = 1, .y_step = 1};
    struct scalar value = {.type = TYPE_DOUBLE};

    ck_assert_int_gt(allocations, 0); /* they are counted */
    allocations = 0;
    for (int type = LR_FLOAT; type <= LR_BFLOAT16; type++)
        for (size_t f = 0; f < COUNT(functions); f++) {
            int wanted = functions[f].floating && (type == LR_INT32 || type == LR_INT64) ? LR_TYPE : LR_OK;
            ck_assert_int_eq(functions[f].call(handle, type, d_x, 70000, d_result, stream), wanted);
            ck_assert_int_eq(functions[f].value(handle, type, d_x, 70000, &value, stream), wanted);
        }
    for (int type = 0; type < LR_TYPE_COUNT; type++)
        for (int f = 0; f < LR_FUNCTION_COUNT; f++)
            if (lr_result_type(f, type) >= 0)
                OK(lr_reduce(handle, f, type, d_x, f == LR_OP_DOT ? d_x : NULL, &rows, d_result, NULL, stream));
    ck_assert_int_eq(allocations, 0);
}
