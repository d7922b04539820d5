/* SPDX-License-Identifier: MIT */
#include "hip_cpu/api/markers.h"
