/* Arrays that a kernel makes of its dynamic shared memory: `extern __shared__ T a[]; T *b = a + n;`.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_PARTS_H
#define TRACE_PARTS_H

#include "report/report.h"

struct parts;
struct parts *parts_create(void);
void parts_access(struct parts *p, const struct trace_access *a);
/* Reports elements that another array's index reaches. */
void parts_launch_end(struct parts *p, struct report *r);

#endif
