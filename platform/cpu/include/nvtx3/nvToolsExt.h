/* SPDX-License-Identifier: MIT */
#include "hip_cpu/markers.h"
