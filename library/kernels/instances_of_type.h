/* Includes INSTANCES for one VALUE_TYPE and each operation, in the namespaces TYPE_NAME_sum, _min and _max.
 * SPDX-License-Identifier: MIT */
#define OPERATION OP_SUM
#define SPACE     JOIN(TYPE_NAME, _sum)
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MIN
#define SPACE     JOIN(TYPE_NAME, _min)
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MAX
#define SPACE     JOIN(TYPE_NAME, _max)
#include INSTANCES
#undef OPERATION
#undef SPACE
#undef VALUE_TYPE
#undef TYPE_NAME
