/* Lines and columns of code addresses: DWARF 4, .debug_line, section 6.2 of the standard. */
#include <stdlib.h>

#include "dwarf.h"

/* Rows of the line table. A row holds up to the next one; column 0: not known, or the end of a function. */
static struct row {
    uintptr_t address;
    unsigned line, column;
    size_t order; /* in the table */
} * rows;
static size_t rows_count, rows_room;

static int64_t signed_leb(const uint8_t **at)
{
    const uint8_t *from = *at;
    uint64_t value = dwarf_leb(at);
    unsigned bits = 7 * (unsigned)(*at - from);
    if (bits < 64 && value >> (bits - 1) & 1)
        value |= ~(uint64_t)0 << bits;
    return (int64_t)value;
}

static void add_row(uintptr_t address, unsigned line, unsigned column)
{
    if (rows_count == rows_room) {
        rows_room = 2 * rows_room + 1024;
        rows = trace_check_alloc(realloc(rows, rows_room * sizeof *rows));
    }
    rows[rows_count] = (struct row){address, line, column, rows_count};
    rows_count++;
}

/* The line program of one unit: DWARF 4, section 6.2. */
void dwarf_read_lines(const struct dwarf_section *lines, uint64_t offset)
{
    const uint8_t *at = lines->start + offset;
    const uint8_t *end = at + 4 + dwarf_fixed(&at, 4);
    if (offset >= (uint64_t)(lines->end - lines->start) || end > lines->end ||
        dwarf_fixed(&at, 2) != 4)
        return;
    const uint8_t *program = at + 4 + dwarf_fixed(&at, 4);
    unsigned smallest = at[0], range = at[4], first = at[5];
    int base = (int8_t)at[3];
    const uint8_t *operands = at + 6;
    uintptr_t address = 0;
    unsigned line = 1, column = 0;

    for (at = program; at < end;) {
        unsigned code = *at++;
        if (code >= first) {
            address += (code - first) / range * smallest;
            line += (unsigned)(base + (int)((code - first) % range));
            add_row(address, line, column);
        } else if (code == 0) { /* extended */
            uint64_t length = dwarf_leb(&at);
            const uint8_t *next = at + length;
            switch (*at++) {
            case 1: /* end of a sequence */
                add_row(address, 0, 0);
                address = 0;
                line = 1;
                column = 0;
                break;
            case 2:
                address = dwarf_fixed(&at, sizeof address);
                break;
            }
            at = next;
        } else if (code == 1) {
            add_row(address, line, column);
        } else if (code == 2) {
            address += dwarf_leb(&at) * smallest;
        } else if (code == 3) {
            line += (unsigned)signed_leb(&at);
        } else if (code == 5) {
            column = (unsigned)dwarf_leb(&at);
        } else if (code == 8) {
            address += (255 - first) / range * smallest;
        } else if (code == 9) {
            address += dwarf_fixed(&at, 2);
        } else {
            for (unsigned i = operands[code - 1]; i > 0; i--)
                dwarf_leb(&at);
        }
    }
}

static int by_address(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if ((x->line > 0) != (y->line > 0)) /* where one function ends another may begin */
        return (x->line > 0) - (y->line > 0);
    return x->order < y->order ? -1 : 1;
}

bool dwarf_sort_lines(void)
{
    if (rows_count > 0)
        qsort(rows, rows_count, sizeof *rows, by_address);
    return rows_count > 0;
}

bool dwarf_line_at(uintptr_t address, unsigned *line, unsigned *column)
{
    size_t low = 0, high = rows_count;

    while (low < high) { /* the first row behind the address */
        size_t middle = low + (high - low) / 2;
        if (rows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || rows[low - 1].column == 0)
        return false;
    *line = rows[low - 1].line;
    *column = rows[low - 1].column;
    return true;
}
