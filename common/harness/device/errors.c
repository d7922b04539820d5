/* How a program ends when the device or its runtime fails.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device.h"
#include "exit_codes.h"
#include "reduction.h"

/* What a user can do about an error; the numbers are the same in HIP and in CUDA. */
static const char *advice(hipError_t error)
{
    switch ((int)error) {
    case 2: /* hipErrorOutOfMemory */
        return "give a smaller --size";
    case 1:   /* hipErrorInvalidValue */
    case 9:   /* hipErrorInvalidConfiguration */
    case 701: /* hipErrorLaunchOutOfResources */
        return "give a --grid and --block that the device can launch";
    case 720: /* hipErrorCooperativeLaunchTooLarge */
        return "give a smaller --grid, or none: all its blocks have to be resident at once";
    case 98:  /* hipErrorInvalidDeviceFunction */
    case 209: /* hipErrorNoBinaryForGpu */
        return "build for this device: --list-devices shows its architecture, make "
               "GPU=ARCHITECTURE";
    case 700: /* hipErrorIllegalAddress */
    case 719: /* hipErrorLaunchFailure */
        return "a kernel accessed memory outside its arrays: check its indices";
    default:
        return "check with --list-devices whether the device responds";
    }
}

void device_end(const char *format, ...)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    va_list arguments;

    while (atomic_flag_test_and_set(&ending))
        pause(); /* another thread has failed, too, and ends the process */
    fflush(stdout);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(EXIT_DEVICE);
}

void hip_check(hipError_t error, const char *what, const char *file, int line)
{
    if (error == hipSuccess)
        return;
    device_end("%s:%d: %s: %s (%s, error %d): %s\n", file, line, what, hipGetErrorString(error), hipGetErrorName(error),
               (int)error, advice(error));
}
