/* The kernels of FUNCTION_FILE for one type, in the namespace KERNEL_SPACE::SPACE; part of function.h.
 * SPDX-License-Identifier: MIT */
namespace KERNEL_SPACE
{
namespace SPACE
{
#include "element.h"

namespace own
{
#undef LINES_ALONE
#ifdef ONLY_LINES
#define LINES_ALONE
#endif
#ifdef COMPLEX
typedef struct {
    value_t re, im;
} element_t;
typedef element_t operand_t;

static __device__ __forceinline__ operand_t widen(element_t x) { return x; }
#else
typedef value_t operand_t;   /* what a function gets */
#ifdef ELEMENT_T
#if !defined(LINES_ALONE) && (!defined(SMALLEST) || !defined(ONE_BYTE))
#define LINES_ALONE /* they are fast enough for a whole array, too */
#endif
typedef ELEMENT_T element_t; /* and not that of element.h, which is value_t */

static __device__ __forceinline__ value_t widen(element_t x)
{
#if defined(IS_BOOL) && defined(HAS_FEW_MASKS)
    return (x + 255) >> 8;
#elif defined(IS_BOOL)
    return x != 0;
#else
    return x;
#endif
}
#else
#include "widen.h"
#endif
#endif

typedef RESULT_T result_t;
enum {
    LANES = 16 / sizeof(element_t), /* elements of a vector */
    /* Vectors that a thread loads before it uses the first. In lines at most 16 elements, of two bytes or one 32: more would be
     * too much code where elements are loaded one by one, and more than short lines have. */
    VECTORS = LOADS,
    LINE_ELEMENTS = LANES > 4 ? 32 : 16,
    LINE_LOADS = LOADS * LANES > LINE_ELEMENTS ? LINE_ELEMENTS / LANES : LOADS,
    LINE_VECTORS = LANES == 16          ? 2
                   : LOADS * LANES > 16 ? 16 / LANES
                                        : LOADS
};

typedef union {
    bytes16_t all;
    element_t lane[LANES];
} vector_t;

/* Where a thread's vectors are: the first one, counted in vectors from `head` on, and the distance to others. */
struct place {
    size_t head, first, round_stride;
    unsigned lanes, vectors; /* vectors: of each round */
};

/* The index of lane k of a turn's vector. */
static __device__ __forceinline__ size_t index_of(struct place p, unsigned turn, unsigned k)
{
    size_t vector = p.first + turn / p.vectors * p.round_stride + turn % p.vectors * p.lanes;
    return p.head + vector * LANES + k;
}

#include FUNCTION_FILE
#include "kernels/all.h"
#include "kernels/lines.h"
} // namespace own
} // namespace SPACE
} // namespace KERNEL_SPACE
#undef VALUE_TYPE
#undef ELEMENT_TYPE
#undef ELEMENT_T
#undef IS_BOOL
#undef ONE_BYTE
#undef COMPLEX
#undef SPACE
