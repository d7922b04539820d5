/* SPDX-License-Identifier: MIT */
#include "choices.h"

struct combination combinations[TYPE_COUNT][OP_COUNT]; /* multi_gpu.hip fills it in */
