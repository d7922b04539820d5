/* What rows.hip needs from outside of the namespaces of instantiate.hip: the matrix of common/.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "layout/matrix.h"
