/* Plain C that is the same for every type and operation: included once, before the namespaces of
 * instantiate.hip.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "verdict/extras.h"
#include "binned_value.h"
#include "tree_order.h"
