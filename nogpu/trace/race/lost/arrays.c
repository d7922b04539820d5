/* Who reads which elements; the notes about those that no thread reads, or several read.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../text/names.h"
#include "../../trace_internal.h"
#include "arrays.h"

#define READS_MAX 255

struct lost *lost_create(struct report *report, struct replay *replay)
{
    struct lost *l = trace_check_alloc(calloc(1, sizeof *l));

    l->report = report;
    l->replay = replay;
    l->tickets = tickets_create();
    l->trials = trials_create();
    return l;
}

/* ---- the arrays ---- */

static struct array *new_array(struct lost *l, uintptr_t start, size_t bytes)
{
    struct array *a = trace_check_alloc(calloc(1, sizeof *a));

    *a = (struct array){.start = start, .bytes = bytes};
    if (bytes <= ARRAY_BYTES_MAX) {
        a->state = trace_check_alloc(calloc(bytes, 1));
        a->reads = trace_check_alloc(calloc(bytes, 1));
    }
    TRACE_ONE_MORE(l->array, l->arrays, l->room, 64);
    return l->array[l->arrays++] = a;
}

/* NULL: it belongs to none that is known. */
static struct array *array_at(struct lost *l, uintptr_t address)
{
    uintptr_t page = address >> 12;
    size_t slot = trace_slot_of(page, ARRAY_BITS);
    struct array *a = l->cached[slot].array;
    const struct trace_allocation *allocation;
    struct symbols_variable v;
    uintptr_t start;
    size_t bytes;

    if (a && l->cached[slot].page == page && address - a->start < a->bytes)
        return a;
    if ((allocation = trace_allocation_of(address))) {
        start = allocation->start;
        bytes = allocation->bytes;
    } else if (symbols_variable_at(address, &v)) {
        start = v.begin;
        bytes = v.bytes;
    } else {
        return NULL;
    }
    size_t i = 0;
    while (i < l->arrays && l->array[i]->start != start)
        i++;
    a = i < l->arrays ? l->array[i] : new_array(l, start, bytes);
    l->cached[slot].page = page;
    l->cached[slot].array = a;
    return a;
}

/* ---- what is known at the end ---- */

/* Some elements of an array, each with what its bytes have in common. */
struct range {
    const struct array *array;
    size_t origin, count; /* in elements */
    unsigned char *is_in; /* [count]: the elements of the set */
    unsigned char usual;  /* how often most elements are read that are read at all */
    size_t read, others;  /* elements that are read; that are read not so often */
    unsigned other;       /* twice that, or half: all others are read so often; 0: they are not */
};

static unsigned char state_of(const struct array *a, size_t element)
{
    unsigned char state = 0;
    for (size_t i = element * a->element; i < (element + 1) * a->element && i < a->bytes; i++)
        state |= a->state[i];
    return state;
}

unsigned char array_reads_of(const struct array *a, size_t element)
{
    unsigned char reads = 0;
    for (size_t i = element * a->element; i < (element + 1) * a->element && i < a->bytes; i++)
        reads = a->reads[i] > reads ? a->reads[i] : reads;
    return reads;
}

bool array_has_number(const struct array *a, size_t number)
{
    for (unsigned i = 0; i < a->numbers; i++)
        if (a->number[i] == number)
            return true;
    return false;
}

bool array_is_told(const struct array *a, size_t count)
{
    return !a->many_results && array_has_number(a, count / a->members);
}

static void count_reads(struct range *r)
{
    size_t times[READS_MAX + 1] = {0};

    for (size_t i = 0; i < r->count; i++)
        times[array_reads_of(r->array, r->origin + i)]++;
    for (unsigned n = 1; n <= READS_MAX; n++) {
        r->read += times[n];
        if (times[n] > times[r->usual] || r->usual == 0)
            r->usual = (unsigned char)n;
    }
    r->others = r->read - times[r->usual];
    unsigned twice = 2u * r->usual, half = r->usual % 2 == 0 ? r->usual / 2u : 0;
    if (r->others >= 2 && twice < READS_MAX && times[twice] == r->others)
        r->other = twice;
    else if (r->others >= 2 && half > 0 && times[half] == r->others)
        r->other = half;
}

unsigned array_other_reads(const struct array *a, unsigned *usual)
{
    struct range r = {.array = a, .count = a->bytes / a->element};

    count_reads(&r);
    *usual = r.usual;
    return r.other;
}

static void note_set(struct lost *l, const struct range *r, const struct pattern *p, const char *what,
                     const char *others)
{
    const struct array *a = r->array;
    char elements[300], words[120];

    pattern_elements(p, a, r->origin, elements, sizeof elements);
    pattern_of_array(p, a, words, sizeof words);
    lost_note(l, "%s%s, %s; %s:%u in kernel %s %s", elements, words, what, a->place->file, a->place->line, a->kernel,
              others);
}

