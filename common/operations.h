/* The instances of VALUE_TYPE, for each operation, in the namespaces NAMED(_sum) and so on: int_sum. Part of instantiate.hip,
 * which includes it once for each type, and of libreduction, which has variants for SUMS_ALONE.
 * SPDX-License-Identifier: MIT */
#define OPERATION OP_SUM
#define INSTANCE  NAMED(_sum)
#include "instance.h"
#ifndef SUMS_ALONE
#if defined(HAS_OWN_OPERATION) && !defined(ONLY)
namespace NAMED(_min) = NAMED(_sum);
namespace NAMED(_max) = NAMED(_sum);
#else
#define OPERATION OP_MIN
#define INSTANCE  NAMED(_min)
#include "instance.h"
#define OPERATION OP_MAX
#define INSTANCE  NAMED(_max)
#include "instance.h"
#endif
#if defined(HAS_BITWISE) && (VALUE_TYPE == TYPE_INT || VALUE_TYPE == TYPE_LONG)
#define OPERATION OP_AND
#define INSTANCE  NAMED(_and)
#include "instance.h"
#define OPERATION OP_OR
#define INSTANCE  NAMED(_or)
#include "instance.h"
#define OPERATION OP_XOR
#define INSTANCE  NAMED(_xor)
#include "instance.h"
#endif
#endif
#undef VALUE_TYPE
#undef NAMED
