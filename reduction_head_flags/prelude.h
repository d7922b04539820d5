/* What head_flags.hip needs from outside of the namespaces of instantiate.hip.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "layout/segments.h"
