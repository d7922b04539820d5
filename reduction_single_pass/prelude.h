/* Plain C that is the same for every type and operation: included once, before the namespaces of
 * instantiate.hip.
 * SPDX-License-Identifier: MIT */
#include "shapes.h"
