/* A variant for the library.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"

#include "instances/instantiate.hip"
