/* All functions of ../states.h for one VALUE_TYPE, whose namespaces are NAME_function. NARROW: the elements are half or
 * bfloat16, and the values float.
 * SPDX-License-Identifier: MIT */
#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)

// clang-format off
#define OPERATION OP_SUM
namespace JOIN(TYPE_NAME, _dot)
{
#include "element.h"
#include "kernels/widen.h"
#include "kernels/dot.h"
#include "kernels/reduce_states.h"
}
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
namespace JOIN(TYPE_NAME, _nrm2)
{
#include "element.h"
#include "kernels/widen.h"
#include "kernels/nrm2.h"
#include "kernels/reduce_states.h"
}
#endif
namespace JOIN(TYPE_NAME, _argmin)
{
#define SMALLEST true
#include "element.h"
#include "kernels/widen.h"
#include "kernels/extreme.h"
#include "kernels/reduce_states.h"
}
namespace JOIN(TYPE_NAME, _argmax)
{
#define SMALLEST false
#include "element.h"
#include "kernels/widen.h"
#include "kernels/extreme.h"
#include "kernels/reduce_states.h"
}
#ifdef NARROW /* single_pass has these for the other types */
namespace JOIN(TYPE_NAME, _sum)
{
#define MAGNITUDES false
#include "element.h"
#include "kernels/widen.h"
#include "kernels/combined.h"
#include "kernels/reduce_states.h"
}
namespace JOIN(TYPE_NAME, _asum)
{
#define MAGNITUDES true
#include "element.h"
#include "kernels/widen.h"
#include "kernels/combined.h"
#include "kernels/reduce_states.h"
}
#undef OPERATION
#define OPERATION OP_MIN
namespace JOIN(TYPE_NAME, _min)
{
#define MAGNITUDES false
#include "element.h"
#include "kernels/widen.h"
#include "kernels/combined.h"
#include "kernels/reduce_states.h"
}
#undef OPERATION
#define OPERATION OP_MAX
namespace JOIN(TYPE_NAME, _max)
{
#define MAGNITUDES false
#include "element.h"
#include "kernels/widen.h"
#include "kernels/combined.h"
#include "kernels/reduce_states.h"
}
#endif
// clang-format on
#undef OPERATION
#undef VALUE_TYPE
#undef TYPE_NAME
#undef NARROW
#undef JOIN
#undef JOIN_OF
