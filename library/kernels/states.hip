/* The functions of ../states.h, for each type.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "library/states.h"

/* Device memory: all zero before a launch, and again after it. */
struct states_workspace {
    unsigned ticket;
    word_t padding[15]; /* what all blocks update has a cache line of its own */
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

extern "C" states_launch *lr_states(int function, int type)
{
    static states_launch *const table[STATES_COUNT][TYPE_COUNT] = {
        {lr_float_dot::launch, lr_double_dot::launch, lr_int_dot::launch, lr_long_dot::launch},
        {lr_float_nrm2::launch, lr_double_nrm2::launch, NULL, NULL},
        {lr_float_argmin::launch, lr_double_argmin::launch, lr_int_argmin::launch,
         lr_long_argmin::launch},
        {lr_float_argmax::launch, lr_double_argmax::launch, lr_int_argmax::launch,
         lr_long_argmax::launch},
    };
    return type >= 0 && type < TYPE_COUNT ? table[function][type] : NULL;
}
