/* The instances of VALUE_TYPE for every operation, in namespaces such as int_sum; part of every_type.h.
 * SPDX-License-Identifier: MIT */
#define OPERATION 0
#include "one_operation.h"
#define OPERATION 1
#include "one_operation.h"
#define OPERATION 2
#include "one_operation.h"
#define OPERATION 3
#include "one_operation.h"
#define OPERATION 4
#include "one_operation.h"
#define OPERATION 5
#include "one_operation.h"
#define OPERATION 6
#include "one_operation.h"
#define OPERATION 7
#include "one_operation.h"
#if OP_ALL > 8
#error "every_operation.h: a line for each row of types.h"
#endif
