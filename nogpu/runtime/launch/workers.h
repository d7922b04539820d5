/* The workers, on which one launch runs at a time.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_WORKERS_H
#define HIP_CPU_WORKERS_H

#include "../internal.h"

/* The calling host thread becomes a worker and has the others for itself, until it leaves. */
hipError_t hip_cpu_workers_take(void);
void hip_cpu_workers_leave(void);

/* Runs all blocks. */
hipError_t hip_cpu_workers_run(const struct hip_cpu_launch *launch);

/* Of the launch in progress. */
hipStream_t hip_cpu_workers_stream(void);

#endif
