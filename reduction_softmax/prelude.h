/* What softmax.hip needs from outside of the namespaces of instantiate.hip: the reference, and verdicts on many rows.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "verdict/extras.h"

#define HAS_OWN_OPERATION
