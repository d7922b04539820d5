/* What a rank has stays on its device. One collective operation brings together what all ranks have, and one small
 * kernel makes a value of it, with the same bits as words.c does on the host:
 *
 *   PAYLOAD_VALUE  the library's reduction; where it has none, all values
 *   PAYLOAD_UNITS  the units of the tree, in their order: each rank has the words of its own, and 0 for the others, so
 *              the sum of the words as integers is every word, whatever the order of the ranks
 *   PAYLOAD_BINS   the bins of all ranks
 * SPDX-License-Identifier: MIT */
#include "combine.h"

#include <string.h>

#include "../../reduction_reproducible/binned_value.h"

#define WORD 8 /* bytes, with the mark */

struct combination combinations[TYPE_COMMON][OP_COMMON]; /* multi_gpu.hip fills it in */

static size_t words_of_units(const struct task *t, unsigned units)
{
    return units * (type_size(t->type) / 4);
}

static void begin(struct combine *c)
{
    const struct task *t = &c->task;
    struct on_devices *d = &c->on_devices;
    size_t size = (size_t)t->ranks->size, bytes = size * type_size(t->type), own = 0;

    d->count = 1;
    if (t->payload == PAYLOAD_UNITS) {
        d->count = words_of_units(t, t->share.all_units);
        own = bytes = d->count * WORD;
    } else if (t->payload == PAYLOAD_BINS) {
        d->count = BINNED_WORDS(t->folds);
        own = d->count * WORD;
        bytes = size * own;
    }
    if (own > 0) {
        HIP_CHECK(hipMalloc(&d->d_words, own));
        HIP_CHECK(hipMemsetAsync(d->d_words, 0, own, t->stream));
    }
    HIP_CHECK(hipMalloc(&d->d_all, bytes));
    HIP_CHECK(hipMalloc(&d->d_value, type_size(t->type)));
    HIP_CHECK(hipHostMalloc(&d->h_value, type_size(t->type), 0));
}

static void end(struct combine *c)
{
    struct on_devices *d = &c->on_devices;

    HIP_CHECK(hipHostFree(d->h_value));
    HIP_CHECK(hipFree(d->d_value));
    HIP_CHECK(hipFree(d->d_all));
    if (d->d_words != NULL)
        HIP_CHECK(hipFree(d->d_words));
}

static void target(struct combine *c, struct reduction *r)
{
    const struct task *t = &c->task;

    if (t->payload != PAYLOAD_VALUE)
        r->host = (char *)c->on_devices.d_words + words_of_units(t, t->share.first_unit) * WORD;
}

static void receive(struct combine *c, const void *from)
{
    c->on_devices.from = from;
}

static void launch(struct combine *c)
{
    const struct task *t = &c->task;
    struct on_devices *d = &c->on_devices;

    if (t->payload == PAYLOAD_VALUE && collective_has(t->type, t->op)) {
        collective_reduce(t->collective, d->from, d->d_value, 1, t->type, t->op, t->stream);
        return;
    }
    if (t->payload == PAYLOAD_UNITS)
        collective_reduce(t->collective, d->d_words, d->d_all, d->count, TYPE_LONG, OP_SUM,
                          t->stream);
    else if (t->payload == PAYLOAD_BINS)
        collective_gather(t->collective, d->d_words, d->d_all, d->count, TYPE_LONG, t->stream);
    else
        collective_gather(t->collective, d->from, d->d_all, 1, t->type, t->stream);
    t->own->on_device(t->payload, d->d_all, d->d_value, parts_of_all(t), t->folds, t->stream);
}

static struct scalar finish(struct combine *c)
{
    const struct task *t = &c->task;
    struct scalar value = {.type = t->type};

    launch(c);
    HIP_CHECK(hipMemcpyAsync(c->on_devices.h_value, c->on_devices.d_value, type_size(t->type),
                             hipMemcpyDeviceToHost, t->stream));
    HIP_CHECK(hipStreamSynchronize(t->stream));
    memcpy(&value.as, c->on_devices.h_value, type_size(t->type));
    return value;
}

const struct way devices_way = {begin, end, target, receive, finish, finish};
