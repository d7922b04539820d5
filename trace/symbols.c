/* Names for addresses, by elfutils' libdw.
 *
 * Kernels call this on their own small stacks and while their accesses are being observed. Therefore symbols_open()
 * reads all line tables, which takes the most stack, and nothing here calls memset() or memcpy(), which are callbacks
 * of the trace (callbacks.c); those of libdw, a shared library, are not.
 * SPDX-License-Identifier: MIT */
#include "symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_internal.h"

extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

/* Addresses [low, high) of a compilation unit or a function; one may have several of them. Tables of our own, because
 * clang writes no .debug_aranges. */
struct range {
    uintptr_t low, high; /* in the file */
    Dwarf_Die die;
};
struct ranges {
    struct range *range;
    size_t count, room;
};
/* Variables as the symbol table has them: not every compiler says in DWARF where thread-local ones lie. */
struct variable {
    uintptr_t value; /* address in the file, or offset in the thread-local segment */
    size_t bytes;
    const char *name; /* mangled */
    bool is_shared;   /* static __shared__, which is thread-local here */
};

/* The entries of DWARF that describe variables with a fixed place. */
struct description {
    uintptr_t value;
    bool is_thread_local;
    Dwarf_Die die;
};

/* The running program: the only one, read once. */
static struct {
    uintptr_t base; /* where it is loaded */
    size_t thread_local_bytes;
    uintptr_t thread_local_begin; /* of the thread that asked last */

    struct ranges units, functions;
    struct variable *variable;
    size_t variables;
    uintptr_t shared_low, shared_high; /* values between which the shared ones lie */
    struct description *description;
    size_t descriptions, descriptions_room;

    char *demangled; /* the last name; room for the next */
    size_t demangled_bytes;
} program;

/* ---- the running program ---- */

static int take_loaded(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    program.base = info->dlpi_addr;
    program.thread_local_begin = (uintptr_t)info->dlpi_tls_data;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            program.thread_local_bytes = info->dlpi_phdr[i].p_memsz;
    return 1; /* the first is the program itself */
}

/* Where the thread-local variables of the calling thread begin. */
static uintptr_t thread_local_begin(void)
{
    dl_iterate_phdr(take_loaded, NULL);
    return program.thread_local_begin;
}

/* ---- entries of DWARF ---- */

static bool first_child(Dwarf_Die *parent, Dwarf_Die *child)
{
    return dwarf_child(parent, child) == 0;
}

static bool next_child(Dwarf_Die *child)
{
    return dwarf_siblingof(child, child) == 0;
}

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *value)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, name, &attribute) && dwarf_formudata(&attribute, value) == 0;
}

static unsigned line_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Word value;
    return number_of(die, name, &value) ? (unsigned)value : 0;
}

static const char *name_of(Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    return name ? name : "?";
}

/* Without typedef and const. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die named;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
           dwarf_formref_die(&attribute, &named) && dwarf_peel_type(&named, type) == 0;
}

static bool is_struct(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* ---- reading the file ---- */

static void add_ranges(struct ranges *list, Dwarf_Die *die)
{
    Dwarf_Addr base, low, high;

    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;) {
        if (list->count == list->room) {
            list->room = 2 * list->room + 256;
            list->range = trace_check_alloc(realloc(list->range, list->room * sizeof *list->range));
        }
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

    if (!dwarf_attr(die, DW_AT_location, &location) ||
        dwarf_getlocation(&location, &op, &count) != 0 || count == 0 || count > 2)
        return false;
    *is_thread_local = count == 2 && (op[1].atom == DW_OP_GNU_push_tls_address ||
                                      op[1].atom == DW_OP_form_tls_address);
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
        if (dwarf_getlocation_attr(&location, op, &indexed) != 0 ||
            dwarf_formaddr(&indexed, &address) != 0)
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
    if (program.descriptions == program.descriptions_room) {
        program.descriptions_room = 2 * program.descriptions_room + 256;
        program.description = trace_check_alloc(
            realloc(program.description, program.descriptions_room * sizeof *program.description));
    }
    program.description[program.descriptions++] = d;
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
            add_ranges(&program.functions, &die);
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
        add_ranges(&program.units, &die);
        read_entries(&die);
    }
    sort(&program.units);
    sort(&program.functions);
}

