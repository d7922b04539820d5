/* The instances of a variant for every type; part of instantiate.hip.
 * SPDX-License-Identifier: MIT */
#undef ELEMENT_TYPE
#define ELEMENT_TYPE 0
#include "one_type.h"
#define ELEMENT_TYPE 1
#include "one_type.h"
#define ELEMENT_TYPE 2
#include "one_type.h"
#define ELEMENT_TYPE 3
#include "one_type.h"
#define ELEMENT_TYPE 4
#include "one_type.h"
#define ELEMENT_TYPE 5
#include "one_type.h"
#define ELEMENT_TYPE 6
#include "one_type.h"
#define ELEMENT_TYPE 7
#include "one_type.h"
#if TYPE_ALL > 8
#error "every_type.h: a line for each row of types.h"
#endif
