/* What stands before the first instance.h: included by instantiate.hip, and by tests that compile fewer instances.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_INSTANCES_H
#define REDUCTION_INSTANCES_H

/* A library that is C++ (rocPRIM, CUB) cannot be included inside a namespace. A variant that needs one includes it in
 * prelude.h in its own folder, before anything that may define macros. */
#if __has_include("prelude.h")
#include "prelude.h"
#endif
/* A variant also defines there what it supports besides the types and operations of all others:
 *   HAS_NARROW   elements of type half and bfloat16; its launch() takes const element_t *, the bits of each
 *   HAS_BITWISE  and, or, xor of int and long
 *   HAS_OWN_OPERATION  --op has no effect: one instance does for all */
#include <hip/hip_runtime.h>
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include <stdlib.h>
#include <string.h>

#define VARIANT_STRING(name)    VARIANT_STRING_OF(name)
#define VARIANT_STRING_OF(name) #name

/* A variant that ends without its table finds this name instead. compile_variant.sh shows the message alone. */
enum { variant_table };
#define VARIANT_WITHOUT_TABLE                                                                                          \
    VARIANT_SOURCE " has no table at its end: VARIANT = {.plan = plan, .launch = launch, "                             \
                   ".finish = finish}; (common/reduction.h)"

/* The namespace of an instance: int_sum. */
#define INSTANCE_NAME(type, operation)                                                                                 \
    INSTANCE_WORDS(TYPE_COLUMN(type, TYPE_WORD), OPERATION_COLUMN(operation, OPERATION_WORD))
#define INSTANCE_WORDS(type, operation)    INSTANCE_WORDS_OF(type, operation)
#define INSTANCE_WORDS_OF(type, operation) type##_##operation

static const struct variant_option no_options[] = {VARIANT_OPTIONS_END};

/* The initializer of a struct variant, from the table in one of its namespaces, and entries. */
#define VARIANT_OF(space, ...)                                                                                         \
    {                                                                                                                  \
        VARIANT_STRING(VARIANT_NAME), space::variant_table.own_operation, space::variant_table.places_result,          \
            space::variant_table.options != NULL ? space::variant_table.options : no_options, {__VA_ARGS__},           \
    }

#endif
