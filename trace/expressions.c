/* Which expression of the source a code address belongs to: line, column and inlined call, from the DWARF 4 that traced
 * kernels are compiled with. addr2line does not tell columns.
 *
 * Only clang's units are read: see explain/copies.c, which puts together what clang takes apart. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dwarf.h"

#define TAG_PARAMETER   0x05
#define TAG_INLINED     0x1d
#define TAG_FUNCTION    0x2e
#define AT_STMT_LIST    0x10
#define AT_LOW_PC       0x11
#define AT_HIGH_PC      0x12
#define AT_PRODUCER     0x25
#define AT_ORIGIN       0x31
#define AT_DECL_LINE    0x3b
#define AT_RANGES       0x55
#define FORM_ADDR       0x01
#define FORM_STRP       0x0e
#define FORM_REF_ADDR   0x10
#define EXPRESSIONS_MAX ((size_t)1 << 14) /* code addresses that are asked for */

static struct dwarf_section lines, info, abbrevs, ranges, strings;

/* Where an inlined call's code is; a call may have several of them. */
static struct inlined {
    uintptr_t low, high;
    uint32_t entry;    /* offset in .debug_info: inner calls come later */
    uint32_t function; /* the same, of what is called */
} * calls;
static size_t calls_count, calls_room;

/* The lines on which functions and their parameters are declared. */
static struct function {
    uint32_t entry;
    unsigned first, last;
} * functions;
static size_t functions_count, functions_room;

/* ---- .debug_info ---- */

/* Bytes of each form's value. Others: LEB is a number of any length, TEXT a string, BLOCK(n) that many bytes of length
 * and then the bytes. */
enum { LEB = 16, TEXT, BLOCK };
static const uint8_t form_bytes[] = {
    [FORM_ADDR] = sizeof(uintptr_t),
    [0x03] = BLOCK + 2,
    [0x04] = BLOCK + 4,
    [0x05] = 2,
    [0x06] = 4,
    [0x07] = 8,
    [0x08] = TEXT,
    [0x09] = BLOCK,
    [0x0a] = BLOCK + 1,
    [0x0b] = 1,
    [0x0c] = 1,
    [0x0d] = LEB,
    [FORM_STRP] = 4,
    [0x0f] = LEB,
    [0x10] = 4,
    [0x11] = 1,
    [0x12] = 2,
    [0x13] = 4,
    [0x14] = 8,
    [0x15] = LEB,
    [0x17] = 4,
    [0x18] = BLOCK,
    [0x19] = 0,
    [0x20] = 8,
};

/* The number of an attribute; of a string, its address. */
static uint64_t read_value(const uint8_t **at, uint64_t form)
{
    unsigned bytes = form < sizeof form_bytes ? form_bytes[form] : 0;
    uint64_t value;

    if (bytes < LEB) {
        value = dwarf_fixed(at, bytes);
        return form == FORM_STRP ? (uintptr_t)(strings.start + value) : value;
    }
    if (bytes == LEB)
        return dwarf_leb(at);
    if (bytes == TEXT) {
        value = (uintptr_t)*at;
        *at += strlen((const char *)*at) + 1;
        return value;
    }
    value = bytes == BLOCK ? dwarf_leb(at) : dwarf_fixed(at, bytes - BLOCK);
    *at += value;
    return 0;
}

static void add_call(uintptr_t low, uintptr_t high, uint32_t entry, uint32_t function)
{
    if (calls_count == calls_room) {
        calls_room = 2 * calls_room + 1024;
        calls = trace_check_alloc(realloc(calls, calls_room * sizeof *calls));
    }
    calls[calls_count++] = (struct inlined){low, high, entry, function};
}

static void add_ranges(uint64_t offset, uintptr_t base, uint32_t entry, uint32_t function)
{
    const uint8_t *at = ranges.start + offset;

    while (at < ranges.end) {
        uintptr_t low = dwarf_fixed(&at, sizeof low), high = dwarf_fixed(&at, sizeof high);
        if (low == 0 && high == 0)
            return;
        if (low == UINTPTR_MAX)
            base = high;
        else
            add_call(base + low, base + high, entry, function);
    }
}

static void add_function(uint32_t entry, unsigned line)
{
    if (functions_count == functions_room) {
        functions_room = 2 * functions_room + 256;
        functions = trace_check_alloc(realloc(functions, functions_room * sizeof *functions));
    }
    functions[functions_count++] = (struct function){entry, line, line};
}

/* Where each abbreviation of a unit begins, by its number. */
static const uint8_t **read_abbrevs(uint64_t offset, uint64_t *count)
{
    const uint8_t **table = NULL, *at = abbrevs.start + offset;
    uint64_t room = 0, number;

    *count = 0;
    while (at < abbrevs.end && (number = dwarf_leb(&at)) != 0) {
        if (number >= room) {
            room = 2 * number + 256;
            table = trace_check_alloc(realloc(table, room * sizeof *table));
            memset(table + *count, 0, (room - *count) * sizeof *table);
            *count = room;
        }
        table[number] = at;
        dwarf_leb(&at); /* tag */
        at++;           /* whether it has children */
        for (uint64_t name = 1, form = 1; name != 0 || form != 0;) {
            name = dwarf_leb(&at);
            form = dwarf_leb(&at);
        }
    }
    return table;
}

