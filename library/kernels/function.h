/* The kernels of one function for all its types; the last thing that a file of functions/ includes in its first part. Such a
 * file is read again for each type, inside a namespace of the type, with IN_NAMESPACE. Its first part defines:
 *
 *   FUNCTION, FUNCTION_FILE   its name, and the name of the file
 *   TYPES_WHOLE               1: it takes integers; all functions take floating-point types
 *   TYPES_COMPLEX             1: it takes complex numbers, which are operand_t
 *   USES_Y                    true: it reads two arrays
 *   LOADS                     vectors that a thread loads before it uses the first, of each array
 *   OPERATION                 what combine() is (element.h), if it uses that
 *   RESULT_T                  the type of a result; else value_t
 *   ONLY_LINES                other kernels have whole arrays
 *   HAS_WARP_MERGE            it has its own merge_warp()
 *   HEAVY_STATE               a thread has no registers for the states of several lines (kernels/beside.h)
 *   SIDE_SHORT                or it pays only for lines no longer than two of its loads
 *   SMALLEST, SKIPS_NAN, MAGNITUDES   of kernels/extreme.h
 *
 * Its second part, in the namespace: the state of some elements,
 *
 *   thread_t, thread_nothing()                        of those that a thread has read
 *   thread_add(thread, x, y, there, turn, vectors)    adds so many vectors, except those not there; turn: how many before
 *   state_t, state_nothing(), state_merge(a, b)       of any
 *   state_of_thread(thread, place), state_of_one(x, y, index)
 *   state_store(state, n, result, index, function)    stores the result for all n elements of a line; function: LR_OP_,
 *                                                     where several functions have the same kernels
 *
 * of which kernels/sums.h has all that is about threads, for a state to which elements are added one by one.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "library/function.h"
#include "reduction_single_pass/shapes.h"

#ifndef OPERATION
#define OPERATION OP_SUM
#endif
#ifndef USES_Y
#define USES_Y false
#endif
#ifndef RESULT_T
#define RESULT_T value_t
#endif
#ifndef TYPES_COMPLEX
#define TYPES_COMPLEX 0
#endif

#ifndef KERNEL_SPACE
#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)
#define KERNEL_SPACE  JOIN(function_, FUNCTION) /* kernels of different functions have the same names */
/* Of half and bfloat16. */
#define TWO_BYTES (ELEMENT_TYPE == TYPE_HALF || ELEMENT_TYPE == TYPE_BFLOAT16)
#define FLOATING  (VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE)
#endif

#include "kernels/workspace.h"

#define IN_NAMESPACE
#undef ELEMENT_TYPE
#define VALUE_TYPE   TYPE_FLOAT
#define ELEMENT_TYPE TYPE_FLOAT
#define SPACE        of_float
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_DOUBLE
#define ELEMENT_TYPE TYPE_DOUBLE
#define SPACE        of_double
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_FLOAT
#define ELEMENT_TYPE TYPE_HALF
#define SPACE        of_half
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_FLOAT
#define ELEMENT_TYPE TYPE_BFLOAT16
#define SPACE        of_bfloat16
#include "kernels/typed.h"
#if TYPES_WHOLE
#define VALUE_TYPE   TYPE_INT
#define ELEMENT_TYPE TYPE_INT
#define SPACE        of_int32
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define SPACE        of_int64
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define ELEMENT_T    uint8_t
#define ONE_BYTE
#define SPACE of_uint8
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define ELEMENT_T    int8_t
#define ONE_BYTE
#define SPACE of_int8
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define ELEMENT_T    uint32_t
#define SPACE        of_uint32
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define IS_BOOL
#define ONE_BYTE
#define ELEMENT_T uint8_t
#define SPACE     of_bool
#include "kernels/typed.h"
#endif
#if TYPES_COMPLEX
#define COMPLEX
#define VALUE_TYPE   TYPE_FLOAT
#define ELEMENT_TYPE TYPE_FLOAT
#define SPACE        of_complex_float
#include "kernels/typed.h"
#define COMPLEX
#define VALUE_TYPE   TYPE_DOUBLE
#define ELEMENT_TYPE TYPE_DOUBLE
#define SPACE        of_complex_double
#include "kernels/typed.h"
#endif

#ifndef KERNELS_OF
#define KERNELS_OF(space)                                                                                              \
    {                                                                                                                  \
        KERNEL_SPACE::space::own::launch_all, KERNEL_SPACE::space::own::launch_lines,                                  \
            sizeof(KERNEL_SPACE::space::own::result_t)                                                                 \
    }
#endif

/* In the order of enum lr_type. */
extern "C" const struct kernels *JOIN(lr_kernels_, FUNCTION)(void)
{
    static const struct kernels kernels[LR_TYPE_COUNT] = {
        KERNELS_OF(of_float),
        KERNELS_OF(of_double),
#if TYPES_WHOLE
        KERNELS_OF(of_int32),
        KERNELS_OF(of_int64),
#else
        {},
        {},
#endif
        KERNELS_OF(of_half),
        KERNELS_OF(of_bfloat16),
#if TYPES_WHOLE
        KERNELS_OF(of_uint8),
        KERNELS_OF(of_int8),
        KERNELS_OF(of_uint32),
        KERNELS_OF(of_bool),
#else
        {},
        {},
        {},
        {},
#endif
#if TYPES_COMPLEX
        KERNELS_OF(of_complex_float),
        KERNELS_OF(of_complex_double),
#endif
    };
    return kernels;
}

/* One compilation may have several functions. */
#undef IN_NAMESPACE
#undef FUNCTION
#undef FUNCTION_FILE
#undef TYPES_WHOLE
#undef TYPES_COMPLEX
#undef ONLY_LINES
#undef USES_Y
#undef LOADS
#undef OPERATION
#undef RESULT_T
#undef HAS_WARP_MERGE
#undef HEAVY_STATE
#undef SIDE_SHORT
#undef SMALLEST
#undef SKIPS_NAN
#undef MAGNITUDES
