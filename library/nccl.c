/* Results over the ranks of NCCL or RCCL, on the device. The values of the ranks are combined as doubles or int64_t, whatever
 * their type.
 * SPDX-License-Identifier: MIT */
#include "libreduction.h"
#include "ranks.h"

enum { NCCL_INT64 = 4, NCCL_DOUBLE = 8, NCCL_SUM = 0, NCCL_MAX = 2 }; /* since NCCL 2.0, and in RCCL */

static struct rank_words *words_of(struct lr_handle *h)
{
    return (struct rank_words *)(void *)(h->matrix + MATRIX_BYTES(h->compute_units));
}

static int all_reduce(const struct lr_nccl_ranks *ranks, struct rank_words *w, size_t count, int type, int operation,
                      lr_stream stream)
{
    return ranks->all_reduce(&w->word, &w->word, count, type, operation, ranks->communicator, stream) == 0 ? LR_OK
                                                                                                           : LR_NCCL;
}

/* After a function that has left this rank's value there, with this status. */
static int combine(struct lr_handle *h, const struct lr_nccl_ranks *ranks, int function, int type, int status,
                   void *result, lr_stream stream)
{
    int of_value = lr_result_type(function, type);
    size_t bytes = element_bytes(of_value);
    struct rank_words *w = words_of(h);
    const struct span spans[] = {WRITTEN(result, 1, bytes > 8 ? 8 : bytes, ON_DEVICE), {0}};
    bool min = function == LR_OP_MIN, adds = !min && function != LR_OP_MAX && function != LR_OP_NRM2;
    bool whole = of_value == LR_INT32 || of_value == LR_INT64;
    enum rank_step first = adds ? VALUE_TO_SUM : min ? VALUE_TO_MIN : VALUE_TO_MAX;
    enum rank_step last = adds ? SUM_TO_VALUE : min ? MIN_TO_VALUE : MAX_TO_VALUE;

    if (status == LR_OK)
        status = check_call(h, type, ~0u, spans);
    if (status == LR_OK)
        status = handle_begin(h, spans, stream);
    if (status != LR_OK)
        return status;
    lr_rank_step(h->stream, first, of_value, w, result);
    int error = errors_first() != hipSuccess ? LR_OK
                : !adds || whole
                    ? all_reduce(ranks, w, 1, NCCL_INT64, adds ? NCCL_SUM : NCCL_MAX, stream)
                    : all_reduce(ranks, w, of_value >= LR_COMPLEX_FLOAT ? 2 : 1, NCCL_DOUBLE, NCCL_SUM, stream);
    if (function == LR_OP_NRM2 && error == LR_OK && errors_first() == hipSuccess) {
        lr_rank_step(h->stream, NORM_TO_SQUARE, of_value, w, result);
        last = SQUARES_TO_NORM;
        if (errors_first() == hipSuccess)
            error = all_reduce(ranks, w, 1, NCCL_DOUBLE, NCCL_SUM, stream);
    }
    if (error == LR_OK && errors_first() == hipSuccess)
        lr_rank_step(h->stream, last, of_value, w, result);
    status = handle_end(h);
    return status != LR_OK ? status : error;
}

static int missing(const struct lr_handle *h, const struct lr_nccl_ranks *ranks, const void *result)
{
    return h == NULL || ranks == NULL || ranks->all_reduce == NULL || result == NULL;
}

/* Of all ranks, where CALL leaves this rank's value behind the workspace. */
#define ALL_RANKS(function, CALL)                                                                                      \
    if (missing(h, ranks, result))                                                                                     \
        return LR_NULL;                                                                                                \
    h->for_ranks = true;                                                                                               \
    int status = CALL;                                                                                                 \
    h->for_ranks = false;                                                                                              \
    return combine(h, ranks, function, type, status, result, stream);
#define FUNCTION(name, function)                                                                                       \
    int lr_nccl_##name(lr_handle *h, const struct lr_nccl_ranks *ranks, int type, const void *x, size_t n,             \
                       void *result, lr_stream stream)                                                                 \
    {                                                                                                                  \
        ALL_RANKS(function, lr_##name(h, type, x, n, &words_of(h)->value, stream))                                     \
    }

FUNCTION(sum, LR_OP_SUM)
FUNCTION(min, LR_OP_MIN)
FUNCTION(max, LR_OP_MAX)
FUNCTION(asum, LR_OP_ASUM)
FUNCTION(nrm2, LR_OP_NRM2)

int lr_nccl_dot(lr_handle *h, const struct lr_nccl_ranks *ranks, int type, const void *x, const void *y, size_t n,
                void *result, lr_stream stream)
{
    ALL_RANKS(LR_OP_DOT, lr_dot(h, type, x, y, n, &words_of(h)->value, stream))
}