/* All entries of a unit, one after the other: which one is inside which other does not matter here. */
static void read_unit(const uint8_t *unit, const uint8_t *at, const uint8_t *end,
                      const uint8_t **table, uint64_t count)
{
    uintptr_t base = 0;
    bool is_first = true;

    while (at < end) {
        uint32_t entry = (uint32_t)(at - info.start);
        uint64_t number = dwarf_leb(&at);
        if (number == 0)
            continue;
        if (number >= count || !table[number])
            return;
        const uint8_t *abbrev = table[number];
        uint64_t tag = dwarf_leb(&abbrev), low = 0, high = 0;
        uint64_t where = UINT64_MAX, program = UINT64_MAX, origin = 0, line = 0;
        const char *producer = "";
        bool is_length = false;
        for (abbrev++;;) {
            uint64_t name = dwarf_leb(&abbrev), form = dwarf_leb(&abbrev);
            if (name == 0 && form == 0)
                break;
            uint64_t value = read_value(&at, form);
            switch (name) {
            case AT_LOW_PC:
                low = value;
                break;
            case AT_HIGH_PC:
                high = value, is_length = form != FORM_ADDR;
                break;
            case AT_RANGES:
                where = value;
                break;
            case AT_STMT_LIST:
                program = value;
                break;
            case AT_DECL_LINE:
                line = value;
                break;
            case AT_ORIGIN:
                origin = form == FORM_REF_ADDR ? value : (uint64_t)(unit - info.start) + value;
                break;
            case AT_PRODUCER:
                producer = (const char *)(uintptr_t)value;
                break;
            }
        }
        if (is_first) {
            if (!strstr(producer, "clang") || program == UINT64_MAX)
                return;
            dwarf_read_lines(&lines, program);
            base = low;
        } else if (tag == TAG_INLINED) {
            if (where != UINT64_MAX)
                add_ranges(where, base, entry, (uint32_t)origin);
            else
                add_call(low, is_length ? low + high : high, entry, (uint32_t)origin);
        } else if (tag == TAG_FUNCTION && line > 0) {
            add_function(entry, (unsigned)line);
        } else if (tag == TAG_PARAMETER && functions_count > 0 &&
                   line > functions[functions_count - 1].last) {
            functions[functions_count - 1].last = (unsigned)line;
        }
        is_first = false;
    }
}

static void read_units(void)
{
    for (const uint8_t *at = info.start; at < info.end;) {
        const uint8_t *unit = at, *end = at + 4;
        uint64_t length = dwarf_fixed(&at, 4), count;
        end += length;
        unsigned version = (unsigned)dwarf_fixed(&at, 2);
        if (version == 4) {
            const uint8_t **table = read_abbrevs(dwarf_fixed(&at, 4), &count);
            read_unit(unit, at + 1, end, table, count);
            free(table);
        }
        at = end;
    }
}

/* ---- the program ---- */

static void read_sections(const uint8_t *image)
{
    const ElfW(Ehdr) *header = (const void *)image;
    const ElfW(Shdr) *section = (const void *)(image + header->e_shoff);
    const char *names = (const char *)image + section[header->e_shstrndx].sh_offset;
    static const struct {
        const char *name;
        struct dwarf_section *section;
    } wanted[] = {{".debug_line", &lines},
                  {".debug_info", &info},
                  {".debug_abbrev", &abbrevs},
                  {".debug_ranges", &ranges},
                  {".debug_str", &strings}};

    for (unsigned i = 0; i < header->e_shnum; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (strcmp(names + section[i].sh_name, wanted[k].name) == 0 &&
                !(section[i].sh_flags & SHF_COMPRESSED)) {
                wanted[k].section->start = image + section[i].sh_offset;
                wanted[k].section->end = wanted[k].section->start + section[i].sh_size;
            }
}

static void read_program(void)
{
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return;
    if (fstat(file, &status) == 0) {
        size_t size = (size_t)status.st_size;
        uint8_t *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            read_sections(image);
            if (lines.start && info.start && abbrevs.start)
                read_units();
            munmap(image, size);
        }
    }
    close(file);
}

/* The innermost inlined call; NULL: none. */
static const struct inlined *call_at(uintptr_t address)
{
    const struct inlined *innermost = NULL;

    for (const struct inlined *c = calls; c < calls + calls_count; c++)
        if (c->low <= address && address < c->high && (!innermost || c->entry > innermost->entry))
            innermost = c;
    return innermost;
}

static void look_up(uintptr_t address, struct trace_expression *e)
{
    unsigned line, column;
    const struct inlined *call = call_at(address);

    if (!dwarf_line_at(address, &line, &column))
        return;
    e->id = (uint64_t)(call ? call->entry : 0) << 32 | (uint64_t)(line & 0xfffff) << 12 |
            (column & 0xfff);
    for (size_t i = 0; call && i < functions_count; i++)
        if (functions[i].entry == call->function)
            e->is_argument = functions[i].first <= line && line <= functions[i].last;
}

struct trace_expression trace_expression_of(uintptr_t code)
{
    static struct {
        uintptr_t code;
        struct trace_expression expression;
    } known[EXPRESSIONS_MAX];
    static bool was_read, has_lines;
    size_t slot = (code * 0x9e3779b97f4a7c15ull >> 40) % EXPRESSIONS_MAX;

    if (!was_read) {
        read_program();
        has_lines = dwarf_sort_lines();
    }
    was_read = true;
    while (known[slot].code != code) {
        if (known[slot].code != 0) {
            slot = (slot + 1) % EXPRESSIONS_MAX;
            continue;
        }
        known[slot].code = code;
        if (has_lines)
            look_up(code - 1 - trace_load_base(), &known[slot].expression);
    }
    return known[slot].expression;
}
