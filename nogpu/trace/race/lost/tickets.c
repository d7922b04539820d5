/* A ticket: a word that each block of a launch changes once, so that the last one knows that it is. If nothing resets it, the
 * next launch of the kernel has no last block, and does not write what the first one wrote.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../../text/names.h"
#include "../../trace_internal.h"
#include "arrays.h"

#define WORDS_MAX  4
#define STORES_MAX 16
#define PAST_MAX   64

struct word {
    uintptr_t address;
    unsigned size;
    uint64_t begin, end, updates;
};

struct past {
    uint64_t key; /* kernel, grid and block */
    struct word word[WORDS_MAX];
    unsigned words; /* beyond WORDS_MAX: none is a ticket */
    struct {
        const struct trace_place *place;
        char name[80];
    } store[STORES_MAX];
    unsigned stores;
};

struct tickets {
    struct past now, past[PAST_MAX];
    unsigned pasts;
    const struct trace_place *latest;
};

struct tickets *tickets_create(void) { return trace_check_alloc(calloc(1, sizeof(struct tickets))); }

void tickets_launch_begin(struct tickets *t, const struct trace_launch *l)
{
    t->now = (struct past){.key = hip_cpu_mix(hip_cpu_mix(l->function, l->blocks), l->threads)};
    t->latest = NULL;
}

static uint64_t value_at(uintptr_t address, unsigned size)
{
    uint64_t value = 0;
    __real_memcpy(&value, (const void *)address, size < sizeof value ? size : sizeof value);
    return value;
}

void tickets_update(struct tickets *t, uintptr_t address, unsigned size)
{
    struct past *now = &t->now;
    unsigned i = 0;

    if (now->words > WORDS_MAX)
        return;
    while (i < now->words && now->word[i].address != address)
        i++;
    if (i == now->words && now->words++ < WORDS_MAX)
        now->word[i] = (struct word){address, size, value_at(address, size), 0, 0};
    if (i < WORDS_MAX)
        now->word[i].updates++;
}

void tickets_store(struct tickets *t, uintptr_t address, unsigned size, const struct trace_place *place)
{
    struct past *now = &t->now;
    struct trace_name name;

    if (t->latest == place)
        return;
    t->latest = place;
    for (unsigned i = 0; i < now->stores; i++)
        if (now->store[i].place == place)
            return;
    if (now->stores == STORES_MAX)
        return;
    trace_name_of(TRACE_GLOBAL, address, size, &name);
    name.element[sizeof now->store->name - 1] = '\0';
    strcpy(now->store[now->stores].name, name.element);
    now->store[now->stores++].place = place;
}

static bool is_ticket(const struct word *w, uint64_t blocks)
{
    return w->updates == blocks && w->end == w->begin + blocks;
}

void tickets_launch_end(struct lost *l)
{
    struct tickets *t = l->tickets;
    struct past *now = &t->now, *past = t->past;
    struct trace_name name;

    if (now->words == 0 || now->words > WORDS_MAX)
        return;
    for (unsigned i = 0; i < now->words; i++)
        now->word[i].end = value_at(now->word[i].address, now->word[i].size);
    while (past < t->past + t->pasts && past->key != now->key)
        past++;
    for (unsigned i = 0; past < t->past + t->pasts && i < now->words; i++) {
        const struct word *w = &now->word[i], *before = past->word;
        while (before < past->word + past->words && before->address != w->address)
            before++;
        if (before == past->word + past->words || w->begin != before->end || !is_ticket(w, l->launch->blocks) ||
            !is_ticket(before, l->launch->blocks))
            continue;
        for (unsigned k = 0; k < past->stores; k++) {
            const struct trace_place *place = past->store[k].place;
            unsigned here = 0;
            while (here < now->stores && now->store[here].place != place)
                here++;
            if (here < now->stores)
                continue;
            trace_name_of(TRACE_GLOBAL, w->address, w->size, &name);
            lost_note(l,
                      "%s is %llu when kernel %s begins again: the launch before has left it so, "
                      "which began with %llu. That one wrote %s in %s:%u; now no thread gets "
                      "there. Set %s back to %llu",
                      name.element, (unsigned long long)w->begin, l->launch->kernel, (unsigned long long)before->begin,
                      past->store[k].name, place->file, place->line, name.element, (unsigned long long)before->begin);
            break;
        }
    }
    if (past == t->past + PAST_MAX)
        return;
    t->pasts += past == t->past + t->pasts;
    *past = *now;
}
