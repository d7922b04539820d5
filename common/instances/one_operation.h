/* The instance of VALUE_TYPE for OPERATION, if there is one; part of every_operation.h.
 * SPDX-License-Identifier: MIT */
#define INSTANCE INSTANCE_NAME(ELEMENT_TYPE, OPERATION)
#if OPERATION > 0 && OPERATION < OP_COMMON && defined(HAS_OWN_OPERATION) && !defined(ONLY)
namespace INSTANCE = INSTANCE_NAME(ELEMENT_TYPE, 0);
#elif OPERATION < OP_COMMON
#include "instance.h"
#elif OPERATION < OP_ALL && !IS_FLOATING(VALUE_TYPE) && defined(HAS_BITWISE)
#include "instance.h"
#endif
#undef OPERATION
#undef INSTANCE
