/* Each access to a volatile variable happens, in the order of the program.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void told(struct results *r, const int *x)
{
    __shared__ volatile int s[2];
    volatile int local = x[0];

    s[0] = x[0];
    s[1] = x[1];
    int *hidden = (int *)&s[0];
    *hidden += 5;
    give(r, s[0] + s[1]);
    local = local + local;
    give(r, (int)local);
}

int main()
{
    const int x[] = {20, 3};
    return HAVE(told, x, 0x7f6e02d1);
}
