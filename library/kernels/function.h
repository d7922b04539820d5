/* The kernels of one function for all its types; the last thing that a file of functions/ includes in its first part. Such a
 * file is read again for each type, inside a namespace of the type, with IN_NAMESPACE. Its first part defines:
 *
 *   FUNCTION, FUNCTION_FILE   its name, and the name of the file
 *   FUNCTION_WORDS            what it computes
 *   TYPES_WHOLE               1: it takes integers; all functions take floating-point types
 *   USES_Y, FINDS, COUNTS     it reads two arrays; it has an index; its result is an int64_t
 *   LOADS                     vectors that a thread loads before it uses the first, of each array
 *   OPERATION                 what combine() is (element.h), if it uses that
 *   RESULT_T                  the type of a result; else value_t
 *   HAS_WARP_MERGE            it has its own merge_warp()
 *
 * Its second part, in the namespace: the state of some elements,
 *
 *   thread_t, thread_nothing()                        of those that a thread has read
 *   thread_add(thread, x, y, there, turn)             adds LOADS vectors, except those not there; turn: how many before
 *   state_t, state_nothing(), state_merge(a, b)       of any
 *   state_of_thread(thread, place), state_of_one(x, y, index)
 *   state_store(state, n, result, index)              stores the result for all n elements of a line
 *
 * of which kernels/sums.h has all that is about threads, for a state to which elements are added one by one.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "library/function.h"
#include "reduction_single_pass/shapes.h"

/* Of half and bfloat16. */
#define TWO_BYTES (ELEMENT_TYPE == TYPE_HALF || ELEMENT_TYPE == TYPE_BFLOAT16)
#define FLOATING  (VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE)

#ifndef OPERATION
#define OPERATION OP_SUM
#endif
#ifndef RESULT_T
#define RESULT_T value_t
#endif

#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)
#define KERNEL_SPACE  JOIN(lr_, FUNCTION) /* kernels of different functions have the same names */

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
#define SPACE        of_uint8
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define ELEMENT_T    int8_t
#define SPACE        of_int8
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define ELEMENT_T    uint32_t
#define SPACE        of_uint32
#include "kernels/typed.h"
#define VALUE_TYPE   TYPE_LONG
#define ELEMENT_TYPE TYPE_LONG
#define IS_BOOL
#define ELEMENT_T uint8_t
#define SPACE     of_bool
#include "kernels/typed.h"
#endif

#define STRING_OF(name) #name
#define STRING(name)    STRING_OF(name)
#define KERNELS_OF(space)                                                                          \
    {                                                                                              \
        space::KERNEL_SPACE::launch_all, space::KERNEL_SPACE::launch_lines,                        \
            sizeof(space::KERNEL_SPACE::result_t)                                                  \
    }

extern "C" const struct function *JOIN(lr_function_, FUNCTION)(void)
{
    /* In the order of enum lr_type. */
    static const struct function function = {
        STRING(FUNCTION),
        FUNCTION_WORDS,
        USES_Y,
        FINDS,
        sizeof(of_float::KERNEL_SPACE::result_t) == 8 && !COUNTS,
        COUNTS,
        {
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
#endif
        },
    };
    return &function;
}
