/* The weak memory: see weak.h.
 *
 * While a block runs, memory holds what the block sees. Its stores that others do not see yet are in a list
 * with the overwritten values; when another block's turn comes they are undone, and later they become visible
 * one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_internal.h"
#include "weak.h"

#define WORD        8 /* no store in the list crosses a multiple of this many bytes */
#define HASH_SLOTS  ((size_t)1 << 16)
#define ARRIVE_EACH 64 /* stores and atomics, on the average, until some store arrives */

struct store {
    uint64_t block;
    uintptr_t address;
    unsigned char size;
    bool late; /* not yet visible to others */
    bool undone;
    uint16_t thread;
    uint32_t epoch, meetings; /* of the block, of the warp */
    unsigned char before[WORD], value[WORD];
    uint32_t older; /* in the same slot of the hash; 0: none */
};

bool weak_on;
static uint64_t random_state;

static struct store *stores; /* of this launch; number 0 is not used */
static uint32_t stores_count = 1, stores_room;
static uint32_t latest[HASH_SLOTS]; /* number of the latest store to the words of this slot */

/* Of the block that this worker runs. */
static __thread struct {
    uint64_t block;
    uint32_t *number; /* of its stores that may be late, in their order */
    uint32_t count, room;
    uint32_t meetings[WARPS_MAX];
} mine;

void weak_read_environment(void)
{
    const char *text = getenv("HIP_CPU_MEMORY");
    char *end;

    if (!text || strcmp(text, "strong") == 0)
        return;
    weak_on = true;
    random_state = 1;
    if (strcmp(text, "weak") == 0)
        return;
    if (strncmp(text, "weak:", 5) == 0 && text[5] >= '0' && text[5] <= '9') {
        random_state = strtoull(text + 5, &end, 10) + 1;
        if (*end == '\0')
            return;
    }
    fprintf(stderr, "hip: HIP_CPU_MEMORY=%s is not valid: use weak, weak:SEED or strong\n", text);
    _exit(EXIT_USAGE);
}

static uint64_t draw(void)
{
    return random_state = hip_cpu_mix(random_state, 0);
}

static uint32_t *slot_of(uintptr_t address)
{
    return &latest[(address / WORD * 0x9e3779b97f4a7c15ull >> 40) % HASH_SLOTS];
}

static bool same_word(const struct store *a, uintptr_t address)
{
    return a->address / WORD == address / WORD;
}

/* Makes the late stores of a block to this word visible that are not younger than number `from`, the
 * oldest first. */
static void arrive(uint64_t block, uintptr_t address, uint32_t from)
{
    for (;;) {
        struct store *oldest = NULL;
        for (uint32_t i = from; i; i = stores[i].older)
            if (stores[i].late && stores[i].block == block && same_word(&stores[i], address))
                oldest = &stores[i];
        if (!oldest)
            return;
        if (oldest->undone)
            __real_memcpy((void *)oldest->address, oldest->value, oldest->size);
        oldest->late = false;
    }
}

/* From time to time makes some store visible. */
static void step(void)
{
    uint64_t random = draw();
    if (stores_count == 1 || random % ARRIVE_EACH != 0)
        return;
    uint32_t number = 1 + (uint32_t)((random >> 20) % (stores_count - 1));
    if (stores[number].late) {
        struct store s = stores[number];
        arrive(s.block, s.address, number);
    }
}

static void note(const struct trace_who *who, uintptr_t address, unsigned size)
{
    if (stores_count >= stores_room) {
        stores_room = stores_room ? 2 * stores_room : 4096;
        stores = trace_check_alloc(realloc(stores, stores_room * sizeof *stores));
    }
    if (mine.count == mine.room) {
        mine.room = mine.room ? 2 * mine.room : 256;
        mine.number = trace_check_alloc(realloc(mine.number, mine.room * sizeof *mine.number));
    }
    struct store *s = &stores[stores_count];
    memset(s, 0, sizeof *s);
    s->block = mine.block;
    s->address = address;
    s->size = (unsigned char)size;
    s->late = true;
    s->thread = (uint16_t)who->thread;
    s->epoch = who->epoch;
    s->meetings = mine.meetings[who->warp];
    __real_memcpy(s->before, (const void *)address, size);
    s->older = *slot_of(address);
    *slot_of(address) = stores_count;
    mine.number[mine.count++] = stores_count++;
}

void weak_store(const struct trace_who *who, uintptr_t address, size_t size)
{
    step();
    while (size > 0) {
        unsigned part = WORD - (unsigned)(address % WORD);
        if (part > size)
            part = (unsigned)size;
        note(who, address, part);
        address += part;
        size -= part;
    }
}

void weak_poll(uintptr_t address)
{
    step();
    for (uint32_t i = *slot_of(address); i; i = stores[i].older) {
        if (stores[i].late && stores[i].block != mine.block && same_word(&stores[i], address) &&
            draw() % 2 == 0) {
            arrive(stores[i].block, address, i);
            break;
        }
    }
}

void weak_atomic(const struct trace_atomic *a)
{
    if (a->order == __ATOMIC_RELEASE || a->order == __ATOMIC_ACQ_REL ||
        a->order == __ATOMIC_SEQ_CST)
        weak_fence(&a->who);
    if (a->reads && a->writes) { /* is visible to all threads at once */
        step();
        arrive(mine.block, a->address, *slot_of(a->address));
    } else if (a->writes) {
        weak_store(&a->who, a->address, a->size);
    } else {
        weak_poll(a->address);
    }
}

void weak_fence(const struct trace_who *who)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < mine.count; i++) {
        struct store *s = &stores[mine.number[i]];
        bool before =
            s->thread == who->thread || s->epoch < who->epoch ||
            (s->thread / (unsigned)warpSize == who->warp && s->meetings < mine.meetings[who->warp]);
        if (s->late && before)
            arrive(s->block, s->address, mine.number[i]);
        if (s->late)
            mine.number[kept++] = mine.number[i];
    }
    mine.count = kept;
}

void weak_meeting(const struct trace_meeting *m)
{
    if (m->op == HIP_CPU_SYNCWARP)
        mine.meetings[m->warp]++;
}

void weak_block_begin(uint64_t block)
{
    mine.block = block;
    mine.count = 0;
    memset(mine.meetings, 0, sizeof mine.meetings);
}

void weak_publish(void)
{
    for (uint32_t i = 0; i < mine.count; i++)
        stores[mine.number[i]].late = false;
    mine.count = 0;
}

void weak_leave(void)
{
    for (uint32_t i = mine.count; i-- > 0;) {
        struct store *s = &stores[mine.number[i]];
        if (!s->late)
            continue;
        __real_memcpy(s->value, (const void *)s->address, s->size);
        __real_memcpy((void *)s->address, s->before, s->size);
        s->undone = true;
    }
}

void weak_return(void)
{
    for (uint32_t i = 0; i < mine.count; i++) {
        struct store *s = &stores[mine.number[i]];
        if (!s->late)
            continue;
        __real_memcpy(s->before, (const void *)s->address, s->size);
        __real_memcpy((void *)s->address, s->value, s->size);
        s->undone = false;
    }
}

void weak_block_end(void)
{
    weak_leave();
    mine.count = 0;
}

void weak_launch_end(void)
{
    for (uint32_t i = 1; i < stores_count; i++)
        if (stores[i].late)
            __real_memcpy((void *)stores[i].address, stores[i].value, stores[i].size);
    stores_count = 1;
    memset(latest, 0, sizeof latest);
}
