/* Rows behind an index array. Which elements a launch reads by it depends on data, and so may be what it does not read; but where
 * the index array has a place for each row, the rows that it should have read are known.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../../trace_internal.h"
#include "arrays.h"

static uint64_t entry(const struct array *o, size_t i)
{
    uint64_t value = 0;
    __real_memcpy(&value, (const void *)(o->start + i * o->element), o->element);
    return value;
}

/* Offsets: from 0 to the number of elements of the array, one more than there are rows. */
static bool is_offsets(const struct array *o, size_t count, size_t elements)
{
    if (count < 3 || entry(o, 0) != 0 || entry(o, count - 1) != elements)
        return false;
    for (size_t i = 1; i < count; i++)
        if (entry(o, i) < entry(o, i - 1))
            return false;
    return true;
}

static bool is_permutation(const struct array *o, size_t count, size_t elements)
{
    unsigned char *seen = trace_check_alloc(calloc(count, 1));
    size_t i = 0;

    while (i < count && entry(o, i) < count && !seen[entry(o, i)])
        seen[entry(o, i++)] = 1;
    free(seen);
    return i == count && count > 1 && elements % count == 0;
}

static void look(struct array *a, const struct array *o)
{
    size_t elements = a->bytes / a->element, count = o->bytes / o->element, read = 0;

    while (read < count && array_reads_of(o, read) > 0)
        read++;
    if (read == count && is_permutation(o, count, elements))
        a->rows = count;
    /* The launch begins with the first row, and has not been told to read only so many. */
    if (read > 1 && read < count && is_offsets(o, count, elements) && !array_has_number(o, read - 1))
        a->unread_from = entry(o, read - 1);
    if (read == count && !a->offset && is_offsets(o, count, elements)) {
        a->offset = trace_check_alloc(malloc(count * sizeof *a->offset));
        a->offsets = count;
        for (size_t i = 0; i < count; i++)
            a->offset[i] = entry(o, i);
    }
}

static size_t unread_before(const struct array *a, size_t begin, size_t end)
{
    size_t i = end;
    while (i > begin && array_reads_of(a, i - 1) == 0)
        i--;
    return end - i;
}

/* One turn of a loop: of each row at most as many elements as there are threads in a block, or lanes in a warp. */
static bool judge_long_rows(struct lost *l, const struct array *a)
{
    size_t most = 0, longest = 0, rows = 0, first = 0;

    for (size_t r = 0; r + 1 < a->offsets; r++) {
        size_t begin = a->offset[r], end = a->offset[r + 1], unread = unread_before(a, begin, end);
        size_t read = end - begin - unread;
        if (unread > 0 && rows++ == 0) {
            most = read;
            first = begin + read;
        }
        if (unread > 0 && read != most)
            return false;
        longest = read > longest ? read : longest;
    }
    if (rows < 2 || longest > most || (most != a->threads && most != a->warp_size))
        return false;
    lost_note(l,
              "%s[%zu] and so on: of each row no thread reads more than the first %zu elements; %s:%u in kernel %s "
              "reads them",
              a->name, first, most, a->place->file, a->place->line, a->kernel);
    return true;
}

void rows_judge(struct lost *l, const struct array *a)
{
    size_t tail = 0, first = 0;

    if (!a->offset || a->many_results || judge_long_rows(l, a))
        return;
    for (size_t r = 0; r + 1 < a->offsets; r++) {
        size_t begin = a->offset[r], end = a->offset[r + 1], unread = unread_before(a, begin, end);
        if (begin == end)
            continue;
        if (tail == 0)
            first = end - unread;
        if (unread == 0 || (tail > 0 && unread != tail) || unread_before(a, begin, end - unread) > 0)
            return;
        tail = unread;
    }
    if (tail > 0)
        lost_note(l,
                  "%s[%zu] and so on, the last %zu of each row, which no thread reads; %s:%u in "
                  "kernel %s reads the others",
                  a->name, first, tail, a->place->file, a->place->line, a->kernel);
}

void rows_find(struct lost *l)
{
    for (size_t i = 0; i < l->arrays; i++) {
        struct array *a = l->array[i];
        for (size_t k = 0; k < l->arrays && a->by_data && a->launch == l->launch->number; k++) {
            const struct array *o = l->array[k];
            if (o != a && o->state && !o->by_data && o->by_host && o->launch == a->launch &&
                (o->element == 4 || o->element == 8))
                look(a, o);
        }
    }
}
