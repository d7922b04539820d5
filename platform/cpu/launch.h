/* Launches of the library, which return their error: hipGetLastError() may have an older one, of the program.
 * LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...).
 * SPDX-License-Identifier: MIT */
#ifndef CPU_LAUNCH_H
#define CPU_LAUNCH_H

#define LAUNCH(kernel, ...) hip_cpu_launch_kernel(#kernel, 0, kernel, __VA_ARGS__)

#endif
