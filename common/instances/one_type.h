/* The instances for ELEMENT_TYPE, if there are any; part of every_type.h.
 * SPDX-License-Identifier: MIT */
#if ELEMENT_TYPE < TYPE_COMMON
#define VALUE_TYPE ELEMENT_TYPE
#include "every_operation.h"
#undef VALUE_TYPE
#elif ELEMENT_TYPE < TYPE_ALL && defined(HAS_NARROW)
#define VALUE_TYPE TYPE_COLUMN(ELEMENT_TYPE, TYPE_RESULT)
#include "every_operation.h"
#undef VALUE_TYPE
#endif
#undef ELEMENT_TYPE
