/* Part of two_kernels_unroll.hip: the option --unroll, and a kernel for each of its values.
 * SPDX-License-Identifier: MIT */

#define REDUCE_BLOCKS(UNROLL)                                                                      \
    __global__ void reduce_blocks_##UNROLL(const value_t *input, value_t *partials, size_t n)      \
    {                                                                                              \
        extern __shared__ value_t shared[];                                                        \
        value_t value = reduce_block(add_tile(input, n, UNROLL), shared);                          \
        if (threadIdx.x == 0)                                                                      \
            partials[blockIdx.x] = value;                                                          \
    }
REDUCE_BLOCKS(1)
REDUCE_BLOCKS(2)
REDUCE_BLOCKS(4)
REDUCE_BLOCKS(8)
REDUCE_BLOCKS(16)
REDUCE_BLOCKS(32)

enum { UNROLL }; /* index into r->option[] */
static const unsigned unroll_values[] = {1, 2, 4, 8, 16, 32};
static const struct variant_option options[] = {
    {"unroll", "1|2|4|8|16|32", 3, 0, 0, "elements per thread of the first kernel"},
    VARIANT_OPTIONS_END,
};

typedef void (*kernel_t)(const value_t *input, value_t *partials, size_t n);

static kernel_t kernel_of(const struct reduction *r)
{
    static const kernel_t kernels[] = {
        reduce_blocks_1, reduce_blocks_2,  reduce_blocks_4,
        reduce_blocks_8, reduce_blocks_16, reduce_blocks_32,
    };
    return kernels[r->option[UNROLL]];
}

static unsigned unroll_of(const struct reduction *r)
{
    return unroll_values[r->option[UNROLL]];
}

/* Elements of a block. */
static size_t tile_size(const struct reduction *r)
{
    return (size_t)r->block * unroll_of(r);
}

/* One for each block; n = 0 gives one, too. */
static size_t partial_count(const struct reduction *r)
{
    return r->n == 0 ? 1 : ceil_div(r->n, tile_size(r));
}
