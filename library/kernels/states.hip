/* The functions of ../states.h, for each type.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "library/states.h"
#include "library/libreduction.h"
#include "reduction_single_pass/shapes.h"

/* Device memory: all zero before a launch, and again after it. */
struct states_workspace {
    unsigned ticket;
    word_t padding[15]; /* all blocks update the ticket: give it its own cache line */
    word_t slots[];
};

#define VALUE_TYPE TYPE_FLOAT
#define TYPE_NAME  lr_float
#include "kernels/states_of_type.h"
#define VALUE_TYPE TYPE_DOUBLE
#define TYPE_NAME  lr_double
#include "kernels/states_of_type.h"
#define VALUE_TYPE TYPE_INT
#define TYPE_NAME  lr_int
#include "kernels/states_of_type.h"
#define VALUE_TYPE TYPE_LONG
#define TYPE_NAME  lr_long
#include "kernels/states_of_type.h"

#define VALUE_TYPE TYPE_FLOAT
#define TYPE_NAME  lr_half
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_HALF
#include "kernels/states_of_type.h"
#define VALUE_TYPE TYPE_FLOAT
#define TYPE_NAME  lr_bfloat16
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_BFLOAT16
#include "kernels/states_of_type.h"

extern "C" states_launch *lr_states(int function, int type)
{
    static states_launch *const table[STATES_COUNT][6] = {
        {lr_float_dot::launch, lr_double_dot::launch, lr_int_dot::launch, lr_long_dot::launch,
         lr_half_dot::launch, lr_bfloat16_dot::launch},
        {lr_float_nrm2::launch, lr_double_nrm2::launch, NULL, NULL, lr_half_nrm2::launch,
         lr_bfloat16_nrm2::launch},
        {lr_float_argmin::launch, lr_double_argmin::launch, lr_int_argmin::launch,
         lr_long_argmin::launch, lr_half_argmin::launch, lr_bfloat16_argmin::launch},
        {lr_float_argmax::launch, lr_double_argmax::launch, lr_int_argmax::launch,
         lr_long_argmax::launch, lr_half_argmax::launch, lr_bfloat16_argmax::launch},
        {lr_float_moments::launch, lr_double_moments::launch, lr_int_moments::launch,
         lr_long_moments::launch, lr_half_moments::launch, lr_bfloat16_moments::launch},
        {NULL, NULL, NULL, NULL, lr_half_sum::launch, lr_bfloat16_sum::launch},
        {NULL, NULL, NULL, NULL, lr_half_min::launch, lr_bfloat16_min::launch},
        {NULL, NULL, NULL, NULL, lr_half_max::launch, lr_bfloat16_max::launch},
        {NULL, NULL, NULL, NULL, lr_half_asum::launch, lr_bfloat16_asum::launch},
    };
    return table[function][type];
}
