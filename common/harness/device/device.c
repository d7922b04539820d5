/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device_facts.h"
#include "arithmetic.h"
#include "harness/options/options.h"
#include "reduction.h"

const char *device_kind(void) { return DEVICE_KIND; }

int device_count(void)
{
    int count = 0;
    hipError_t error = hipGetDeviceCount(&count);

    switch ((int)error) {
    case 0:   /* success, perhaps with none */
    case 3:   /* not initialized: no driver */
    case 34:  /* CUDA's stub of a driver */
    case 35:  /* CUDA: no driver, or one that is too old */
    case 100: /* no device */
    case 101: /* invalid device: what HIP 5.2 says where there is none */
        break;
    default:
        HIP_CHECK(error);
    }
    if (error != hipSuccess || count == 0) {
        const char *obstacle = device_obstacle();
        fprintf(stderr, "no %s found (%s): %s\n", DEVICE_KIND,
                error == hipSuccess ? "the runtime reports none" : hipGetErrorString(error),
                obstacle != NULL ? obstacle
                                 : "run it on a machine that has one, or build for the CPU with make GPU=cpu");
        exit(EXIT_NO_DEVICE);
    }
    return count;
}

/* 0 if the runtime does not know. */
static int attribute(hipDeviceAttribute_t which, int device)
{
    int value = 0;

    if (hipDeviceGetAttribute(&value, which, device) != hipSuccess) {
        (void)hipGetLastError(); /* or the next launch would report it */
        return 0;
    }
    return value > 0 ? value : 0;
}

/* Attributes that every launch plan needs and every runtime knows. */
static unsigned required(hipDeviceAttribute_t which, int device)
{
    int value = 0;

    HIP_CHECK(hipDeviceGetAttribute(&value, which, device));
    return (unsigned)value;
}

static void describe(struct device *d, int index)
{
    hipDeviceProp_t properties;

    memset(d, 0, sizeof *d);
    memset(&properties, 0, sizeof properties);
    d->index = index;
    HIP_CHECK(hipGetDeviceProperties(&properties, index));
    snprintf(d->name, sizeof d->name, "%.*s", (int)sizeof d->name - 1, properties.name);
    d->memory = properties.totalGlobalMem;
    d->warp_size = required(hipDeviceAttributeWarpSize, index);
    d->compute_units = required(hipDeviceAttributeMultiprocessorCount, index);
    d->threads_per_unit = required(hipDeviceAttributeMaxThreadsPerMultiProcessor, index);
    d->l2 = (size_t)attribute(hipDeviceAttributeL2CacheSize, index);
    d->clock = 1e-3 * attribute(hipDeviceAttributeClockRate, index); /* kHz */
    d->memory_clock = 1e-3 * attribute(hipDeviceAttributeMemoryClockRate, index);
    d->bus_width = (unsigned)attribute(hipDeviceAttributeMemoryBusWidth, index);

    int driver = 0, runtime = 0;
    HIP_CHECK(hipDriverGetVersion(&driver));
    HIP_CHECK(hipRuntimeGetVersion(&runtime));
    device_versions(d->driver, d->runtime, sizeof d->driver, driver, runtime);
    device_arch(d->arch, sizeof d->arch, &properties);
    device_uuid(d->uuid, sizeof d->uuid, index);
    if (hipDeviceGetPCIBusId(d->address, sizeof d->address, index) != hipSuccess) {
        (void)hipGetLastError();
        d->address[0] = '\0';
    }
    unsigned rate = device_transfers(d->arch);
    d->peak = 1e-3 * d->memory_clock * rate * d->bus_width / 8; /* MHz x bytes is MB/s */
}

void device_open(struct device *d, int index)
{
    int count = device_count();

    if (index >= count) {
        fprintf(stderr, "--device %d: there %s %d here, counted from 0; --list-devices shows %s\n", index,
                count == 1 ? "is" : "are", count, count == 1 ? "it" : "them");
        exit(EXIT_USAGE);
    }
    HIP_CHECK(hipSetDevice(index));
    describe(d, index);
    /* It launches a kernel: if the program has no code for this device, that is said before a table begins. */
    arithmetic_check();
}

