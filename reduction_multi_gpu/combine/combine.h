/* From what every rank has to one value on all ranks.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_COMBINE_H
#define MULTI_GPU_COMBINE_H

#include "ways.h"

/* All ranks. Ends the program if there is no memory. */
void combine_begin(struct combine *c, const struct task *task);
void combine_end(struct combine *c);

/* Where this rank's device has to write its words next: r->host of the reduction that is about to be launched. NULL: it
 * leaves a value on its device. */
void *combine_target(struct combine *c);

/* The same place as the device sees it, where that is another address; else NULL. */
void *combine_on_device(const struct combine *c, const void *target);

/* Waits for the words of this rank's device. from: where its value is on the device, or NULL; there the stream waits. */
void combine_receive(struct combine *c, const void *from);

/* Then: the value of all ranks. */
struct scalar combine_finish(struct combine *c);

/* The combination without a reduction before it: of the same words again. */
struct scalar combine_again(struct combine *c);

#endif
