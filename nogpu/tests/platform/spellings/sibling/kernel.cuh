// SPDX-License-Identifier: MIT
#pragma once

static __global__ void from_sibling(int *out, int value)
{
    extern __shared__ int scratch[];
    (void)scratch;
    note(out, value);
}
