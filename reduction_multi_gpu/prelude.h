/* Plain C that is the same for every type and operation: included once, before the namespaces of
 * instantiate.hip.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "verdict/extras.h"
#include "../reduction_reproducible/binned_value.h"
#include "../reduction_reproducible/tree_order.h"
#include "combine/choices.h"
