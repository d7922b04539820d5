/* Compiles one variant for test_contract.c. The build sets VARIANT_SOURCE and VARIANT_NAME as for instantiate.hip, and links
 * all variants into one program.
 * SPDX-License-Identifier: MIT */
#include "instances/instances.h"

#include "contract/contract.h"

#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_SUM
#define INSTANCE   sum_long
#include "instances/instance.h"
#undef VALUE_TYPE

/* The maximum: no device has an instruction for it, so combine() is called everywhere; and variants with several results
 * return it. */
#undef ELEMENT
#define ELEMENT    "contract/longest.h"
#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_MAX
#define INSTANCE   longest_float
#include "instances/instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_MAX
#define INSTANCE   longest_double
#include "instances/instance.h"
#undef VALUE_TYPE

#ifdef HAS_NARROW
#define VALUE_TYPE TYPE_FLOAT
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_HALF
#define OPERATION    OP_MAX
#define INSTANCE     longest_half
#include "instances/instance.h"
#define LONGEST_HALF longest_half::entry
#else
#define LONGEST_HALF                                                                                                   \
    {                                                                                                                  \
    }
#endif

static struct contract contract = {
    VARIANT_OF(sum_long), longest_float::entry, longest_double::entry, LONGEST_HALF, sum_long::entry, NULL,
};

__attribute__((constructor)) static void add(void) { contract_add(&contract); }
