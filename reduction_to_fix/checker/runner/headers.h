/* Read before an exercise on the CPU platform, and compiled once for all of them. Its text stands in a namespace for each type and operation, where
 * a header that is read for the first time would declare what it has in that namespace alone.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#define REDUCTION_INSTANTIATE
#include "reduction.h"
#include "verdict/extras.h"
