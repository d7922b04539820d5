/* Compiles one variant as test_contract.c needs it. The build sets VARIANT_SOURCE and VARIANT_NAME as for
 * instantiate.hip, and SPACE, a namespace of this variant: all of them are linked into one program. */
#if __has_include("prelude.h")
#include "prelude.h"
#endif
#include <hip/hip_runtime.h>
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include <stdlib.h>

#include "contract/contract.h"

struct planned {
    char nothing;
};

namespace SPACE
{
#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_SUM
#define INSTANCE   sum_long
#include "instance.h"
#undef VALUE_TYPE

/* The maximum: no device has this operation for floating-point numbers, so combine() is called everywhere; and
 * variants with several results return it. */
#undef ELEMENT
#define ELEMENT    "contract/longest.h"
#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_MAX
#define INSTANCE   longest_float
#include "instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_MAX
#define INSTANCE   longest_double
#include "instance.h"
#undef VALUE_TYPE

#ifdef VARIANT_OWN_OPERATION
static const bool own_operation = true;
#else
static const bool own_operation = false;
#endif

static struct contract contract = {
    VARIANT_NAME,          sum_long::options, own_operation, longest_float::entry,
    longest_double::entry, sum_long::entry,   NULL,
};

__attribute__((constructor)) static void add(void)
{
    contract_add(&contract);
}
} // namespace SPACE
