/* SPDX-License-Identifier: MIT */
#include "share.h"

#include "choices.h"
#include "values/scalar.h"

/* The first of count things that belong to this rank. Where there are fewer things than ranks, the first ranks have
 * one. The product of both would not fit. */
static size_t first_of(size_t count, size_t rank, size_t size)
{
    size_t more = count % size;

    return count / size * rank + (rank < more ? rank : more);
}

struct share share_of(size_t n, int type, int method, int rank, int size)
{
    struct share s = {.n = 0};
    size_t me = (size_t)rank, all = (size_t)size;

    if (method != METHOD_TREE) {
        size_t first = first_of(n, me, all);
        s.n = first_of(n, me + 1, all) - first;
        s.run_count = 1;
        s.runs[0].first = first;
        s.runs[0].n = s.n;
        return s;
    }
    unsigned lanes = (unsigned)(16 / type_size(type));
    struct order o = order_for(n, lanes);
    size_t run = order_run(&o, lanes);

    s.all_units = o.units;
    s.first_unit = (unsigned)first_of(o.units, me, all);
    s.units = (unsigned)first_of(o.units, me + 1, all) - s.first_unit;
    for (size_t round = 0; round < (o.side_by_side ? o.rounds : 1); round++) {
        size_t first = (round * o.units + s.first_unit) * run, end = first + s.units * run;
        end = end < n ? end : n;
        if (first >= end)
            break;
        s.runs[s.run_count].first = first;
        s.runs[s.run_count++].n = end - first;
        s.n += end - first;
    }
    if (s.run_count == 0)
        s.run_count = 1;
    return s;
}
