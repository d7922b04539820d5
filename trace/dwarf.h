/* Reading DWARF 4, for the files that do. */
#ifndef HIP_CPU_TRACE_DWARF_H
#define HIP_CPU_TRACE_DWARF_H

#include "trace_internal.h"

/* A section of the program's file; start is NULL where there is none. */
struct dwarf_section {
    const uint8_t *start, *end;
};

static inline uint64_t dwarf_fixed(const uint8_t **at, unsigned bytes)
{
    uint64_t value = 0;
    __real_memcpy(&value, *at, bytes);
    *at += bytes;
    return value;
}

static inline uint64_t dwarf_leb(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

/* line_table.c: reads the lines of a unit, which begin at this offset. */
void dwarf_read_lines(const struct dwarf_section *lines, uint64_t offset);
/* After the last unit; false: there are no lines. */
bool dwarf_sort_lines(void);
/* False: not known. The address is that in the file. */
bool dwarf_line_at(uintptr_t address, unsigned *line, unsigned *column);

#endif
