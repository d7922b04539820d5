/* SPDX-License-Identifier: MIT */
#include "combine.h"

struct combination combinations[TYPE_COUNT][OP_COUNT];

static bool on_devices(const struct combine *c)
{
    return c->task.how == COMBINE_RCCL;
}

void combine_begin(struct combine *c, const struct task *task)
{
    *c = (struct combine){.task = *task};
    if (on_devices(c))
        devices_begin(c);
    else
        words_begin(c);
}

void combine_end(struct combine *c)
{
    if (on_devices(c))
        devices_end(c);
    else
        words_end(c);
}

void *combine_target(struct combine *c)
{
    return on_devices(c) ? devices_target(c) : words_target(c);
}

void *combine_on_device(const struct combine *c, const void *target)
{
    return on_devices(c) ? NULL : words_on_device(c, target);
}

void combine_receive(struct combine *c, const void *from)
{
    if (on_devices(c))
        c->on_devices.from = from;
    else
        words_receive(c);
}

struct scalar combine_finish(struct combine *c)
{
    return on_devices(c) ? devices_finish(c) : words_finish(c);
}

struct scalar combine_again(struct combine *c)
{
    if (!on_devices(c))
        words_send_again(c);
    return combine_finish(c);
}
