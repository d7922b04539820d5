/* What compensated.hip needs from outside of the namespaces of instantiate.hip: the reference, whose bound it sets.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "verdict/extras.h"
