/* libreduction: only half and bfloat16; the other suites test them, too.
 * Suite: warps kernels
 * SPDX-License-Identifier: MIT */
#include "stand.h"

SUITE_EACH(set_up, tear_down)

/* Tests the device's conversion without the host's, which the other suites use: every bit pattern by itself. */
TESTS(every_pattern, 2)
{
    int type = LR_HALF + _i;
    float value;
    int64_t index;

    for (size_t i = 0; i < 65536; i++)
        memcpy(h_x + 2 * i, &(uint16_t){(uint16_t)i}, 2);
    upload(65536 * 2);
    for (size_t i = 0; i < 65536; i += i % 1024 < 8 || i % 1024 > 1016 ? 1 : 61) {
        int exponent = (int)i >> 10 & 31, digits = (int)i & 1023; /* of a half */
        float wanted = exponent == 31  ? (digits != 0 ? NAN : INFINITY)
                       : exponent == 0 ? ldexpf((float)digits, -24)
                                       : ldexpf((float)(1024 + digits), exponent - 25);
        wanted = i >> 15 ? -wanted : wanted;
        if (type == LR_BFLOAT16)
            memcpy(&wanted, &(uint32_t){(uint32_t)i << 16}, 4);
        OK(lr_max_value(handle, type, d_x + 2 * i, 1, &value, stream));
        ck_assert_msg(isnan(wanted) ? isnan(value) : memcmp(&value, &wanted, 4) == 0, "%zx: %g and not %g", i,
                      (double)value, (double)wanted);
    }
    OK(lr_argmin_value(handle, type, d_x, 65536, &value, &index, stream));
    ck_assert(isnan(value) && index == (type == LR_HALF ? 0x7c01 : 0x7f81));
}

/* The tree of floats with the same values has the same bits. */
TESTS(tree_of_floats, 2)
{
    float narrow, wide;
    float *d_wide = (float *)(void *)(d_x + LARGEST * 4);

    for (size_t n = 3; n < LARGEST / 3; n = n * 5 + 1) {
        fill(LR_HALF + _i, n, n);
        upload(n * 2);
        OK(lr_sum_tree_value(handle, LR_HALF + _i, d_x, n, &narrow, stream));
        float *x = malloc(n * sizeof *x);
        for (size_t i = 0; i < n; i++)
            x[i] = (float)element_at(LR_HALF + _i, h_x, i);
        HIP_CHECK(hipMemcpy(d_wide, x, n * sizeof *x, hipMemcpyHostToDevice));
        OK(lr_sum_tree_value(handle, LR_FLOAT, d_wide, n, &wide, stream));
        ck_assert_msg(memcmp(&narrow, &wide, 4) == 0, "%zu: %a and %a", n, (double)narrow, (double)wide);
        free(x);
    }
}
