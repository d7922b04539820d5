/* Findings of the tools as they are shown (report/finding.h).
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_SHOWN_H
#define TRACE_SHOWN_H

#include "../../report/finding.h"
#include "../trace.h"

/* "block 3, thread 5 (warp 0, lane 5)" */
char *trace_thread_text(uint64_t block, dim3 grid, unsigned warp, unsigned lane, unsigned warp_size, dim3 threads);
/* A place in the source, and who did what there. */
struct finding_side trace_side(const struct trace_place *place, const char *who);
/* The same, of which only the line is known. */
struct finding_side trace_side_at(const char *file, unsigned line, unsigned column, const char *who);

#endif
