/* HIP_CPU_WRITTEN=FILE: where the memory that kernels write differs from that of another run. The first run leaves it in this
 * file, and the second one says in FILE.difference which element of which launch is the first to differ, and which line
 * wrote it.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_WRITTEN_H
#define TRACE_WRITTEN_H

#include "../trace.h"

struct written;
/* NULL: not asked for. */
struct written *written_create(void);
/* A kernel writes global memory. */
void written_store(struct written *w, uintptr_t address, unsigned size, const struct trace_place *place);
void written_launch_end(struct written *w);

#endif
