/* Describes a device in one line of CSV, for the tools that measure: its name, architecture, bytes of memory, and how many
 * are free; its compute units, PCI address and UUID, the driver, and how many devices there are.
 *
 *   device [--device=INDEX]
 *
 * Exit codes: exit_codes.h.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"
#include "harness/device/device.h"
#include "harness/report/csv.h"
#include "harness/report/output.h"

int main(int argc, char **argv)
{
    static const char option[] = "--device=";
    char *end = "";
    long index = 0;
    struct device device;
    size_t available, all;

    if (argc == 2 && strncmp(argv[1], option, sizeof option - 1) == 0)
        index = strtol(argv[1] + sizeof option - 1, &end, 10);
    else if (argc > 1)
        end = argv[1];
    if (*end != '\0') {
        fprintf(stderr, "device: '%s': it takes --device=INDEX alone\n", end);
        return EXIT_USAGE;
    }
    device_open(&device, (int)index);
    HIP_CHECK(hipMemGetInfo(&available, &all));
    csv_put(stdout, device.name);
    printf(",%s,%zu,%zu,%u,%s,%s,%s,%d\n", device.arch, device.memory, available, device.compute_units, device.address,
           device.uuid, device.driver, device_count());
    output_check(stdout);
    return EXIT_RIGHT;
}
