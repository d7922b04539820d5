/* Where the largest element is, or the smallest (SMALLEST), or the largest magnitude (MAGNITUDES); SKIPS_NAN: not counting
 * NaN. Each element has an integer key, and the largest key wins, of equal keys the first. All NaN have the same key, above
 * all others; -0 is below +0. A thread keeps the vector with its largest key, and its turn: while it reads, it only compares
 * each vector's extreme, and finds its lane at the end.
 * SPDX-License-Identifier: MIT */
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_INT || defined(ONE_BYTE)
typedef int32_t skey_t;
#else
typedef int64_t skey_t;
#endif
#ifndef KEY_MOST
#define KEY_MOST  ((skey_t)(sizeof(skey_t) == 4 ? INT32_MAX : INT64_MAX))
#define KEY_LEAST (-KEY_MOST - 1)
#endif

#undef SIDE_SHORT
#define SIDE_SHORT /* to find the lane again after each batch of loads takes longer than the loads */

typedef struct {
    vector_t best;
    skey_t key;
    unsigned turn;
} thread_t;

typedef struct {
    skey_t key;
    uint32_t low, high; /* of the index; all bits set: no element */
} state_t;

#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
typedef union {
    value_t value;
    skey_t bits;
} number_t;

/* Maps the bits of a number to an integer with the same order, and back. */
static __device__ __forceinline__ skey_t in_order(skey_t bits)
{
    return bits ^ (bits >> (8 * sizeof bits - 1) & KEY_MOST);
}
#endif

static __device__ __forceinline__ skey_t key_of(value_t x)
{
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    number_t u;
    u.value = x;
    if (MAGNITUDES)
        u.bits &= KEY_MOST;
    return x != x ? (SKIPS_NAN ? KEY_LEAST : KEY_MOST) : SMALLEST ? ~in_order(u.bits) : in_order(u.bits);
#else
    return (skey_t)(SMALLEST ? ~x : x);
#endif
}

/* The value of a key. */
static __device__ __forceinline__ value_t value_of(skey_t key)
{
    skey_t plain = SMALLEST ? ~key : key;
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    number_t u;
    u.bits = in_order(plain);
    return u.value;
#else
    return plain;
#endif
}

/* Lane k. LLVM 15 (ROCm 5.2) keeps vectors of bfloat16 in memory otherwise; those of half take more registers by words. */
static __device__ __forceinline__ element_t lane_of(const vector_t *x, unsigned k)
{
#if defined(__AMDGCN__) && __clang_major__ < 16 && ELEMENT_TYPE == TYPE_BFLOAT16
    return (element_t)(x->all[k / 2] >> (k % 2 * 16));
#else
    return x->lane[k];
#endif
}

/* If no key is larger than the least possible one, the first element wins. */
static __device__ __forceinline__ thread_t thread_nothing(void)
{
    thread_t t;
    t.key = KEY_LEAST;
    t.turn = 0;
#pragma unroll
    for (unsigned k = 0; k < LANES; k++)
        t.best.lane[k] = 0;
    return t;
}

/* Of two elements; NaN, where it is skipped, gives way to any other. */
static __device__ __forceinline__ value_t extreme_of(value_t a, value_t b)
{
#if FLOATING
    if (SKIPS_NAN && (a != a || b != b))
        return a != a ? b : a;
#endif
    return value_extreme(a, b, SMALLEST);
}

static __device__ __forceinline__ value_t magnitude_of(value_t x) { return MAGNITUDES && x < 0 ? -x : x; }

