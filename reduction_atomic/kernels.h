/* Part of atomic.hip: a kernel for each kind of atomic addition, and how many updates it makes.
 * SPDX-License-Identifier: MIT */

__global__ void reduce_blocks(const value_t *input, value_t *result, size_t n, int atomics)
{
    extern __shared__ value_t shared[];
    reduce_share(input, result, n, atomics, false, shared);
}

__global__ void reduce_blocks_unsafe(const value_t *input, value_t *result, size_t n, int atomics)
{
    extern __shared__ value_t shared[];
    reduce_share(input, result, n, atomics, true, shared);
}

typedef void (*kernel_t)(const value_t *input, value_t *result, size_t n, int atomics);

static kernel_t kernel_of(const struct reduction *r)
{
    return r->option[UNSAFE_ATOMICS] != 0 ? reduce_blocks_unsafe : reduce_blocks;
}

static size_t updates(const struct reduction *r)
{
    if (r->option[ATOMICS] == BLOCK)
        return busy_blocks(r);
    if (r->option[ATOMICS] == WARP)
        return busy_blocks(r) * ceil_div(r->block, r->warp_size);
    return min_size((size_t)r->grid * r->block, r->n);
}
