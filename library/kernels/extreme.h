/* Where the largest element is, or the smallest (SMALLEST). Each element has a key, an integer, and the largest key wins;
 * of equal keys the first one. All NaN have the same key, above all others; -0 is below +0. A thread keeps a key and the
 * turn it came in, 32 bits, instead of an index of 64.
 * SPDX-License-Identifier: MIT */
#define USES_Y false
#define LOADS  8

#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_INT
typedef int32_t skey_t;
#define KEY_LEAST INT32_MIN
#define KEY_MOST  INT32_MAX
#else
typedef int64_t skey_t;
#define KEY_LEAST INT64_MIN
#define KEY_MOST  INT64_MAX
#endif

typedef struct {
    skey_t key;
    unsigned turn;
} lane_t;

typedef struct {
    skey_t key;
    uint32_t low, high; /* of the index; all bits: there is no element */
} state_t;

static __device__ __forceinline__ skey_t key_of(value_t x)
{
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
    union {
        value_t value;
        skey_t bits;
    } u;
    u.value = x;
    skey_t key =
        u.bits ^ (u.bits >> (8 * sizeof u.bits - 1) & KEY_MOST); /* in the order of the numbers */
    return x != x ? KEY_MOST : SMALLEST ? ~key : key;
#else
    return SMALLEST ? ~x : x;
#endif
}

static __device__ __forceinline__ lane_t lane_nothing(void)
{
    lane_t l = {KEY_LEAST, 0}; /* if no key is larger, the first element is the one */
    return l;
}

static __device__ __forceinline__ void lane_add(lane_t *l, value_t x, value_t, unsigned turn)
{
    skey_t key = key_of(x);

    if (key > l->key) {
        l->key = key;
        l->turn = turn;
    }
}

static __device__ __forceinline__ unsigned lane_turn(lane_t l)
{
    return l.turn;
}

static __device__ __forceinline__ state_t state_nothing(void)
{
    state_t s = {KEY_LEAST, UINT32_MAX, UINT32_MAX};
    return s;
}

static __device__ __forceinline__ state_t state_of_lane(lane_t l, size_t index)
{
    state_t s = {l.key, (uint32_t)index, (uint32_t)(index >> 32)};
    return s;
}

static __device__ __forceinline__ uint64_t state_index(state_t s)
{
    return (uint64_t)s.high << 32 | s.low;
}

static __device__ __forceinline__ state_t state_merge(state_t a, state_t b)
{
    bool first = a.key != b.key ? a.key > b.key : state_index(a) < state_index(b);
    return first ? a : b;
}

static __device__ void state_store(state_t s, const element_t *x, size_t n, void *result,
                                   int64_t *index)
{
    *index = (int64_t)state_index(s); /* -1: there is none */
    if (result != NULL)
        *(value_t *)result = n > 0 ? widen(x[state_index(s)]) : SMALLEST ? LARGEST : LOWEST;
}
#undef KEY_LEAST
#undef KEY_MOST
#undef SMALLEST
