/* See knowledge.h.
 * SPDX-License-Identifier: MIT */
#include "knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "../../trace_internal.h"

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
#define GROUP    16 /* threads */

/* Clocks of threads that follow each other; 0: nothing of this thread is known. */
struct group {
    struct group *moved; /* its copy in another arena */
    uint32_t clock[GROUP];
};

/* An inner node or a leaf, as its depth says. */
struct known {
    struct known *moved; /* its copy in another arena */
    union {
        const struct known *child[CHILDREN];
        struct {
            uint64_t block;
            uint32_t epoch;
            unsigned groups;
            const struct group *group[]; /* NULL: nothing of these threads */
        } leaf;
    };
};

static size_t leaf_bytes(unsigned groups)
{
    return offsetof(struct known, leaf.group) + groups * sizeof(struct group *);
}

/* With as many groups, or more, and those of another one unless it is NULL. */
static struct known *new_leaf(struct arena *a, uint64_t block, uint32_t epoch, unsigned groups,
                              const struct known *from)
{
    struct known *k = take(a, leaf_bytes(groups));
    unsigned copied = from ? from->leaf.groups : 0;

    k->moved = NULL;
    k->leaf.block = block;
    k->leaf.epoch = epoch;
    k->leaf.groups = groups;
    if (copied > 0)
        __real_memcpy(k->leaf.group, from->leaf.group, copied * sizeof *k->leaf.group);
    for (unsigned i = copied; i < groups; i++)
        k->leaf.group[i] = NULL;
    return k;
}

static struct known *new_node(struct arena *a)
{
    return memset(take(a, sizeof(struct known)), 0, sizeof(struct known));
}

static struct group *new_group(struct arena *a)
{
    return memset(take(a, sizeof(struct group)), 0, sizeof(struct group));
}

static unsigned digit(uint64_t block, unsigned place) { return (unsigned)(block >> place * BITS) & (CHILDREN - 1); }

static unsigned digits_of(uint64_t block)
{
    unsigned digits = 1;
    while (digits < 64 / BITS && block >> digits * BITS)
        digits++;
    return digits;
}

/* ---- leaves ---- */

struct knowledge knowledge_of(struct arena *a, uint64_t block, uint32_t epoch, const struct known_thread *seen,
                              unsigned count)
{
    unsigned groups = count > 0 ? seen[count - 1].thread / GROUP + 1 : 0;
    struct known *k = new_leaf(a, block, epoch, groups, NULL);
    struct group *group = NULL;

    for (unsigned i = 0; i < count; i++) {
        unsigned at = seen[i].thread / GROUP;
        if (!k->leaf.group[at])
            k->leaf.group[at] = group = new_group(a);
        group->clock[seen[i].thread % GROUP] = seen[i].clock;
    }
    return (struct knowledge){0, k};
}

static const struct group *unite_groups(struct arena *a, const struct group *x, const struct group *y)
{
    struct group larger = {0};
    bool is_x = true, is_y = true;

    if (x == y || !y)
        return x;
    if (!x)
        return y;
    for (unsigned i = 0; i < GROUP; i++) {
        larger.clock[i] = x->clock[i] > y->clock[i] ? x->clock[i] : y->clock[i];
        is_x = is_x && larger.clock[i] == x->clock[i];
        is_y = is_y && larger.clock[i] == y->clock[i];
    }
    return is_x ? x : is_y ? y : __real_memcpy(take(a, sizeof larger), &larger, sizeof larger);
}

/* Of two leaves about the same block. */
static const struct known *unite(struct arena *a, const struct known *x, const struct known *y)
{
    if (x->leaf.epoch != y->leaf.epoch)
        return x->leaf.epoch > y->leaf.epoch ? x : y;
    if (x->leaf.groups < y->leaf.groups) {
        const struct known *other = x;
        x = y;
        y = other;
    }
    struct known *both = NULL; /* x, until they differ */
    for (unsigned i = 0; i < y->leaf.groups; i++) {
        const struct group *g = unite_groups(a, x->leaf.group[i], y->leaf.group[i]);
        if (g != x->leaf.group[i] && !both)
            both = new_leaf(a, x->leaf.block, x->leaf.epoch, x->leaf.groups, x);
        if (both)
            both->leaf.group[i] = g;
    }
    return both ? both : x;
}

