/* The HIP runtime for the CPU: is it right where GPUs are subtle?
 *
 *   test_platform_cpu            all tests, and all but those of platform_cpu/outside.c again for other warp sizes,
 *                                schedules and numbers of workers
 *   test_platform_cpu inner      without those
 *   test_platform_cpu probe N    one of those: it ends the program, or depends on its environment
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform_cpu/parts.h"

int warp, workers;

int main(int argc, char **argv)
{
    static char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (argc == 3 && strcmp(argv[1], "probe") == 0)
        return probe(atoi(argv[2]));
    if (length <= 0 || hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0) != hipSuccess ||
        hipDeviceGetAttribute(&workers, hipDeviceAttributeMultiprocessorCount, 0) != hipSuccess)
        return EXIT_FAILURE;

    Suite *suite = suite_create("platform_cpu");
    add_warps(suite);
    add_blocks(suite);
    add_hosts(suite);
    if (argc == 1)
        add_outside(suite, self);
    return suite_run(suite);
}
