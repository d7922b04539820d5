/* Reads the file of the running program: the symbol table, and of DWARF where code and variables are.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "../trace_internal.h"
#include "program.h"

struct symbols_program symbols_program;

static int take_loaded(struct dl_phdr_info *info, UNUSED size_t size, UNUSED void *unused)
{
    symbols_program.base = info->dlpi_addr;
    symbols_program.thread_local_begin = (uintptr_t)info->dlpi_tls_data;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            symbols_program.thread_local_bytes = info->dlpi_phdr[i].p_memsz;
    return 1; /* the first is the program itself */
}

uintptr_t symbols_thread_local_begin(void)
{
    dl_iterate_phdr(take_loaded, NULL);
    return symbols_program.thread_local_begin;
}

static void add_ranges(struct ranges *list, Dwarf_Die *die)
{
    Dwarf_Addr base, low, high;

    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;) {
        TRACE_ONE_MORE(list->range, list->count, list->room, 256);
        list->range[list->count++] = (struct range){low, high, *die};
    }
}

/* The address of a variable, or its offset if it is thread-local. */
static bool location_of(Dwarf_Die *die, uintptr_t *value, bool *is_thread_local)
{
    Dwarf_Attribute location, indexed;
    Dwarf_Op *op;
    size_t count;
    Dwarf_Addr address;

    if (!dwarf_attr(die, DW_AT_location, &location) || dwarf_getlocation(&location, &op, &count) != 0 || count == 0 ||
        count > 2)
        return false;
    *is_thread_local = count == 2 && (op[1].atom == DW_OP_GNU_push_tls_address || op[1].atom == DW_OP_form_tls_address);
    *value = op[0].number;
    switch (op[0].atom) {
    case DW_OP_addr:
        return count == 1;
    case DW_OP_const4u:
    case DW_OP_const8u:
        return *is_thread_local;
    case DW_OP_addrx: /* in a table, DWARF 5 */
    case DW_OP_constx:
    case DW_OP_GNU_addr_index:
    case DW_OP_GNU_const_index:
        if (dwarf_getlocation_attr(&location, op, &indexed) != 0 || dwarf_formaddr(&indexed, &address) != 0)
            return false;
        *value = address;
        return *is_thread_local || count == 1;
    }
    return false;
}

static void add_description(Dwarf_Die *die)
{
    struct description d = {.die = *die};

    if (!location_of(die, &d.value, &d.is_thread_local))
        return;
    TRACE_ONE_MORE(symbols_program.description, symbols_program.descriptions, symbols_program.descriptions_room, 256);
    symbols_program.description[symbols_program.descriptions++] = d;
}

/* Functions, and variables wherever they stand: in namespaces, structs, functions. */
static void read_entries(Dwarf_Die *parent)
{
    Dwarf_Die die;

    for (bool more = first_child(parent, &die); more; more = next_child(&die)) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            add_description(&die);
            break;
        case DW_TAG_subprogram:
            add_ranges(&symbols_program.functions, &die);
            read_entries(&die);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_namespace:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
            read_entries(&die);
            break;
        }
    }
}

static int by_low(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static void sort(struct ranges *list)
{
    if (list->count > 0)
        qsort(list->range, list->count, sizeof *list->range, by_low);
}

static void read_units(Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split;
    Dwarf_Half version;
    uint8_t kind;

    while (dwarf_get_units(dwarf, unit, &unit, &version, &kind, &die, &split) == 0) {
        Dwarf_Lines *lines;
        Dwarf_Files *files;
        size_t count;
        if (kind == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid)
            die = split;
        dwarf_getsrclines(&die, &lines, &count); /* libdw keeps them */
        dwarf_getsrcfiles(&die, &files, &count);
        add_ranges(&symbols_program.units, &die);
        read_entries(&die);
    }
    sort(&symbols_program.units);
    sort(&symbols_program.functions);
}

/* Thread-local variables of kernels have C++ names or, outside of functions, may be global; the others are the runtime's. */
static bool is_shared(const char *name, unsigned binding)
{
    static const char *const of_the_runtime[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

    if (strncmp(name, "_Z", 2) == 0)
        return strncmp(name, "_ZGV", 4) != 0;
    for (size_t i = 0; i < sizeof of_the_runtime / sizeof *of_the_runtime; i++)
        if (strcmp(name, of_the_runtime[i]) == 0)
            return false;
    return binding != STB_LOCAL && strncmp(name, "hip_cpu_", 8) != 0 && strncmp(name, "trace_", 6) != 0;
}

static void read_symbols(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    Elf_Data *data = NULL;
    size_t count = 0;

    while ((section = elf_nextscn(elf, section)) && !data)
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_entsize > 0)
            data = elf_getdata(section, NULL), count = header.sh_size / header.sh_entsize;
    if (!data)
        return;
    symbols_program.variable = trace_check_alloc(calloc(count, sizeof *symbols_program.variable));
    symbols_program.guard = trace_check_alloc(calloc(count, sizeof *symbols_program.guard));
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            continue;
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name && type == STT_TLS && strncmp(name, "_ZGV", 4) == 0)
            symbols_program.guard[symbols_program.guards++] = symbol.st_value;
        if (!name || (type != STT_OBJECT && !(type == STT_TLS && is_shared(name, GELF_ST_BIND(symbol.st_info)))))
            continue;
        symbols_program.variable[symbols_program.variables++] = (struct variable){
            .value = symbol.st_value,
            .bytes = symbol.st_size,
            .name = name,
            .is_shared = type == STT_TLS,
        };
        if (type != STT_TLS)
            continue;
        if (symbols_program.shared_high == 0 || symbol.st_value < symbols_program.shared_low)
            symbols_program.shared_low = symbol.st_value;
        if (symbol.st_value + symbol.st_size > symbols_program.shared_high)
            symbols_program.shared_high = symbol.st_value + symbol.st_size;
    }
}

void symbols_open(void)
{
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

    if (file < 0) /* there is no /proc */
        file = open((const char *)getauxval(AT_EXECFN), O_RDONLY | O_CLOEXEC);
    dl_iterate_phdr(take_loaded, NULL);
    elf_version(EV_CURRENT);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
    if (!elf) { /* without its shared variables findings would be wrong */
        fprintf(stderr, "hip: cannot read the program itself: mount /proc\n");
        _exit(EXIT_DEVICE_FAULT);
    }
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    read_symbols(elf);
    if (dwarf)
        read_units(dwarf);
    else
        fprintf(stderr, "hip: this program has no debugging information, so lines and names are "
                        "unknown: compile it with -g\n");
}