/* Thread-local variables of kernels have C++ names or, outside of functions, may be global; the others are the runtime's. */
static bool is_shared(const char *name, unsigned binding)
{
    if (strncmp(name, "_Z", 2) == 0)
        return strncmp(name, "_ZGV", 4) != 0;
    return binding != STB_LOCAL && strncmp(name, "hip_cpu_", 8) != 0;
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
    program.variable = trace_check_alloc(calloc(count, sizeof *program.variable));
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            continue;
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (!name || (type != STT_OBJECT &&
                      !(type == STT_TLS && is_shared(name, GELF_ST_BIND(symbol.st_info)))))
            continue;
        program.variable[program.variables++] = (struct variable){
            .value = symbol.st_value,
            .bytes = symbol.st_size,
            .name = name,
            .is_shared = type == STT_TLS,
        };
        if (type != STT_TLS)
            continue;
        if (program.shared_high == 0 || symbol.st_value < program.shared_low)
            program.shared_low = symbol.st_value;
        if (symbol.st_value + symbol.st_size > program.shared_high)
            program.shared_high = symbol.st_value + symbol.st_size;
    }
}

void symbols_open(void)
{
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

    dl_iterate_phdr(take_loaded, NULL);
    elf_version(EV_CURRENT);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
    Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    if (elf)
        read_symbols(elf);
    if (dwarf)
        read_units(dwarf);
    else
        fprintf(stderr, "hip: this program has no debugging information, so lines and names are "
                        "unknown: compile it with -g\n");
}

/* ---- code ---- */

/* The last range that begins at or before the address, if it holds it. */
static struct range *range_at(const struct ranges *list, uintptr_t address)
{
    size_t low = 0, high = list->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->range[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < list->range[low - 1].high ? &list->range[low - 1] : NULL;
}

/* The inlined calls around the address, the outermost first, behind the `count` that are there. */
static unsigned add_calls(Dwarf_Die *parent, uintptr_t address, Dwarf_Die *calls, unsigned count)
{
    Dwarf_Die die;

    for (bool more = first_child(parent, &die); more; more = next_child(&die)) {
        int tag = dwarf_tag(&die);
        if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
            count == SYMBOLS_FRAMES)
            continue;
        /* A block of clang may have no addresses of its own. */
        bool has_addresses = dwarf_hasattr(&die, DW_AT_low_pc) || dwarf_hasattr(&die, DW_AT_ranges);
        if (has_addresses && dwarf_haspc(&die, address) <= 0)
            continue;
        if (tag == DW_TAG_inlined_subroutine)
            calls[count++] = die;
        unsigned with_inner = add_calls(&die, address, calls, count);
        if (has_addresses || with_inner > count)
            return with_inner;
    }
    return count;
}

static void set_caller(struct symbols_frame *frame, Dwarf_Die *call)
{
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t count;
    Dwarf_Word number;
    const char *file = NULL;

    if (number_of(call, DW_AT_call_file, &number) && dwarf_diecu(call, &unit, NULL, NULL) &&
        dwarf_getsrcfiles(&unit, &files, &count) == 0 && number < count)
        file = dwarf_filesrc(files, number, NULL, NULL);
    frame->file = file ? file : "?";
    frame->line = line_of(call, DW_AT_call_line);
    frame->column = line_of(call, DW_AT_call_column);
}

static void set_line(struct symbols_frame *frame, Dwarf_Die *unit, uintptr_t address)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    int number;

    frame->file = file ? file : "?";
    frame->line = line && dwarf_lineno(line, &number) == 0 ? (unsigned)number : 0;
    frame->column = line && dwarf_linecol(line, &number) == 0 ? (unsigned)number : 0;
}

/* Whether the line declares a parameter of the called function that is a struct. */
static bool declares_struct(Dwarf_Die *call, unsigned line)
{
    Dwarf_Attribute attribute;
    Dwarf_Die function, die, type;

    if (!dwarf_attr(call, DW_AT_abstract_origin, &attribute) ||
        !dwarf_formref_die(&attribute, &function))
        return false;
    for (bool more = first_child(&function, &die); more; more = next_child(&die))
        if (dwarf_tag(&die) == DW_TAG_formal_parameter && line_of(&die, DW_AT_decl_line) == line &&
            type_of(&die, &type) && is_struct(&type))
            return true;
    return false;
}

static bool is_c(Dwarf_Die *unit)
{
    switch (dwarf_srclang(unit)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
        return true;
    }
    return false;
}

