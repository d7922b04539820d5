/* Copies and fills.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../internal.h"

#define CALLER __builtin_return_address(0)

struct copy {
    void *to;
    const void *from; /* NULL: fill with the byte */
    int byte;
    size_t bytes;
    bool waits; /* the host, for its end */
    void *code; /* return address of the program's call */
};

hipError_t hip_cpu_do_copy(const void *work)
{
    const struct copy *c = work;

    OBSERVE(copied, c->to, c->from, c->bytes, c->waits, c->code);
    if (c->from)
        memmove(c->to, c->from, c->bytes);
    else
        memset(c->to, c->byte, c->bytes);
    return hipSuccess;
}

static hipError_t check_copy(const char *call, const struct copy *c, hipMemcpyKind kind)
{
    static const enum side sides[][2] = {
        [hipMemcpyHostToHost] = {SIDE_HOST, SIDE_HOST},     [hipMemcpyHostToDevice] = {SIDE_DEVICE, SIDE_HOST},
        [hipMemcpyDeviceToHost] = {SIDE_HOST, SIDE_DEVICE}, [hipMemcpyDeviceToDevice] = {SIDE_DEVICE, SIDE_DEVICE},
        [hipMemcpyDefault] = {SIDE_ANY, SIDE_ANY},
    };

    hipError_t error = hip_cpu_enter(call);

    if (error != hipSuccess)
        return error;
    if ((unsigned)kind > hipMemcpyDefault)
        return hipErrorInvalidMemcpyDirection;
    if (c->bytes == 0)
        return hipSuccess;
    return c->to && c->from && hip_cpu_is_inside(c->to, c->bytes, sides[kind][0]) &&
                   hip_cpu_is_inside(c->from, c->bytes, sides[kind][1])
               ? hipSuccess
               : hipErrorInvalidValue;
}

static hipError_t check_fill(const char *call, const struct copy *c)
{
    hipError_t error = hip_cpu_enter(call);

    if (error != hipSuccess)
        return error;
    return c->bytes == 0 || (c->to && hip_cpu_is_inside(c->to, c->bytes, SIDE_DEVICE)) ? hipSuccess
                                                                                       : hipErrorInvalidValue;
}

/* After everything that the default stream waits for. The host does not wait if only memory of the device is involved. */
static hipError_t now(struct copy *c, hipError_t error)
{
    REFUSE_IF(error != hipSuccess || c->bytes == 0, error);
    TRY(hip_cpu_may_use(NULL));
    TRY(hip_cpu_wait_for(NULL, HIP_CPU_FOREVER));
    c->waits = OBSERVER && (hip_cpu_is_inside(c->to, c->bytes, SIDE_HOST) ||
                            (c->from && hip_cpu_is_inside(c->from, c->bytes, SIDE_HOST)));
    OBSERVE(stream, HIP_CPU_QUEUED, NULL, NULL);
    error = hip_cpu_do_copy(c);
    if (c->waits)
        OBSERVE(stream, HIP_CPU_HOST_WAITED, NULL, NULL);
    return hip_cpu_error(error);
}

static hipError_t on_stream(const struct copy *c, hipError_t error, hipStream_t stream)
{
    if (error == hipSuccess && c->bytes > 0)
        error = hip_cpu_on_stream(stream, hip_cpu_do_copy, c, sizeof *c);
    return hip_cpu_error(error);
}

hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    struct copy c = {.to = to, .from = from, .bytes = bytes, .code = CALLER};
    return now(&c, check_copy(__func__, &c, kind));
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream)
{
    struct copy c = {.to = to, .from = from, .bytes = bytes, .code = CALLER};
    return on_stream(&c, check_copy("hipMemcpy", &c, kind), stream);
}

hipError_t hipMemset(void *to, int byte, size_t bytes)
{
    struct copy c = {.to = to, .byte = byte, .bytes = bytes, .code = CALLER};
    return now(&c, check_fill(__func__, &c));
}

hipError_t hipMemsetAsync(void *to, int byte, size_t bytes, hipStream_t stream)
{
    struct copy c = {.to = to, .byte = byte, .bytes = bytes, .code = CALLER};
    return on_stream(&c, check_fill("hipMemset", &c), stream);
}

/* ---- fills with elements ---- */

struct elements {
    hipMemsetParams fill;
    void *code;
};

hipError_t hip_cpu_do_fill(const void *work)
{
    const struct elements *e = work;
    const hipMemsetParams *f = &e->fill;

    for (size_t y = 0; y < f->height; y++) {
        char *row = (char *)f->dst + y * f->pitch;
        OBSERVE(copied, row, NULL, f->width * f->elementSize, false, e->code);
        for (size_t x = 0; x < f->width; x++) /* the lowest bytes of the value come first */
            memcpy(row + x * f->elementSize, &f->value, f->elementSize);
    }
    return hipSuccess;
}

hipError_t hip_cpu_fill_elements(const hipMemsetParams *fill, hipStream_t stream)
{
    const struct elements e = {*fill, CALLER};
    unsigned size = fill->elementSize;

    TRY(hip_cpu_enter("hipMemset"));
    REFUSE_IF(size != 1 && size != 2 && size != 4, hipErrorInvalidValue);
    for (size_t y = 0; y < fill->height && fill->width > 0; y++)
        REFUSE_IF(!fill->dst ||
                      !hip_cpu_is_inside((char *)fill->dst + y * fill->pitch, fill->width * size, SIDE_DEVICE),
                  hipErrorInvalidValue);
    return hip_cpu_error(hip_cpu_on_stream(stream, hip_cpu_do_fill, &e, sizeof e));
}
