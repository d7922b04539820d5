/* Numbers of the program as text.
 * SPDX-License-Identifier: MIT */
#include "../scalars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../trace_internal.h"

static double half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double size = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);

    return bits >> 15 ? -size : size;
}

static uint64_t bits_of(struct trace_scalar s, const void *at)
{
    uint64_t bits = 0;

    __real_memcpy(&bits, at, s.bytes < sizeof bits ? s.bytes : sizeof bits);
    return bits;
}

double trace_scalar_number(struct trace_scalar s, const void *at)
{
    uint64_t bits = bits_of(s, at);
    uint32_t low = (uint32_t)(s.kind == HIP_CPU_KIND_BFLOAT16 ? bits << 16 : bits);
    float narrow;
    double wide = (double)NAN;

    if (s.kind == HIP_CPU_KIND_FLOAT && s.bytes == sizeof wide)
        __real_memcpy(&wide, &bits, sizeof wide);
    else if (s.kind == HIP_CPU_KIND_HALF)
        wide = half(bits);
    else if (s.kind == HIP_CPU_KIND_BFLOAT16 || (s.kind == HIP_CPU_KIND_FLOAT && s.bytes == sizeof narrow)) {
        __real_memcpy(&narrow, &low, sizeof narrow);
        wide = (double)narrow;
    }
    return wide;
}

static void one(struct trace_scalar s, const void *at, char *text, size_t size)
{
    uint64_t bits = bits_of(s, at);
    unsigned unused = 64 - 8 * s.bytes;

    *text = '\0';
    if (s.bytes == 0 || s.bytes > sizeof bits)
        return;
    switch (s.kind) {
    case HIP_CPU_KIND_FLOAT:
    case HIP_CPU_KIND_HALF:
    case HIP_CPU_KIND_BFLOAT16:
        snprintf(text, size, "%g", trace_scalar_number(s, at));
        break;
    case HIP_CPU_KIND_SIGNED:
        snprintf(text, size, "%lld", (long long)(bits << unused) >> unused);
        break;
    case HIP_CPU_KIND_UNSIGNED:
        snprintf(text, size, "%llu", (unsigned long long)bits);
        break;
    case HIP_CPU_KIND_POINTER: /* another one in each run */
    case HIP_CPU_KIND_UNKNOWN:
        break;
    }
}

void trace_scalar_text(struct trace_scalar s, const void *at, unsigned bytes, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (unsigned done = 0; s.bytes > 0 && done + s.bytes <= bytes && used + 1 < size; done += s.bytes) {
        if (done > 0)
            text[used++] = ' ';
        one(s, (const char *)at + done, text + used, size - used);
        used += strlen(text + used);
    }
}
