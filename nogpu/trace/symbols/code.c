/* What code is: its function, its line, the calls inlined around it, the parameters of a function.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "program.h"

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
        if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) || count == SYMBOLS_FRAMES)
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

    if (!dwarf_attr(call, DW_AT_abstract_origin, &attribute) || !dwarf_formref_die(&attribute, &function))
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
    uintptr_t in_file = address - symbols_program.base;
    struct range *unit = range_at(&symbols_program.units, in_file),
                 *function = range_at(&symbols_program.functions, in_file);
    Dwarf_Die calls[SYMBOLS_FRAMES]; /* the first is the function itself */
    Dwarf_Attribute producer;
    unsigned count = 1;

    code->count = 1;
    code->frame[0] = (struct symbols_frame){"?", "?", 0, 0};
    code->call = 0;
    code->by_clang = code->is_c = code->is_parameter = false;
    if (!unit)
        return;
    code->is_c = is_c(&unit->die);
    set_line(&code->frame[0], &unit->die, in_file);
    if (!function) /* with -g1, clang says nothing of one that inlines none */
        return;
    calls[0] = function->die;
    count = add_calls(&function->die, in_file, calls, 1);
    code->count = count;
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
    if (dwarf_attr(&unit->die, DW_AT_producer, &producer)) {
        const char *name = dwarf_formstring(&producer);
        code->by_clang = name && strstr(name, "clang");
    }
}

/* As it is declared: a function's own entry may have lost some. */
bool symbols_find_parameter(uintptr_t function, unsigned index, Dwarf_Die *found)
{
    struct range *range = range_at(&symbols_program.functions, function - symbols_program.base);
    Dwarf_Attribute attribute;
    Dwarf_Die declared, die;

    if (!range)
        return false;
    if (!dwarf_attr(&range->die, DW_AT_abstract_origin, &attribute) || !dwarf_formref_die(&attribute, &declared))
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
    struct range *own = range_at(&symbols_program.functions, function - symbols_program.base);
    Dwarf_Addr base, from, to;
    ptrdiff_t at = 0;

    for (unsigned i = 0; own && (at = dwarf_ranges(&own->die, at, &base, &from, &to)) > 0; i++) {
        *low = symbols_program.base + from;
        *high = symbols_program.base + to;
        if (i == index)
            return true;
    }
    return false;
}

const char *symbols_parameter(uintptr_t function, unsigned index)
{
    Dwarf_Die parameter;
    return symbols_find_parameter(function, index, &parameter) ? dwarf_diename(&parameter) : NULL;
}
