/* What a variant does with values on the host; part of element.h, and therefore without an include guard.
 * SPDX-License-Identifier: MIT */

/* What the input consists of: values, or the bits of numbers of two bytes. */
#if ELEMENT_TYPE == VALUE_TYPE
typedef value_t element_t;
#else
typedef TYPE_COLUMN(ELEMENT_TYPE, TYPE_ELEMENT) element_t;
#endif

/* The table at the end of a variant. reduction.h describes its members; those that are NULL or 0 may be left out. */
struct variant_functions {
    const struct variant_option *options = NULL;
    void (*plan)(struct reduction *r);
    void (*launch)(const struct reduction *r, const element_t *input);
    value_t (*finish)(const struct reduction *r);
    const value_t *(*device_result)(const struct reduction *r) = NULL;
    void (*prepare)(const struct reduction *r, const struct input_view *in, struct reference *expected) = NULL;
    size_t (*extras)(const struct reduction *r, const struct input_view *in, struct extra out[EXTRAS_MAX]) = NULL;
    void (*release)(struct reduction *r) = NULL;
    size_t planned_bytes = 0;   /* of what r->planned points to */
    bool own_operation = false; /* --op has no effect */
    bool places_result = false; /* r->result counts */
};
#define VARIANT static const struct variant_functions variant_table

/* Memory of a reduction that holds values: on the device, and pinned on the host. */
static inline value_t *workspace_values(const struct reduction *r) { return (value_t *)r->workspace; }

static inline value_t *host_values(const struct reduction *r) { return (value_t *)r->host; }

/* Empties the words of r->host, and returns their address for kernels that write some. */
static inline void *empty_words(const struct reduction *r)
{
    volatile uint64_t *words = (volatile uint64_t *)r->host;

    for (size_t k = 0; k < r->host_bytes / sizeof *words; k++)
        words[k] = 0;
    return r->host_on_device != NULL ? r->host_on_device : r->host;
}

/* Combines count values on the host in pairs of halves, so that the rounding error grows with
 * log2(count) and not with count: chain_of_pairs(count) additions at most for any element. */
static inline value_t combine_pairwise(const value_t *values, size_t count)
{
    if (count > PAIRWISE_LEAF) {
        size_t half = count / 2;
        return combine(combine_pairwise(values, half), combine_pairwise(values + half, count - half));
    }
    value_t result = IDENTITY;
    for (size_t i = 0; i < count; i++)
        result = combine(result, values[i]);
    return result;
}

/* Element i of the input, on the host. */
static inline value_t input_at(const struct input_view *in, size_t i)
{
    if (in->data != NULL)
        return ((const value_t *)in->data)[i];
    return TYPE_COLUMN(VALUE_TYPE, TYPE_PATTERN)(&in->pattern, i);
}