struct reduction device_reduction(const struct device *d, size_t n, unsigned grid, unsigned block)
{
    return (struct reduction){
        .n = n,
        .grid = grid,
        .block = block,
        .arch = d->arch,
        .warp_size = d->warp_size,
        .compute_units = d->compute_units,
        .threads_per_unit = d->threads_per_unit,
    };
}

const char *bytes_text(char text[BYTES_TEXT_MAX], double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;

    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, BYTES_TEXT_MAX, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

/* value with decimals, or "?" if it is 0 */
static const char *known(char text[BYTES_TEXT_MAX], double value)
{
    snprintf(text, BYTES_TEXT_MAX, value > 0 ? "%.0f" : "?", value);
    return text;
}

void device_list(FILE *out)
{
    int count = device_count();
    char memory[BYTES_TEXT_MAX], l2[BYTES_TEXT_MAX], clock[BYTES_TEXT_MAX], memory_clock[BYTES_TEXT_MAX],
        bus[BYTES_TEXT_MAX], peak[BYTES_TEXT_MAX];

    fprintf(out, "%6s  %-32s %-8s %5s %6s %11s %10s %9s %6s %7s %6s %7s  %s\n", "device", "name", "arch", "warp",
            "units", "threads", "memory", "L2", "clock", "memory", "bus", "peak", "PCI");
    fprintf(out, "%6s  %-32s %-8s %5s %6s %11s %10s %9s %6s %7s %6s %7s  %s\n", "", "", "", "lanes", "", "per unit", "",
            "", "MHz", "MHz", "bits", "GB/s", "address");
    for (int i = 0; i < count; i++) {
        struct device d;
        describe(&d, i);
        fprintf(out, "%6d  %-32s %-8s %5u %6u %11u %10s %9s %6s %7s %6s %7s  %s\n", i, d.name, d.arch, d.warp_size,
                d.compute_units, d.threads_per_unit, bytes_text(memory, (double)d.memory),
                d.l2 > 0 ? bytes_text(l2, (double)d.l2) : "?", known(clock, d.clock),
                known(memory_clock, d.memory_clock), known(bus, d.bus_width), known(peak, d.peak), d.address);
    }
}

/* Bytes that the host can still allocate; SIZE_MAX if unknown. */
static size_t host_free(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;
    size_t bytes = SIZE_MAX;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            bytes = (size_t)kib * 1024;
    if (file != NULL)
        fclose(file);
    return bytes;
}

/* grid: the value of --grid if its blocks need the memory, else 0 */
static void check_bytes(size_t elements, unsigned grid, size_t needed, size_t available, const char *where)
{
    char need[BYTES_TEXT_MAX], have[BYTES_TEXT_MAX], blocks[32] = "";

    if (needed <= available)
        return;
    if (grid > 0)
        snprintf(blocks, sizeof blocks, " with --grid %u", grid);
    fprintf(stderr,
            "%zu elements%s need %zu bytes (%s) %s, and %zu bytes (%s) are free: give a smaller "
            "--%s\n",
            elements, blocks, needed, bytes_text(need, (double)needed), where, available,
            bytes_text(have, (double)available), grid > 0 ? "grid" : "size");
    exit(EXIT_DEVICE);
}

void device_check_memory(size_t elements, unsigned grid, size_t array, size_t workspace, size_t host)
{
    size_t available, all;

    HIP_CHECK(hipMemGetInfo(&available, &all));
    if (array > available)
        grid = 0;
    check_bytes(elements, grid, array + workspace, available, "on the device");
    if (!DEVICE_IS_GPU)
        host += array + workspace; /* from the same memory */
    check_bytes(elements, grid, host, host_free(), "on the host");
}

size_t device_evict_bytes(const struct device *d)
{
    return 4 * d->l2 > DEVICE_EVICT_BYTES ? 4 * d->l2 : DEVICE_EVICT_BYTES;
}