/* ---- trees: one of no digits is a leaf ---- */

/* A leaf below so many digits. */
static const struct known *path(struct arena *a, const struct known *leaf, unsigned digits)
{
    const struct known *root = leaf;

    for (unsigned place = 0; place < digits; place++) {
        struct known *above = new_node(a);
        above->child[digit(leaf->leaf.block, place)] = root;
        root = above;
    }
    return root;
}

/* The same with more digits, which are 0. */
static const struct known *raise(struct arena *a, struct knowledge k, unsigned digits)
{
    const struct known *root = k.root;

    if (k.digits == 0)
        return path(a, root, digits);
    for (unsigned i = k.digits; i < digits; i++) {
        struct known *above = new_node(a);
        above->child[0] = root;
        root = above;
    }
    return root;
}

static const struct known *add(struct arena *a, const struct known *x, const struct known *leaf, unsigned digits)
{
    if (!x)
        return path(a, leaf, digits);
    if (digits == 0)
        return unite(a, x, leaf);
    unsigned at = digit(leaf->leaf.block, digits - 1);
    const struct known *child = add(a, x->child[at], leaf, digits - 1);
    if (child == x->child[at])
        return x;
    struct known *more = take(a, sizeof *more);
    __real_memcpy(more->child, x->child, sizeof more->child);
    more->moved = NULL;
    more->child[at] = child;
    return more;
}

static const struct known *join(struct arena *a, const struct known *x, const struct known *y, unsigned digits)
{
    if (x == y || !y)
        return x;
    if (!x)
        return y;
    if (digits == 0)
        return unite(a, x, y);
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
    if (x.digits < y.digits) {
        struct knowledge other = x;
        x = y;
        y = other;
    }
    if (y.digits > 0)
        return (struct knowledge){x.digits, join(a, x.root, raise(a, y, x.digits), x.digits)};
    if (x.digits == 0 && x.root->leaf.block == y.root->leaf.block)
        return (struct knowledge){0, unite(a, x.root, y.root)};
    unsigned digits = digits_of(y.root->leaf.block);
    unsigned other = x.digits ? x.digits : digits_of(x.root->leaf.block);
    digits = digits > other ? digits : other;
    return (struct knowledge){digits, add(a, raise(a, x, digits), y.root, digits)};
}

bool knowledge_has(struct knowledge k, uint64_t block, uint32_t epoch, uint32_t clock, unsigned thread)
{
    const struct known *at = k.root;

    if (!at || (k.digits > 0 && digits_of(block) > k.digits))
        return false;
    for (unsigned digits = k.digits; at && digits-- > 0;)
        at = at->child[digit(block, digits)];
    if (!at || at->leaf.block != block)
        return false;
    if (epoch < at->leaf.epoch)
        return true;
    unsigned group = thread / GROUP;
    return group < at->leaf.groups && at->leaf.group[group] && clock <= at->leaf.group[group]->clock[thread % GROUP];
}

/* ---- another arena ---- */

static const struct group *move_group(struct arena *to, const struct group *g)
{
    struct group *from = (struct group *)(uintptr_t)g; /* only the mark changes */

    if (!g || g->moved)
        return g ? g->moved : NULL;
    struct group *copy = __real_memcpy(take(to, sizeof *g), g, sizeof *g);
    return from->moved = copy;
}

static const struct known *move(struct arena *to, const struct known *k, unsigned digits)
{
    struct known *from = (struct known *)(uintptr_t)k; /* only the mark changes */
    size_t bytes = digits || !k ? sizeof *k : leaf_bytes(k->leaf.groups);

    if (!k || k->moved)
        return k ? k->moved : NULL;
    struct known *copy = __real_memcpy(take(to, bytes), k, bytes);
    for (unsigned i = 0; digits && i < CHILDREN; i++)
        copy->child[i] = move(to, k->child[i], digits - 1);
    for (unsigned i = 0; !digits && i < k->leaf.groups; i++)
        copy->leaf.group[i] = move_group(to, k->leaf.group[i]);
    return from->moved = copy;
}

struct knowledge knowledge_move(struct arena *to, struct knowledge k)
{
    return (struct knowledge){k.digits, move(to, k.root, k.digits)};
}
