/* Which lines of the kernels ran: "none found" speaks for those alone.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_COVERAGE_H
#define TRACE_COVERAGE_H

#include "../../trace.h"

struct coverage;
struct coverage *coverage_create(void);
void coverage_launch(struct coverage *c, const struct trace_launch *l);
void coverage_barrier(struct coverage *c, const struct trace_barrier *b);
/* Prints the loads, stores and barriers of the kernels that no thread reached, and loops around a barrier that ran once.
 * merged: as records for nogpu_report. */
void coverage_print(struct coverage *c, bool merged);

#endif
