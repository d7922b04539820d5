/* See knowledge.h.
 * SPDX-License-Identifier: MIT */
#include "knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

/* ---- memory ---- */

#define CHUNK_BYTES ((size_t)1 << 18)

struct chunk {
    struct chunk *next;
    size_t used, room;
    _Alignas(16) char bytes[];
};

static void *take(struct arena *a, size_t bytes) /* 16-byte aligned */
{
    struct chunk *chunk = a->chunks;

    bytes = (bytes + 15) / 16 * 16;
    if (!chunk || chunk->room - chunk->used < bytes) {
        size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = trace_check_alloc(malloc(sizeof *chunk + room));
        chunk->next = a->chunks;
        chunk->used = 0;
        chunk->room = room;
        a->chunks = chunk;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += bytes;
    a->bytes += bytes;
    return memory;
}

void arena_drop(struct arena *a)
{
    while (a->chunks) {
        struct chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
    a->bytes = 0;
}

/* ---- the tree ---- */

#define BITS     4 /* of a digit */
#define CHILDREN (1u << BITS)

/* An inner node or a leaf, as its depth says. */
struct known {
    struct known *moved; /* its copy in another arena */
    union {
        const struct known *child[CHILDREN];
        struct {
            uint64_t block;
            uint32_t epoch;
            unsigned count;
            struct known_thread seen[]; /* by thread */
        } leaf;
    };
};

static size_t leaf_bytes(unsigned count)
{
    return offsetof(struct known, leaf.seen) + count * sizeof(struct known_thread);
}

static struct known *new_leaf(struct arena *a, uint64_t block, uint32_t epoch, unsigned room)
{
    struct known *k = take(a, leaf_bytes(room));

    k->moved = NULL;
    k->leaf.block = block;
    k->leaf.epoch = epoch;
    k->leaf.count = 0;
    return k;
}

static struct known *new_node(struct arena *a)
{
    return memset(take(a, sizeof(struct known)), 0, sizeof(struct known));
}

static unsigned digit(uint64_t block, unsigned place)
{
    return (unsigned)(block >> place * BITS) & (CHILDREN - 1);
}

static unsigned digits_of(uint64_t block)
{
    unsigned digits = 1;
    while (digits < 64 / BITS && block >> digits * BITS)
        digits++;
    return digits;
}

/* The same with more digits, which are 0. */
static const struct known *raise(struct arena *a, struct knowledge k, unsigned digits)
{
    const struct known *root = k.root;

    for (unsigned i = k.digits; root && i < digits; i++) {
        struct known *above = new_node(a);
        above->child[0] = root;
        root = above;
    }
    return root;
}

struct knowledge knowledge_of(struct arena *a, uint64_t block, uint32_t epoch,
                              const struct known_thread *seen, unsigned count)
{
    struct known *leaf = new_leaf(a, block, epoch, count);
    struct knowledge k = {digits_of(block), leaf};

    leaf->leaf.count = count;
    __real_memcpy(leaf->leaf.seen, seen, count * sizeof *seen);
    for (unsigned place = 0; place < k.digits; place++) {
        struct known *above = new_node(a);
        above->child[digit(block, place)] = k.root;
        k.root = above;
    }
    return k;
}

/* Where this thread is among those of a leaf, or would be. */
static unsigned place_of(const struct known *k, unsigned thread)
{
    unsigned low = 0, high = k->leaf.count;

    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (k->leaf.seen[middle].thread < thread)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One more thread, as each release of a thread brings it. */
static const struct known *with_thread(struct arena *a, const struct known *x,
                                       struct known_thread seen)
{
    unsigned at = place_of(x, seen.thread), count = x->leaf.count;
    bool is_there = at < count && x->leaf.seen[at].thread == seen.thread;

    if (is_there && x->leaf.seen[at].clock >= seen.clock)
        return x;
    struct known *k = new_leaf(a, x->leaf.block, x->leaf.epoch, count + 1);
    __real_memcpy(k->leaf.seen, x->leaf.seen, at * sizeof seen);
    __real_memcpy(k->leaf.seen + at + 1, x->leaf.seen + at + is_there,
                  (count - at - is_there) * sizeof seen);
    k->leaf.seen[at] = seen;
    k->leaf.count = count + !is_there;
    return k;
}

/* Of two leaves about the same epoch. */
static const struct known *unite(struct arena *a, const struct known *x, const struct known *y)
{
    if (y->leaf.count == 1)
        return with_thread(a, x, y->leaf.seen[0]);
    if (x->leaf.count == 1)
        return with_thread(a, y, x->leaf.seen[0]);
    struct known *both = new_leaf(a, x->leaf.block, x->leaf.epoch, x->leaf.count + y->leaf.count);
    unsigned i = 0, k = 0, n = 0;
    bool is_x = true, is_y = true;

    while (i < x->leaf.count || k < y->leaf.count) {
        uint32_t at_x = i < x->leaf.count ? x->leaf.seen[i].thread : UINT32_MAX;
        uint32_t at_y = k < y->leaf.count ? y->leaf.seen[k].thread : UINT32_MAX;
        uint32_t clock_x = at_x <= at_y ? x->leaf.seen[i++].clock : 0;
        uint32_t clock_y = at_y <= at_x ? y->leaf.seen[k++].clock : 0;
        is_x = is_x && clock_x >= clock_y;
        is_y = is_y && clock_y >= clock_x;
        both->leaf.seen[n++] =
            (struct known_thread){at_x < at_y ? at_x : at_y, clock_x > clock_y ? clock_x : clock_y};
    }
    both->leaf.count = n;
    return is_x ? x : is_y ? y : both;
}

static const struct known *join(struct arena *a, const struct known *x, const struct known *y,
                                unsigned digits)
{
    if (x == y || !y)
        return x;
    if (!x)
        return y;
    if (digits == 0)
        return x->leaf.epoch > y->leaf.epoch   ? x
               : x->leaf.epoch < y->leaf.epoch ? y
                                               : unite(a, x, y);
    const struct known *child[CHILDREN];
    bool is_x = true, is_y = true;
    for (unsigned i = 0; i < CHILDREN; i++) {
        child[i] = join(a, x->child[i], y->child[i], digits - 1);
        is_x = is_x && child[i] == x->child[i];
        is_y = is_y && child[i] == y->child[i];
    }
    if (is_x || is_y)
        return is_x ? x : y;
    struct known *both = new_node(a);
    __real_memcpy(both->child, child, sizeof child);
    return both;
}

struct knowledge knowledge_union(struct arena *a, struct knowledge x, struct knowledge y)
{
    if (!x.root || !y.root || x.root == y.root)
        return x.root ? x : y;
    unsigned digits = x.digits > y.digits ? x.digits : y.digits;
    return (struct knowledge){digits, join(a, raise(a, x, digits), raise(a, y, digits), digits)};
}

bool knowledge_has(struct knowledge k, uint64_t block, uint32_t epoch, uint32_t clock,
                   unsigned thread)
{
    const struct known *at = k.root;

    if (!at || digits_of(block) > k.digits)
        return false;
    for (unsigned digits = k.digits; at && digits-- > 0;)
        at = at->child[digit(block, digits)];
    if (!at || epoch > at->leaf.epoch)
        return false;
    if (epoch < at->leaf.epoch)
        return true;
    unsigned place = place_of(at, thread);
    return place < at->leaf.count && at->leaf.seen[place].thread == thread &&
           clock <= at->leaf.seen[place].clock;
}

static const struct known *move(struct arena *to, const struct known *k, unsigned digits)
{
    struct known *from = (struct known *)(uintptr_t)k; /* only the mark changes */
    size_t bytes = digits || !k ? sizeof *k : leaf_bytes(k->leaf.count);

    if (!k || k->moved)
        return k ? k->moved : NULL;
    struct known *copy = __real_memcpy(take(to, bytes), k, bytes);
    for (unsigned i = 0; digits && i < CHILDREN; i++)
        copy->child[i] = move(to, k->child[i], digits - 1);
    return from->moved = copy;
}

struct knowledge knowledge_move(struct arena *to, struct knowledge k)
{
    return (struct knowledge){k.digits, move(to, k.root, k.digits)};
}
