/* All functions of ../states.h for one VALUE_TYPE, in the namespaces TYPE_NAME_function. If ELEMENT_TYPE differs, the
 * elements are half or bfloat16.
 * SPDX-License-Identifier: MIT */
#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)

#define OPERATION OP_SUM
#define SPACE     JOIN(TYPE_NAME, _dot)
#define FUNCTION  "kernels/dot.h"
#include "kernels/reduce_states.h"
#if VALUE_TYPE == TYPE_FLOAT || VALUE_TYPE == TYPE_DOUBLE
#define SPACE    JOIN(TYPE_NAME, _nrm2)
#define FUNCTION "kernels/nrm2.h"
#include "kernels/reduce_states.h"
#endif
#define SPACE    JOIN(TYPE_NAME, _moments)
#define FUNCTION "kernels/moments.h"
#include "kernels/reduce_states.h"
#define SPACE    JOIN(TYPE_NAME, _argmin)
#define FUNCTION "kernels/extreme.h"
#define SMALLEST true
#include "kernels/reduce_states.h"
#undef SMALLEST
#define SPACE    JOIN(TYPE_NAME, _argmax)
#define FUNCTION "kernels/extreme.h"
#define SMALLEST false
#include "kernels/reduce_states.h"
#undef SMALLEST
#if ELEMENT_TYPE != VALUE_TYPE /* single_pass has these for the other types */
#define SPACE      JOIN(TYPE_NAME, _sum)
#define FUNCTION   "kernels/combined.h"
#define MAGNITUDES false
#include "kernels/reduce_states.h"
#undef MAGNITUDES
#define SPACE      JOIN(TYPE_NAME, _asum)
#define FUNCTION   "kernels/combined.h"
#define MAGNITUDES true
#include "kernels/reduce_states.h"
#undef MAGNITUDES
#define MAGNITUDES false
#undef OPERATION
#define OPERATION OP_MIN
#define SPACE     JOIN(TYPE_NAME, _min)
#define FUNCTION  "kernels/combined.h"
#include "kernels/reduce_states.h"
#undef OPERATION
#define OPERATION OP_MAX
#define SPACE     JOIN(TYPE_NAME, _max)
#define FUNCTION  "kernels/combined.h"
#include "kernels/reduce_states.h"
#undef MAGNITUDES
#endif
#undef OPERATION
#undef VALUE_TYPE
#undef TYPE_NAME
#undef JOIN
#undef JOIN_OF
