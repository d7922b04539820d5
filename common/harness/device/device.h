/* The devices: how many there are, their properties, and their memory.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_DEVICE_H
#define REDUCTION_DEVICE_H

#include <stddef.h>
#include <stdio.h>

#include "reduction.h"

#define DEVICE_VERSION_MAX 32

struct device {
    int index;
    char name[128];
    char arch[64];              /* "gfx90a", "sm_90", "cpu" */
    unsigned warp_size;         /* lanes */
    unsigned compute_units;     /* CUs, SMs or worker threads */
    unsigned threads_per_unit;  /* resident at most */
    size_t memory;              /* bytes, all of it */
    size_t l2;                  /* bytes; 0: unknown */
    double clock, memory_clock; /* MHz; 0: unknown */
    unsigned bus_width;         /* bits; 0: unknown */
    double peak;                /* GB/s by the datasheet: clock and width of the memory; 0: unknown */
    char driver[DEVICE_VERSION_MAX], runtime[DEVICE_VERSION_MAX]; /* versions, for people */
    char address[32]; /* "0000:c1:00.0" on the PCI bus; the parts of one card may share it; "" */
    char uuid[40];    /* of the device, or of its card; "": the runtime does not say */
};

/* "AMD GPU", "NVIDIA GPU" or "CPU device": what this program was built for. */
const char *device_kind(void);

/* How many there are. Ends the program with one line and exit code 77 if there is none, or no driver. */
int device_count(void);

/* Makes device number index (from 0) the current one and fills *d. Exit code 2 if there is no such
 * device. */
void device_open(struct device *d, int index);

/* A reduction of n elements on it, to be planned; grid and block 0: the variant chooses. */
struct reduction device_reduction(const struct device *d, size_t n, unsigned grid, unsigned block);

/* errors.c: prints one line (with its newline) to stderr and ends the program with exit code 3. Threads may fail at the same time:
 * only the first of them speaks. */
void device_end(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* One row for each device. */
void device_list(FILE *out);

/* Ends the program with one line and exit code 3 unless this many bytes are free: array and workspace on
 * the current device, host on the host. For the message: elements is the size of the array, grid the
 * value of --grid or 0. */
void device_check_memory(size_t elements, unsigned grid, size_t array, size_t workspace, size_t host);

/* How many bytes to write so that no cache holds anything of an earlier run: 4 x L2, and at least 256
 * MB; 1 GB on AMD because of the Infinity Cache, which the runtime does not report. */
size_t device_evict_bytes(const struct device *d);

/* bytes as "1.5 GiB" in a buffer of the caller's; returns text. */
#define BYTES_TEXT_MAX 32
const char *bytes_text(char text[BYTES_TEXT_MAX], double bytes);

#endif
