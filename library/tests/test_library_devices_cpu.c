/* libreduction where another device is current than that of the handle: calls run on their own device, and leave the
 * current one as it was. The linker passes the calls of hipGetDevice() and hipSetDevice() to the functions below, which have
 * two devices. (library/tests/test_library.c uses two where there are.)
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include "stand.h"

hipError_t __wrap_hipGetDevice(int *device);
hipError_t __wrap_hipSetDevice(int device);

static int current, switches;

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
                ck_assert_int_eq(
                    (k % 2 == 0 ? functions[f].call : functions[f].value)(
                        handle, LR_DOUBLE, x, 1000, k % 2 == 0 ? d_result : (void *)&value, stream),
                    statuses[k]);
            ck_assert_int_eq(current, device);
            ck_assert_int_eq(lr_moments_value(handle, LR_DOUBLE, x, 1000, &moments, stream),
                             statuses[k]);
            ck_assert_int_eq(lr_sum_rows(handle, LR_DOUBLE, x, 10, 100, 100, d_result, stream),
                             statuses[k]);
            ck_assert_int_eq(current, device);
            /* there and back, unless it is the right one, or nothing was started */
            ck_assert_int_eq(switches, device == 0 || k == 2 ? 0 : 2 * ((int)COUNT(functions) + 2));
        }
    current = 0;
}
