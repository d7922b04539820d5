/* What custom.hip needs from outside of the namespaces of instantiate.hip: functions for the right results of the examples.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "verdict/extras.h"

#define HAS_OWN_OPERATION
