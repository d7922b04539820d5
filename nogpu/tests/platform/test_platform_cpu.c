/* The HIP runtime for the CPU: is it right where GPUs are subtle?
 *
 *   test_platform_cpu            all tests; all except those of platform_cpu/outside_kernels.hip again for other warp
 *                                sizes, schedules and numbers of workers
 *   test_platform_cpu inner      without those of outside_kernels.hip
 *   test_platform_cpu probe N    one probe: ends the program, or depends on its environment
 * Suite: kernels
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform_cpu/parts.h"

int warp, workers;
char *outside;

int suite_begin(int argc, char **argv)
{
    static char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (argc == 3 && strcmp(argv[1], "probe") == 0)
        return probe(atoi(argv[2]));
    outside = argc == 1 ? self : NULL;
    return length > 0 && hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0) == hipSuccess &&
                   hipDeviceGetAttribute(&workers, hipDeviceAttributeMultiprocessorCount, 0) == hipSuccess
               ? -1
               : EXIT_FAILURE;
}