static __device__ __forceinline__ value_t vector_extreme(const vector_t *x)
{
#if defined(HAS_PAIR_EXTREMES) && TWO_BYTES && !SKIPS_NAN && !MAGNITUDES
    unsigned none = narrow(SMALLEST ? LARGEST : LOWEST) * 0x10001u;
    unsigned two = pairs_extreme(none, x->all, SMALLEST, ELEMENT_TYPE == TYPE_BFLOAT16);
    return value_extreme(widen((element_t)two), widen((element_t)(two >> 16)), SMALLEST);
#elif defined(ONE_BYTE) /* as int: 64 bits would take three times as long */
    int extreme = (int)widen(x->lane[0]);
#pragma unroll
    for (unsigned k = 1; k < LANES; k++) {
        int other = (int)widen(x->lane[k]);
        extreme = (SMALLEST ? other < extreme : other > extreme) ? other : extreme;
    }
    return extreme;
#else
    value_t extreme = magnitude_of(widen(lane_of(x, 0)));
#pragma unroll
    for (unsigned k = 1; k < LANES; k++)
        extreme = extreme_of(extreme, magnitude_of(widen(lane_of(x, k))));
    return extreme;
#endif
}

static __device__ __forceinline__ void thread_add(thread_t *t, const vector_t *x, const vector_t *, const bool *there,
                                                  unsigned turn, unsigned vectors)
{
    /* A branch keeps the code below after all loads; predicated code would wait for some of them. */
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++) {
        if (u >= vectors || !there[u])
            continue;
        skey_t key = key_of(vector_extreme(&x[u]));
        if (key > t->key) {
            t->key = key;
            t->turn = turn + u;
            t->best = x[u];
        }
    }
}

static __device__ __forceinline__ state_t state_nothing(void)
{
    state_t s = {KEY_LEAST, UINT32_MAX, UINT32_MAX};
    return s;
}

static __device__ __forceinline__ state_t state_of(skey_t key, size_t index)
{
    state_t s = {key, (uint32_t)index, (uint32_t)(index >> 32)};
    return s;
}

static __device__ __forceinline__ state_t state_of_one(value_t x, value_t, size_t index)
{
    return state_of(key_of(x), index);
}

static __device__ __forceinline__ state_t state_of_thread(thread_t t, struct place place)
{
    unsigned first = 0;

    /* The initial `best`, all zeros, is not an element with the least key. */
#pragma unroll
    for (unsigned k = LANES; k-- > 0;)
        if (key_of(widen(lane_of(&t.best, k))) == t.key)
            first = k;
    return state_of(t.key, index_of(place, t.turn, first));
}

static __device__ __forceinline__ uint64_t state_index(state_t s) { return (uint64_t)s.high << 32 | s.low; }

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    bool first = a.key != b.key ? a.key > b.key : state_index(a) < state_index(b);
    return first ? a : b;
}

#if defined(HAS_WARP_EXTREMES)
/* Compares the upper half of the keys, then the lower one, then the index in the same way; lanes that have lost take part
 * with the least value. */
static __device__ state_t merge_warp(state_t s)
{
    int high = (int)(s.key >> (8 * sizeof s.key - 32)), most = warp_max(high);
    bool wins = high == most;

    if (sizeof s.key == 8) {
        unsigned low = (unsigned)s.key, best = warp_max(wins ? low : 0);
        wins = wins && low == best;
        s.key = (skey_t)((uint64_t)(unsigned)most << 32 | best);
    } else {
        s.key = (skey_t)most;
    }
    unsigned first = warp_min(wins ? s.high : UINT32_MAX);
    s.low = warp_min(wins && s.high == first ? s.low : UINT32_MAX);
    s.high = first;
    return s;
}
#endif

/* Gets the value from the key, without another load that all would wait for. */
static __device__ void state_store(state_t s, size_t, result_t *result, int64_t *index, int)
{
    bool none = state_index(s) == UINT64_MAX || (SKIPS_NAN && s.key == KEY_LEAST);

    if (index != NULL)
        *index = none ? -1 : (int64_t)state_index(s);
    if (result != NULL)
        *result = !none ? canonical(value_of(s.key)) : MAGNITUDES ? 0 : SMALLEST ? LARGEST : LOWEST;
}