void symbols_of_code(uintptr_t address, struct symbols_code *code)
{
    uintptr_t in_file = address - program.base;
    struct range *unit = range_at(&program.units, in_file),
                 *function = range_at(&program.functions, in_file);
    Dwarf_Die calls[SYMBOLS_FRAMES]; /* the first is the function itself */
    Dwarf_Attribute producer;
    unsigned count = 1;

    code->count = 1;
    code->frame[0] = (struct symbols_frame){"?", "?", 0, 0};
    code->call = 0;
    code->by_clang = code->is_c = code->is_parameter = false;
    if (!unit || !function)
        return;
    calls[0] = function->die;
    count = add_calls(&function->die, in_file, calls, 1);
    code->count = count;
    set_line(&code->frame[0], &unit->die, in_file);
    for (unsigned i = 0; i < count; i++) {
        Dwarf_Die *call = &calls[count - 1 - i];
        code->frame[i].function = name_of(call);
        if (i + 1 < count)
            set_caller(&code->frame[i + 1], call);
    }
    if (count > 1) {
        code->call = dwarf_dieoffset(&calls[count - 1]);
        code->is_parameter = declares_struct(&calls[count - 1], code->frame[0].line);
    }
    code->is_c = is_c(&unit->die);
    if (dwarf_attr(&unit->die, DW_AT_producer, &producer)) {
        const char *name = dwarf_formstring(&producer);
        code->by_clang = name && strstr(name, "clang");
    }
}

/* As it is declared: a function's own entry may have lost some. */
static bool find_parameter(uintptr_t function, unsigned index, Dwarf_Die *found)
{
    struct range *range = range_at(&program.functions, function - program.base);
    Dwarf_Attribute attribute;
    Dwarf_Die declared, die;

    if (!range)
        return false;
    if (!dwarf_attr(&range->die, DW_AT_abstract_origin, &attribute) ||
        !dwarf_formref_die(&attribute, &declared))
        declared = range->die;
    for (bool more = first_child(&declared, &die); more; more = next_child(&die))
        if (dwarf_tag(&die) == DW_TAG_formal_parameter && index-- == 0) {
            *found = die;
            return true;
        }
    return false;
}

bool symbols_function_range(uintptr_t function, unsigned index, uintptr_t *low, uintptr_t *high)
{
    struct range *own = range_at(&program.functions, function - program.base);
    Dwarf_Addr base, from, to;
    ptrdiff_t at = 0;

    for (unsigned i = 0; own && (at = dwarf_ranges(&own->die, at, &base, &from, &to)) > 0; i++) {
        *low = program.base + from;
        *high = program.base + to;
        if (i == index)
            return true;
    }
    return false;
}

const char *symbols_parameter(uintptr_t function, unsigned index)
{
    Dwarf_Die parameter;
    return find_parameter(function, index, &parameter) ? dwarf_diename(&parameter) : NULL;
}

/* ---- variables ---- */

static struct description *description_of(const struct variable *v)
{
    for (size_t i = 0; i < program.descriptions; i++)
        if (program.description[i].value == v->value &&
            program.description[i].is_thread_local == v->is_shared)
            return &program.description[i];
    return NULL;
}

/* "double_sum::reduce(double const*)::last" to "last". */
static const char *plain_name(const char *mangled)
{
    int status;
    char *demangled = __cxa_demangle(mangled, program.demangled, &program.demangled_bytes, &status);
    char *colons;

    if (!demangled)
        return mangled;
    program.demangled = demangled;
    while ((colons = strstr(demangled, "::")))
        demangled = colons + 2;
    return demangled;
}

static uintptr_t begin_of(const struct variable *v)
{
    return (v->is_shared ? program.thread_local_begin : program.base) + v->value;
}

static void take_variable(const struct variable *from, struct symbols_variable *v)
{
    struct description *d = description_of(from);
    const char *name = d ? dwarf_diename(&d->die) : NULL;

    *v = (struct symbols_variable){name ? name : plain_name(from->name), begin_of(from),
                                   from->bytes};
}

static const struct variable *variable_at(uintptr_t address)
{
    thread_local_begin();
    for (size_t i = 0; i < program.variables; i++)
        if (address - begin_of(&program.variable[i]) < program.variable[i].bytes)
            return &program.variable[i];
    return NULL;
}

bool symbols_variable_at(uintptr_t address, struct symbols_variable *v)
{
    const struct variable *found = variable_at(address);
    if (found)
        take_variable(found, v);
    return found != NULL;
}

bool symbols_shared_before(uintptr_t address, struct symbols_variable *v)
{
    const struct variable *best = NULL;
    uintptr_t offset = address - thread_local_begin();

    for (size_t i = 0; i < program.variables; i++)
        if (program.variable[i].is_shared && program.variable[i].value < offset &&
            (!best || program.variable[i].value > best->value))
            best = &program.variable[i];
    if (best)
        take_variable(best, v);
    return best != NULL;
}

void symbols_shared_range(uintptr_t *begin, size_t *bytes)
{
    *begin = thread_local_begin() + program.shared_low;
    *bytes = program.shared_high - program.shared_low;
}

bool symbols_is_thread_local(uintptr_t address)
{
    return address - thread_local_begin() < program.thread_local_bytes;
}

/* ---- types ---- */

static size_t bytes_of(Dwarf_Die *type)
{
    Dwarf_Word bytes;
    return dwarf_aggregate_size(type, &bytes) == 0 ? bytes : 0;
}

