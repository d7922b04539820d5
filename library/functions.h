/* What the handle knows about the functions: their plans.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_FUNCTIONS_H
#define LIBRARY_FUNCTIONS_H

#include "handle.h"

/* Plans each function for no elements, so that later plans allocate nothing; releases the plans. */
void functions_plan(struct lr_handle *h);
void functions_release(struct lr_handle *h);

#endif
