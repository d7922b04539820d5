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
    void *code; /* behind the program's call */
};

static hipError_t do_copy(const void *work)
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
        [hipMemcpyHostToHost] = {SIDE_HOST, SIDE_HOST},
        [hipMemcpyHostToDevice] = {SIDE_DEVICE, SIDE_HOST},
        [hipMemcpyDeviceToHost] = {SIDE_HOST, SIDE_DEVICE},
        [hipMemcpyDeviceToDevice] = {SIDE_DEVICE, SIDE_DEVICE},
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
    return c->bytes == 0 || (c->to && hip_cpu_is_inside(c->to, c->bytes, SIDE_DEVICE))
               ? hipSuccess
               : hipErrorInvalidValue;
}

/* Behind what the default stream waits for. The host does not wait for what happens in memory of the device alone. */
static hipError_t now(struct copy *c, hipError_t error)
{
    REFUSE_IF(error != hipSuccess || c->bytes == 0, error);
    error = hip_cpu_wait_for(NULL, HIP_CPU_FOREVER);
    REFUSE_IF(error != hipSuccess, error);
    c->waits = OBSERVER && (hip_cpu_is_inside(c->to, c->bytes, SIDE_HOST) ||
                            (c->from && hip_cpu_is_inside(c->from, c->bytes, SIDE_HOST)));
    OBSERVE(queued, NULL);
    error = do_copy(c);
    if (c->waits)
        OBSERVE(host_waited, NULL);
    return hip_cpu_error(error);
}

static hipError_t on_stream(const struct copy *c, hipError_t error, hipStream_t stream)
{
    if (error == hipSuccess && c->bytes > 0)
        error = hip_cpu_on_stream(stream, do_copy, c, sizeof *c);
    return hip_cpu_error(error);
}

hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    struct copy c = {.to = to, .from = from, .bytes = bytes, .code = CALLER};
    return now(&c, check_copy(__func__, &c, kind));
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream)
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
