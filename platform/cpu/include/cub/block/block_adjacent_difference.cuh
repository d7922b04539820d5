/* SPDX-License-Identifier: MIT */
#include "hip_cpu/primitives/cub.h"
