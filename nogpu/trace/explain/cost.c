/* What one instruction of a warp costs: passes of shared memory, sectors and lines of global memory.
 * SPDX-License-Identifier: MIT */
#include "explain.h"

/* Adds number to a small set; true if it is new. */
static bool add_to(uint64_t *set, unsigned *count, uint64_t number)
{
    for (unsigned i = *count; i-- > 0;)
        if (set[i] == number)
            return false;
    set[(*count)++] = number;
    return true;
}

/* Lanes before this one with its address. Atomic operations on one address follow each other: on an H200 each counts the
 * sectors and passes of its own (results/h200/explain/atomics.txt), unless the compiler has combined the lanes. Those
 * that add 1 to a word of shared memory are counted there (ATOMS.POPC.INC). */
static unsigned turn_of(const struct warp_instruction *i, unsigned lane)
{
    unsigned count = 0;

    for (uint64_t rest = i->lanes & (((uint64_t)1 << lane) - 1); rest; rest &= rest - 1)
        count += i->address[__builtin_ctzll(rest)] == i->address[lane];
    return i->kind == WARP_ATOMIC ? count : 0;
}

/* A GPU's allocations begin at multiples of 256 bytes, those of this platform end at page boundaries: so distances are
 * from the beginning of the allocation. */
unsigned explain_pieces(const struct warp_instruction *i, unsigned bytes)
{
    const struct trace_allocation *a = trace_allocation_of(i->address[__builtin_ctzll(i->lanes)]);
    uint64_t set[64 * 16];
    unsigned count = 0;

    for (uint64_t rest = i->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uintptr_t from = i->address[lane] - (a ? a->start : 0);
        uint64_t turn = (uint64_t)turn_of(i, lane) << 56;
        for (uint64_t p = from / bytes; p <= (from + i->size - 1) / bytes; p++)
            add_to(set, &count, p | turn);
    }
    return count;
}

/* Lanes form groups that request as much as is served at once; in each group the bank with the most words counts, and
 * lanes that request the same word are served together. The counters of an H200 assume that a load serves lanes of two
 * groups at once if few are active, and that a store takes one pass per group. */
unsigned explain_passes(const struct machine *m, const struct warp_instruction *i, unsigned *needed)
{
    unsigned size = i->size < 4 ? 4 : i->size, together = m->pass / size;
    unsigned lanes = (unsigned)__builtin_popcountll(i->lanes), groups = 0, all = 0;

    for (unsigned first = 0; first < 64; first += together) {
        uint64_t words[64][64];
        unsigned count[64] = {0}, most = 0;
        for (unsigned lane = first; lane < first + together && lane < 64; lane++) {
            if (!(i->lanes >> lane & 1))
                continue;
            uintptr_t from = i->address[lane];
            uint64_t turn = i->adds_one && m->counts ? 0 : (uint64_t)turn_of(i, lane) << 56;
            for (uint64_t word = from / 4; word <= (from + i->size - 1) / 4; word++) {
                unsigned bank = (unsigned)(word % m->banks);
                add_to(words[bank], &count[bank], word | turn);
                most = count[bank] > most ? count[bank] : most;
            }
        }
        all += most;
        groups += most > 0;
    }
    *needed = i->kind == WARP_LOAD ? (lanes * size + m->pass - 1) / m->pass : groups;
    return all;
}
