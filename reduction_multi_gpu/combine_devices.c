/* What a rank has stays on its device. One collective operation brings together what all ranks have, and one small
 * kernel makes a value of it, with the same bits as combine.c does on the host:
 *
 *   PAYLOAD_VALUE  the library's reduction; where it has none, all values
 *   PAYLOAD_UNITS  the units of the tree, in their order: each rank has the words of its own, and 0 for the others, so
 *              the sum of the words as integers is every word, whatever the order of the ranks
 *   PAYLOAD_BINS   the bins of all ranks
 * SPDX-License-Identifier: MIT */
#include "combine_devices.h"

#include <string.h>

#include "../reduction_reproducible/binned_value.h"

#define WORD 8 /* bytes, with the mark */

static size_t words_of_units(const struct combine_devices *c, unsigned units)
{
    return units * (type_size(c->type) / 4);
}

void combine_devices_begin(struct combine_devices *c, struct collective *collective,
                           const struct ranks *ranks, const struct variant_entry *own, int type,
                           int op, int payload, unsigned folds, const struct share *share,
                           hipStream_t stream)
{
    size_t size = (size_t)ranks->size, bytes;

    *c = (struct combine_devices){.collective = collective,
                                  .own = own,
                                  .type = type,
                                  .op = op,
                                  .payload = payload,
                                  .count = 1,
                                  .r = {.n = size, .stream = stream}};
    c->r.option[GATHERED] = payload;
    c->r.option[FOLDS] = folds == 3;
    c->r.option[UNITS] = share->all_units;
    bytes = size * type_size(type);
    if (payload == PAYLOAD_UNITS) {
        c->count = words_of_units(c, share->all_units);
        bytes = c->count * WORD;
        HIP_CHECK(hipMalloc((void **)&c->d_words, bytes));
        HIP_CHECK(hipMemsetAsync(c->d_words, 0, bytes, stream));
    } else if (payload == PAYLOAD_BINS) {
        c->count = BINNED_WORDS(folds);
        bytes = size * c->count * WORD;
        HIP_CHECK(hipMalloc((void **)&c->d_words, c->count * WORD));
    }
    HIP_CHECK(hipMalloc((void **)&c->d_all, bytes));
    HIP_CHECK(hipMalloc(&c->d_value, type_size(type)));
    HIP_CHECK(hipHostMalloc(&c->h_value, type_size(type), 0));
    c->r.workspace = c->d_value;
}

void combine_devices_end(struct combine_devices *c)
{
    HIP_CHECK(hipHostFree(c->h_value));
    HIP_CHECK(hipFree(c->d_value));
    HIP_CHECK(hipFree(c->d_all));
    if (c->d_words != NULL)
        HIP_CHECK(hipFree(c->d_words));
}

void *combine_devices_target(struct combine_devices *c, const struct share *share)
{
    return c->d_words + words_of_units(c, share->first_unit) * WORD;
}

void combine_devices_launch(struct combine_devices *c, const void *from)
{
    if (c->payload == PAYLOAD_VALUE && collective_has(c->type, c->op)) {
        collective_reduce(c->collective, from, c->d_value, 1, c->type, c->op, c->r.stream);
        return;
    }
    if (c->payload == PAYLOAD_UNITS)
        collective_reduce(c->collective, c->d_words, c->d_all, c->count, TYPE_LONG, OP_SUM,
                          c->r.stream);
    else
        collective_gather(c->collective, c->payload == PAYLOAD_BINS ? c->d_words : from, c->d_all,
                          c->count, c->payload == PAYLOAD_BINS ? TYPE_LONG : c->type, c->r.stream);
    c->own->launch(&c->r, c->d_all);
}

struct scalar combine_devices_finish(struct combine_devices *c)
{
    struct scalar value = {.type = c->type};

    HIP_CHECK(hipMemcpyAsync(c->h_value, c->d_value, type_size(c->type), hipMemcpyDeviceToHost,
                             c->r.stream));
    HIP_CHECK(hipStreamSynchronize(c->r.stream));
    memcpy(&value.as, c->h_value, type_size(c->type));
    return value;
}
