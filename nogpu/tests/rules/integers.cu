/* Integers wrap, shifts of negative numbers keep the sign, and a remainder has the sign of the dividend.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void wrap(struct results *r, const int *x)
{
    int most = x[0], least = x[1], some = x[2];
    long long wide = (long long)most << 32 | 0xffffffff;

    give(r, most + 1), give(r, least - 1), give(r, -least), give(r, abs(least));
    give(r, most * most), give(r, some * some), give(r, most - least), give(r, wide + 1);
    give(r, wide * wide), give(r, (short)some), give(r, (signed char)some), give(r, (unsigned char)some);
    int sum = 0;
    for (int i = most - 5; i != least + 5; i++)
        sum += i;
    give(r, sum);
}
__global__ void shift(struct results *r, const int *x)
{
    int least = x[1], some = x[2];
    long long wide = (long long)least * 5;

    give(r, least >> 31), give(r, some << 31), give(r, least << 1), give(r, -some >> 3);
    give(r, wide >> 63), give(r, wide << 40), give(r, (unsigned)least >> 31), give(r, (signed char)some >> 2);
}
__global__ void divide(struct results *r, const int *x)
{
    int least = x[1], some = x[2], few = x[3];

    give(r, -some / few), give(r, -some % few), give(r, some % -few), give(r, least / 2);
    give(r, (unsigned)least / few), give(r, (long long)least % few), give(r, least % some), give(r, few / some);
}

int main()
{
    const int x[] = {0x7fffffff, -0x7fffffff - 1, 123456789, 7};
    return HAVE(wrap, x, 0x6811d2cc) | HAVE(shift, x, 0x35cf7949) | HAVE(divide, x, 0xcca9bb27);
}
