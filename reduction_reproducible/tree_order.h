/* The canonical tree: the order of the additions, a function of n and of the type's size alone. C, for kernels and
 * for hosts.
 *
 * A unit has `columns` columns; column c of it adds up its elements from the first to the last. Then GROUP
 * neighbouring columns are one value, then the groups of a unit, and then the units, in the same way. GROUP is no
 * warp: a warp of 64 takes two groups at once.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_TREE_ORDER_H
#define REDUCTION_TREE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#define GROUP      32
#define COLUMNS    512 /* of a unit at most */
#define CLUSTER    8
#define GROUPS_MAX (COLUMNS / GROUP)
#define LOADS      8   /* rows of vectors in flight */
#define UNITS_MAX  528 /* a little faster than 512 on the 132 SMs of an H200 */
/* rounds up to which the units read side by side; beyond, each reads its own run */
#define SIDE_BY_SIDE 16

struct order {
    unsigned columns; /* of a unit: a multiple of GROUP */
    unsigned units;
    size_t rounds; /* of LOADS rows in each unit */
    bool side_by_side;
    unsigned edge_unit, edge_column; /* where the last n % lanes elements go, less than a vector */
};

/* lanes: elements of a vector of 16 bytes */
static inline struct order order_for(size_t n, unsigned lanes)
{
    size_t vectors = n / lanes + (n % lanes != 0), last = n / lanes;
    struct order o = {COLUMNS, 1, 1, true, 0, 0};
    size_t units = 1;

    /* Few units are quick to collect; 8 of them fit a cluster on sm_90. */
    if (vectors > (size_t)COLUMNS * LOADS)
        units = vectors <= (size_t)CLUSTER * COLUMNS * LOADS ? CLUSTER : 64;
    if (vectors == 0)
        vectors = 1;
    if (vectors <= units * COLUMNS * LOADS)
        o.columns = (unsigned)((vectors - 1) / (units * GROUP * LOADS) + 1) * GROUP;
    size_t round = (size_t)o.columns * LOADS; /* vectors that a unit takes at once */
    o.rounds = (vectors - 1) / (round * UNITS_MAX) + 1;
    o.units = (unsigned)((vectors - 1) / (round * o.rounds) + 1);
    o.side_by_side = o.rounds <= SIDE_BY_SIDE;

    o.edge_unit = (unsigned)(o.side_by_side ? last / round % o.units : last / round / o.rounds);
    o.edge_column = (unsigned)(last % round / (GROUP * LOADS) * GROUP + last % GROUP);
    return o;
}

/* Elements of one round of a unit, or, where units have runs of their own, of all its rounds. */
static inline size_t order_run(const struct order *o, unsigned lanes)
{
    return (size_t)o->columns * LOADS * lanes * (o->side_by_side ? 1 : o->rounds);
}

/* A part of the tree: the units first ... first + count - 1 alone, whose elements lie side by side in an array of
 * their own. *o becomes the order of that array; returns its number of elements. */
static inline size_t order_part(struct order *o, size_t n, unsigned lanes, unsigned first,
                                unsigned count)
{
    size_t run = order_run(o, lanes), all = run * o->units, elements = 0;
    size_t begin = run * first, end = run * (first + count);

    for (size_t round = 0; round < (o->side_by_side ? o->rounds : 1); round++) {
        size_t from = round * all + begin, to = round * all + end;
        to = to < n ? to : n;
        elements += from < to ? to - from : 0;
    }
    o->edge_unit -= first; /* one of another part becomes larger than any unit of this one */
    o->units = count;
    return elements;
}

#endif
