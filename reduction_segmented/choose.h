/* Who reduces a segment, and the longest chain that follows from it; part of segmented.hip, inside its namespace, and
 * therefore without an include guard.
 * SPDX-License-Identifier: MIT */

/* Additions on the longest path through reduce_range() with so many lanes: those within a vector, and one for each
 * vector of a lane. One vector more, for the elements outside of whole vectors. */
static size_t chain_of_range(size_t n, size_t lanes)
{
    return VECTOR + ceil_div(ceil_div(n, VECTOR) + 1, lanes);
}

/* The same for a segment that blocks reduce, in pieces if it is longer than `limit`. */
static size_t chain_of_blocks(size_t n, size_t limit, size_t piece, size_t block)
{
    if (n <= limit)
        return chain_of_range(n, block) + tree_depth(block);
    return chain_of_range(piece, block) + ceil_div(ceil_div(n, piece), block) +
           2 * tree_depth(block);
}

/* The same for a segment of n elements, by a group, a warp or blocks. */
static size_t chain_of(const struct reduction *r, size_t n)
{
    const struct planned *p = (const struct planned *)r->planned;
    size_t last = r->block % r->warp_size, lanes = p->group;

    if (p->method == LIBRARY)
        return n; /* whatever its order: combining with IDENTITY never rounds */
    if (p->group == 0 || n > p->warp_limit)
        return min_size(n, chain_of_blocks(n, p->block_limit, p->piece, r->block));
    if (n > p->group_limit) /* the last warp of the block may be small */
        lanes = last > 0 ? last : r->warp_size;
    return min_size(n, chain_of_range(n, lanes) + tree_depth(r->warp_size));
}

/* The longest chain need not be that of the longest segment, which more lanes share. */
static size_t longest_chain(const struct reduction *r)
{
    const struct segments *s = &((const struct planned *)r->planned)->host;
    size_t step =
        s->offsets != NULL || s->count < 2 ? 1 : s->count - 1; /* or the first and the last */
    size_t chain = 0;

    for (size_t k = 0; k < s->count; k += step) {
        size_t here = chain_of(r, segment_begin(*s, k + 1) - segment_begin(*s, k));
        chain = here > chain ? here : chain;
    }
    return chain;
}

/* Elements: a longer segment is too much for a warp. */
static size_t long_for_warp(const struct reduction *r)
{
    return (size_t)r->warp_size * BATCH * 8;
}

/* Lengths differ: which are too long for a group of lanes, a warp or a block. */
static void limit_lengths(const struct reduction *r, struct planned *p, size_t longest,
                          unsigned most)
{
    p->warp_limit = p->group_limit = long_for_warp(r);
    if (p->group < most)
        p->group_limit = min_size(p->group * BATCH * 4, p->warp_limit);
    if (longest <= p->group_limit)
        p->group_limit = SIZE_MAX; /* no segment has to wait for the warp */
    /* What a block reads in 16 rounds costs less than the queue, and so does what it reads while the others read the rest:
     * the loads of 512 threads on each compute unit are all that the memory can serve. The queue has QUEUE_MAX places, and
     * a warp's segments are not queued as well. */
    const size_t least[] = {(size_t)r->block * BATCH * 16,
                            r->n / ((size_t)r->compute_units * 512) * r->block, r->n / QUEUE_MAX,
                            p->group > 0 ? p->warp_limit : 0};
    for (unsigned i = 0; i < sizeof least / sizeof *least; i++)
        if (p->block_limit < least[i])
            p->block_limit = least[i];
    p->queued = longest > p->block_limit;
}

/* Who reduces a segment. */
static void choose(const struct reduction *r, struct planned *p, size_t longest)
{
    bool ragged = p->method == AUTO && p->host.offsets != NULL;
    size_t mean = p->host.count > 0 ? ceil_div(r->n, p->host.count) : 0;
    /* Lanes wait for the longest segment of their warp: where lengths differ, plan for longer ones. */
    size_t likely = p->host.offsets != NULL ? 2 * mean : mean, loads = ceil_div(likely, VECTOR);
    /* So few that a block can start with each at once, or soon. */
    size_t threads = p->host.count * r->block,
           room = (size_t)r->compute_units * r->threads_per_unit;
    bool few = threads <= room / 2, soon = threads <= 4 * room;
    unsigned lanes = r->block < r->warp_size ? r->block : r->warp_size, most = 1;
    while (most <= lanes / 2)
        most *= 2;

    p->group = 1; /* as many lanes as give each one UNROLL loads */
    while (p->group < most && p->group * UNROLL < loads)
        p->group *= 2;
    if (p->method == THREAD)
        p->group = 1;
    else if (p->method == WARP)
        p->group = most;
    else if (p->method != AUTO || likely >= (ragged && !soon ? 3 : 1) * long_for_warp(r) ||
             (ragged && few && loads >= 4 * (size_t)r->warp_size))
        p->group = 0;

    p->block_limit = p->method == BLOCK ? SIZE_MAX : piece_for(r, r->n, r->block, 2);
    p->piece = piece_for(r, r->n, r->block, ragged ? 2 : 8);
    p->warp_limit = p->group_limit = SIZE_MAX;
    p->queued = false;
    p->parts = 1;
    if (ragged)
        limit_lengths(r, p, longest, most);
    else if (p->group == 0 && p->host.offsets == NULL && longest > p->block_limit)
        p->parts = ceil_div(longest, p->piece);
}

/* The same, in which grid, and how many pieces of segments there are at most. */
static void plan_segments(struct reduction *r, struct planned *p, size_t longest)
{
    choose(r, p, longest);
    size_t count = p->host.count;
    size_t blocks = p->group > 0 ? ceil_div(count, r->block / p->group) : count * p->parts;
    if (p->queued && blocks < surely_resident(r))
        blocks = surely_resident(r); /* for the pieces */
    if (p->queued && p->group > 0 && blocks > 4 * (size_t)surely_resident(r))
        blocks = 4 * (size_t)surely_resident(r); /* each has to close the queue */
    p->blocks = r->grid > 0 ? r->grid : (unsigned)(GRID_THREADS_MAX / r->block);
    r->grid = blocks < 1 ? 1 : (unsigned)min_size(blocks, p->blocks);

    p->pieces = p->parts > 1 ? count * p->parts : 0;
    if (p->queued) /* of segments that are longer than block_limit */
        p->pieces = r->n / p->piece + r->n / p->block_limit + 1;
}
