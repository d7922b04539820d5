/* What statistics.hip needs from outside of the namespaces of instantiate.hip: functions for the right mean and variance.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "verdict/extras.h"