/* Periods below a warp are the layout of the data, as are single elements of a period: every third colour, every 32nd. */
static bool is_loss(const struct pattern *p)
{
    size_t length = p->last - p->first + 1, period = p->second - p->first;
    return p->runs == 1 || (period >= 32 && length > 1 && period - length > 1);
}

/* Of an array whose number of elements the launch knows, and not the step, it should have read all. */
static bool leaves_out(const struct range *r, const struct pattern *p)
{
    return p->runs > 1 && r->others == 0 && array_is_told(r->array, r->origin + r->count) &&
           !array_has_number(r->array, p->second - p->first);
}

/* Which elements the launch reads depends on data, but they are all in rows that it should have read. */
static bool is_of_rows(const struct array *a, const struct pattern *p)
{
    return (p->to_end && a->unread_from > 0 && p->first == a->unread_from) ||
           (p->runs > 1 && p->runs == a->rows && p->count / a->rows == p->second - p->first);
}

static void judge_unread(struct lost *l, struct range *r, unsigned char filled)
{
    struct pattern p;

    for (size_t i = 0; i < r->count; i++)
        r->is_in[i] = array_reads_of(r->array, r->origin + i) == 0 && !(state_of(r->array, r->origin + i) & TOUCHED);
    if (r->others > 2 + r->read / 100 || !pattern_find(r->is_in, r->count, &p) || r->read < 2 ||
        r->read < p.total / 64 || !(is_loss(&p) || leaves_out(r, &p)) ||
        (r->array->by_data && !is_of_rows(r->array, &p)))
        return;
    if ((p.to_end && array_has_number(r->array, p.first / r->array->members)) || (r->array->is_raw && !p.to_end))
        return;
    if (filled == BY_KERNEL && (!p.to_end || p.total == 1 || !r->array->is_handed))
        return;
    note_set(l, r, &p, filled == BY_HOST ? "which no thread reads" : "which a kernel writes and no thread reads",
             "reads the others");
}

/* Of neighbours that are compared, those at both ends are read half as often. */
static void judge_doubles(struct lost *l, struct range *r)
{
    bool half = r->other < r->usual;
    struct pattern p;

    for (size_t i = 0; i < r->count; i++)
        r->is_in[i] = array_reads_of(r->array, r->origin + i) == r->other;
    if (r->array->many_results || r->array->by_several || !pattern_find(r->is_in, r->count, &p) ||
        2 * p.total > r->read || (half && (p.runs > 1 || p.first > 0)))
        return;
    if (half || r->array->twice == NOT_WEIGHED ? !is_loss(&p) : r->array->twice == COUNTS_ONCE)
        return;
    note_set(l, r, &p,
             half                              ? "which are read half as often as the others"
             : r->array->twice == COUNTS_TWICE ? "which are read twice as often as the others, and count twice"
                                               : "which are read twice as often as the others",
             "reads them");
}

static void judge(struct lost *l, struct range *r, unsigned char filled)
{
    r->is_in = trace_check_alloc(malloc(r->count));
    count_reads(r);
    if (r->read > 0 && r->read < r->count)
        judge_unread(l, r, filled);
    if (r->other > 0)
        judge_doubles(l, r);
    free(r->is_in);
}

/* Each run of elements that were filled in the same way. */
static void judge_bytes(struct lost *l, const struct array *a, size_t from, size_t bytes)
{
    /* In other orders of threads nothing more is known, and no trial has said which loads depend on values. */
    if (!a->state || !a->place || a->element == 0 || hip_cpu_schedule() != HIP_CPU_FORWARD)
        return;
    rows_judge(l, a);
    size_t end = (from + bytes + a->element - 1) / a->element;
    for (size_t i = (from + a->element - 1) / a->element; i < end;) {
        unsigned char filled = state_of(a, i) & (BY_HOST | BY_KERNEL);
        struct range r = {.array = a, .origin = i};
        while (i < end && (state_of(a, i) & (BY_HOST | BY_KERNEL)) == filled)
            i++;
        r.count = i - r.origin;
        if (filled && r.count >= 2)
            judge(l, &r, filled);
    }
}

/* ---- events ---- */

