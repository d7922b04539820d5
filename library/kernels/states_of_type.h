/* All functions of ../states.h for one VALUE_TYPE, whose namespaces are NAME_function.
 * SPDX-License-Identifier: MIT */
#define OPERATION     OP_SUM
#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)

// clang-format off
namespace JOIN(TYPE_NAME, _dot)
{
#include "element.h"
#include "kernels/dot.h"
#include "kernels/reduce_states.h"
}
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
namespace JOIN(TYPE_NAME, _nrm2)
{
#include "element.h"
#include "kernels/nrm2.h"
#include "kernels/reduce_states.h"
}
#endif
namespace JOIN(TYPE_NAME, _argmin)
{
#define SMALLEST true
#include "element.h"
#include "kernels/extreme.h"
#include "kernels/reduce_states.h"
}
namespace JOIN(TYPE_NAME, _argmax)
{
#define SMALLEST false
#include "element.h"
#include "kernels/extreme.h"
#include "kernels/reduce_states.h"
}
// clang-format on
#undef OPERATION
#undef VALUE_TYPE
#undef TYPE_NAME
#undef JOIN
#undef JOIN_OF