/* Whether the entry is a member of a struct, or a struct that it inherits; where it begins. */
static bool is_member(Dwarf_Die *die, size_t *offset)
{
    int tag = dwarf_tag(die);
    Dwarf_Word value = 0;

    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(die, DW_AT_external))
        return false; /* external: static, in DWARF 4 */
    if (!number_of(die, DW_AT_data_member_location, &value) &&
        number_of(die, DW_AT_data_bit_offset, &value))
        value /= 8;
    *offset = value;
    return true;
}

static void append(char *text, size_t size, const char *name, size_t index)
{
    size_t used = strlen(text);
    if (name)
        snprintf(text + used, size - used, ".%s", name);
    else
        snprintf(text + used, size - used, "[%zu]", index);
}

/* The member at this offset, which becomes the one in it. */
static bool enter_member(Dwarf_Die *type, size_t *offset, char *text, size_t size)
{
    Dwarf_Die die, inner;
    size_t begin;

    for (bool more = first_child(type, &die); more; more = next_child(&die)) {
        if (!is_member(&die, &begin) || !type_of(&die, &inner) ||
            *offset - begin >= bytes_of(&inner))
            continue;
        if (dwarf_tag(&die) == DW_TAG_member && dwarf_diename(&die))
            append(text, size, dwarf_diename(&die), 0);
        *offset -= begin;
        *type = inner;
        return true;
    }
    return false;
}

static bool enter_element(Dwarf_Die *array, size_t *offset, char *text, size_t size)
{
    size_t bytes = bytes_of(array);
    Dwarf_Die die, element;
    Dwarf_Word count;

    if (!type_of(array, &element))
        return false;
    for (bool more = first_child(array, &die); more; more = next_child(&die)) {
        if (dwarf_tag(&die) != DW_TAG_subrange_type)
            continue;
        if (!number_of(&die, DW_AT_count, &count)) {
            if (!number_of(&die, DW_AT_upper_bound, &count))
                return false;
            count++;
        }
        if (count == 0 || bytes < count)
            return false;
        bytes /= count;
        append(text, size, NULL, *offset / bytes);
        *offset %= bytes;
    }
    *array = element;
    return true;
}

static void append_part(Dwarf_Die type, size_t offset, size_t bytes, char *text, size_t size)
{
    while (dwarf_tag(&type) == DW_TAG_array_type ? enter_element(&type, &offset, text, size)
                                                 : is_struct(&type) && bytes < bytes_of(&type) &&
                                                       enter_member(&type, &offset, text, size))
        ;
    if (offset > 0)
        snprintf(text + strlen(text), size - strlen(text), ", byte %zu", offset);
}

bool symbols_part(uintptr_t address, size_t bytes, char *text, size_t size)
{
    const struct variable *v = variable_at(address);
    struct description *d = v ? description_of(v) : NULL;
    Dwarf_Die type;

    text[0] = '\0';
    if (!d || !type_of(&d->die, &type))
        return false;
    append_part(type, address - begin_of(v), bytes, text, size);
    return true;
}

/* The array at the end of a struct that may have any length, as `slots` in struct { int n; int slots[]; }. */
static bool find_open_array(Dwarf_Die *type, Dwarf_Die *member, size_t *begin, Dwarf_Die *element)
{
    Dwarf_Die die, array;
    bool found = false;
    size_t offset;

    if (!is_struct(type))
        return false;
    for (bool more = first_child(type, &die); more; more = next_child(&die))
        if (dwarf_tag(&die) == DW_TAG_member && is_member(&die, &offset)) {
            *member = die;
            *begin = offset;
            found = true;
        }
    return found && dwarf_diename(member) && type_of(member, &array) &&
           dwarf_tag(&array) == DW_TAG_array_type && bytes_of(&array) == 0 &&
           type_of(&array, element) && bytes_of(element) > 0;
}

bool symbols_pointed_part(uintptr_t function, unsigned index, size_t offset, size_t bytes,
                          char *text, size_t size)
{
    Dwarf_Die parameter, pointer, type, member, element;
    size_t begin = 0;

    text[0] = '\0';
    if (!find_parameter(function, index, &parameter) || !type_of(&parameter, &pointer) ||
        dwarf_tag(&pointer) != DW_TAG_pointer_type || !type_of(&pointer, &type) ||
        bytes_of(&type) == 0)
        return false;
    if (find_open_array(&type, &member, &begin, &element) && offset >= begin) {
        snprintf(text, size, "->%s", dwarf_diename(&member));
        type = element;
        offset -= begin;
    }
    append(text, size, NULL, offset / bytes_of(&type));
    append_part(type, offset % bytes_of(&type), bytes, text, size);
    return true;
}