/* What was known of these bytes ends: they have other values, or nobody's. */
static void forget(struct lost *l, uintptr_t address, size_t bytes, unsigned char filled)
{
    while (bytes > 0) {
        struct array *a = array_at(l, address);
        if (!a)
            return;
        size_t at = address - a->start, here = a->bytes - at < bytes ? a->bytes - at : bytes;
        if (a->state) {
            judge_bytes(l, a, at, here);
            memset(a->state + at, filled, here);
            a->by_host = a->by_host || filled == BY_HOST;
            memset(a->reads + at, 0, here);
        }
        address += here;
        bytes -= here;
    }
}

/* Someone else uses what a kernel has written. */
static void taken(struct lost *l, uintptr_t address, size_t bytes)
{
    struct array *a = array_at(l, address);

    for (size_t i = address - (a ? a->start : 0); a && a->state && i < a->bytes && bytes > 0; i++, bytes--)
        a->state[i] &= (unsigned char)~BY_KERNEL;
}

static bool is_of_device(uintptr_t address)
{
    const struct trace_allocation *a = trace_allocation_of(address);
    struct symbols_variable v;
    return a ? !a->host : symbols_variable_at(address, &v);
}

void lost_copied(struct lost *l, const struct trace_copy *c)
{
    switch (c->what) {
    case TRACE_COPY:
        taken(l, c->from, c->bytes);
        if (trace_allocation_of(c->to) || is_of_device(c->to))
            forget(l, c->to, c->bytes, trace_allocation_of(c->from) ? 0 : BY_HOST);
        break;
    case TRACE_FILL:
        forget(l, c->to, c->bytes, 0);
        break;
    case TRACE_ALLOCATION:
        break;
    case TRACE_RELEASE:
        lost_freed(l, c->to);
        break;
    }
}

static void drop(struct array *a)
{
    free(a->state);
    free(a->reads);
    free(a->first);
    free(a->offset);
    free(a);
}

void lost_freed(struct lost *l, uintptr_t start)
{
    for (size_t i = 0; i < l->arrays; i++) {
        if (l->array[i]->start != start)
            continue;
        judge_bytes(l, l->array[i], 0, l->array[i]->bytes);
        drop(l->array[i]);
        l->array[i] = l->array[--l->arrays];
        memset(l->cached, 0, sizeof l->cached);
        return;
    }
}

void lost_launch_begin(struct lost *l, const struct trace_launch *launch)
{
    l->launch = launch;
    l->accesses = 0;
    tickets_launch_begin(l->tickets, launch);
    trials_launch_begin(l->trials, launch);
}

static void note_numbers(struct array *a)
{
    const struct hip_cpu_launch *launch = trace_run.launch;
    unsigned value;

    for (size_t at = 0; at + sizeof value <= launch->arguments_bytes; at += sizeof value) {
        __real_memcpy(&value, (const char *)launch->arguments + at, sizeof value);
        if (value > 0 && value < a->bytes && !array_has_number(a, value) && a->numbers < NUMBERS_MAX)
            a->number[a->numbers++] = value;
    }
}

/* What an element of the source has, if that is one array; else 1. */
static unsigned members_of(struct array *a, uintptr_t begin, unsigned bytes)
{
    unsigned members = bytes > 0 ? a->element / bytes : 1;
    struct trace_name first, last;
    char end[16];

    if (members < 2 || members > 16 || members * bytes != a->element)
        return 1;
    trace_name_of(TRACE_GLOBAL, begin, bytes, &first);
    trace_name_of(TRACE_GLOBAL, begin + a->element - bytes, bytes, &last);
    const char *from = strchr(first.element, ']'), *to = strrchr(first.element, '[');
    snprintf(end, sizeof end, "[%u]", members - 1);
    if (!from || to < from || strcmp(to, "[0]") != 0 || strlen(last.element) < (size_t)(to - first.element) ||
        strncmp(first.element, last.element, (size_t)(to - first.element)) != 0 ||
        strcmp(last.element + (to - first.element), end) != 0)
        return 1;
    snprintf(a->member, sizeof a->member, "%.*s", (int)(to - from - 1), from + 1);
    return members;
}

/* The launch reads the array for the first time. */
static void meet(struct lost *l, struct array *a, uintptr_t address, unsigned size, const struct trace_place *place)
{
    const struct trace_launch *launch = l->launch;
    struct trace_name name;
    uintptr_t begin;
    size_t element = trace_element_at(TRACE_GLOBAL, address, &begin);

    a->launch = launch->number;
    note_numbers(a);
    a->by_several |= a->place && strcmp(a->kernel, launch->kernel) != 0;
    if (a->place) /* the first launch names it */
        return;
    trace_name_of(TRACE_GLOBAL, address, size, &name);
    snprintf(a->name, sizeof a->name, "%.*s", (int)strcspn(name.element, "[.,-"), name.element);
    snprintf(a->kernel, sizeof a->kernel, "%s", launch->kernel);
    a->element = element > 0 ? (unsigned)element : size;
    struct trace_scalar s = trace_scalar_at(TRACE_GLOBAL, element > 0 ? begin : address, a->element);
    a->is_packed = (s.kind == HIP_CPU_KIND_HALF || s.kind == HIP_CPU_KIND_BFLOAT16) && a->element == 2 * s.bytes;
    a->is_raw = element == 0 && size > 1 && s.bytes == 1;
    a->members = a->is_packed ? 2 : element > 0 ? members_of(a, begin, s.bytes) : 1;
    a->parts = a->members;
    if (a->members > 1 || a->is_raw)
        a->element = s.bytes;
    a->is_integer = s.kind == HIP_CPU_KIND_SIGNED || s.kind == HIP_CPU_KIND_UNSIGNED;
    a->place = place;
    a->threads = launch->threads;
    a->all_threads = launch->blocks * launch->threads;
    a->warp_size = launch->warp_size;
}

static void note_first(const struct lost *l, struct array *a, const struct trace_who *who, size_t at, unsigned size,
                       const struct trace_place *place, bool write)
{
    bool is_input = a->by_host || (a->writer > 0 && a->writer != l->launch->number);

    if (!a->first && !is_input)
        return;
    if (!a->first)
        a->first = trace_check_alloc(calloc(a->bytes / GRANULE + 1, sizeof *a->first));
    for (size_t i = at / GRANULE; i <= (at + size - 1) / GRANULE; i++)
        if (a->first[i].launch != l->launch->number)
            a->first[i] =
                (struct first){l->launch->number, (unsigned)who->block, place->number, (uint16_t)who->thread, write};
}

/* Four at once, where all are the same, as they usually are. */
static inline void note_written(unsigned char *state, unsigned size)
{
    uint32_t four;

    if (size == sizeof four) {
        memcpy(&four, state, sizeof four);
        if (four == 0 || four == BY_KERNEL * 0x01010101u) {
            four = BY_KERNEL * 0x01010101u;
            memcpy(state, &four, sizeof four);
            return;
        }
    }
    for (unsigned i = 0; i < size; i++)
        state[i] = state[i] & BY_HOST ? BY_HOST | TOUCHED : BY_KERNEL;
}

static inline void count_read(unsigned char *reads, unsigned size)
{
    uint32_t four;

    if (size == sizeof four) {
        memcpy(&four, reads, sizeof four);
        if (four < 0x01000000u * READS_MAX && four == (four >> 24) * 0x01010101u) {
            four += 0x01010101u;
            memcpy(reads, &four, sizeof four);
            return;
        }
    }
    for (unsigned i = 0; i < size; i++)
        reads[i] += reads[i] < READS_MAX;
}

void lost_access(struct lost *l, const struct trace_who *who, uintptr_t address, unsigned size,
                 const struct trace_place *place, bool write, bool updates)
{
    struct array *a = array_at(l, address);

    l->accesses++;
    if (updates)
        tickets_update(l->tickets, address, size);
    else if (write)
        tickets_store(l->tickets, address, size, place);
    if (!a || !a->state || address - a->start + size > a->bytes)
        return;
    size_t at = address - a->start;
    if (trials_wanted(l->trials))
        note_first(l, a, who, at, size, place, write);
    if (write) {
        a->writer = l->launch->number;
        note_written(a->state + at, size);
        return;
    }
    a->is_handed = a->is_handed || (a->writer > 0 && a->writer != l->launch->number);
    if (a->launch != l->launch->number)
        meet(l, a, address, size, place);
    if (size > a->parts * a->element) /* clang loads a float4 as two of 8 bytes */
        a->parts = (size < 16 ? 16 : size) / a->element;
    count_read(a->reads + at, size);
}

void lost_read_again(struct lost *l, uintptr_t address, unsigned size)
{
    const struct array *a = array_at(l, address);
    size_t at = address - (a ? a->start : 0);

    if (a && a->first && at + size <= a->bytes && a->first[at / GRANULE].launch != l->launch->number)
        trials_read_more(l, a);
}

bool lost_again(struct lost *l) { return trials_again(l); }

void lost_launch_end(struct lost *l)
{
    size_t results = replay_written(l->replay);

    for (size_t i = 0; i < l->arrays; i++)
        if (l->array[i]->launch == l->launch->number && 8 * results > l->array[i]->bytes)
            l->array[i]->many_results = true;
    tickets_launch_end(l);
    l->launch = NULL;
}

void lost_finish(struct lost *l)
{
    for (size_t i = 0; i < l->arrays; i++)
        judge_bytes(l, l->array[i], 0, l->array[i]->bytes);
}
