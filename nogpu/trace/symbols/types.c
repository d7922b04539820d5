/* Types: which member or element an access within a variable touches.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "program.h"

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
    if (!number_of(die, DW_AT_data_member_location, &value) && number_of(die, DW_AT_data_bit_offset, &value))
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
        if (!is_member(&die, &begin) || !type_of(&die, &inner) || *offset - begin >= bytes_of(&inner))
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
    while (dwarf_tag(&type) == DW_TAG_array_type
               ? enter_element(&type, &offset, text, size)
               : is_struct(&type) && bytes < bytes_of(&type) && enter_member(&type, &offset, text, size))
        ;
    if (offset > 0)
        snprintf(text + strlen(text), size - strlen(text), ", byte %zu", offset);
}

bool symbols_part(uintptr_t address, size_t bytes, char *text, size_t size)
{
    const struct variable *v = symbols_find_variable(address);
    struct description *d = v ? symbols_description_of(v) : NULL;
    Dwarf_Die type;

    text[0] = '\0';
    if (!d || !type_of(&d->die, &type))
        return false;
    append_part(type, address - symbols_begin_of(v), bytes, text, size);
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
    return found && dwarf_diename(member) && type_of(member, &array) && dwarf_tag(&array) == DW_TAG_array_type &&
           bytes_of(&array) == 0 && type_of(&array, element) && bytes_of(element) > 0;
}

bool symbols_pointed_part(uintptr_t function, unsigned index, size_t offset, size_t bytes, char *text, size_t size)
{
    Dwarf_Die parameter, pointer, type, member, element;
    size_t begin = 0;

    text[0] = '\0';
    if (!symbols_find_parameter(function, index, &parameter) || !type_of(&parameter, &pointer) ||
        dwarf_tag(&pointer) != DW_TAG_pointer_type || !type_of(&pointer, &type) || bytes_of(&type) == 0)
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

/* ---- numbers ---- */

/* A type of nogpu's headers that stands for a number of 16 bits. */
static enum hip_cpu_scalar_kind kind_of_struct(Dwarf_Die *type)
{
    const char *name = name_of(type);

    if (strncmp(name, "hip_cpu_float16<hip_cpu_half", 28) == 0)
        return HIP_CPU_KIND_HALF;
    if (strncmp(name, "hip_cpu_float16<", 16) == 0)
        return HIP_CPU_KIND_BFLOAT16;
    return HIP_CPU_KIND_UNKNOWN;
}

static enum hip_cpu_scalar_kind kind_of(Dwarf_Die *type)
{
    if (dwarf_tag(type) == DW_TAG_pointer_type)
        return HIP_CPU_KIND_POINTER;
    switch (dwarf_tag(type) == DW_TAG_base_type ? line_of(type, DW_AT_encoding) : 0) {
    case DW_ATE_float:
        return HIP_CPU_KIND_FLOAT;
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        return HIP_CPU_KIND_SIGNED;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean:
        return HIP_CPU_KIND_UNSIGNED;
    default:
        return HIP_CPU_KIND_UNKNOWN;
    }
}

static struct trace_scalar scalar_in(Dwarf_Die type, size_t offset)
{
    char unused[200] = "";
    struct trace_scalar s = {HIP_CPU_KIND_UNKNOWN, 0};

    while (s.kind == HIP_CPU_KIND_UNKNOWN) {
        if (dwarf_tag(&type) == DW_TAG_array_type) {
            if (!enter_element(&type, &offset, unused, sizeof unused))
                return s;
        } else if (is_struct(&type)) {
            s.kind = kind_of_struct(&type);
            if (s.kind == HIP_CPU_KIND_UNKNOWN && !enter_member(&type, &offset, unused, sizeof unused))
                return s;
        } else {
            s.kind = kind_of(&type);
            break;
        }
    }
    s.bytes = (unsigned)bytes_of(&type);
    return offset == 0 ? s : (struct trace_scalar){HIP_CPU_KIND_UNKNOWN, 0};
}

/* Of an access that touches several numbers, as of a float4, what all of them are. */
static struct trace_scalar scalars_in(Dwarf_Die *type, size_t offset, size_t bytes)
{
    struct trace_scalar first = scalar_in(*type, offset), none = {HIP_CPU_KIND_UNKNOWN, 0};

    for (size_t at = first.bytes; first.bytes > 0 && at < bytes; at += first.bytes) {
        struct trace_scalar next = scalar_in(*type, offset + at);
        if (next.kind != first.kind || next.bytes != first.bytes)
            return none;
    }
    return first;
}

struct trace_scalar symbols_scalar(uintptr_t address, size_t bytes)
{
    const struct variable *v = symbols_find_variable(address);
    struct description *d = v ? symbols_description_of(v) : NULL;
    Dwarf_Die type;

    if (!d || !type_of(&d->die, &type))
        return (struct trace_scalar){HIP_CPU_KIND_UNKNOWN, 0};
    return scalars_in(&type, address - symbols_begin_of(v), bytes);
}

struct trace_scalar symbols_pointed_scalar(uintptr_t function, unsigned index, size_t offset, size_t bytes)
{
    Dwarf_Die parameter, pointer, type;
    struct trace_scalar none = {HIP_CPU_KIND_UNKNOWN, 0};

    if (!symbols_find_parameter(function, index, &parameter) || !type_of(&parameter, &pointer) ||
        dwarf_tag(&pointer) != DW_TAG_pointer_type || !type_of(&pointer, &type) || bytes_of(&type) == 0)
        return none;
    size_t whole = bytes_of(&type);
    offset %= whole;
    /* an access to several elements: what one is */
    return scalars_in(&type, offset, bytes < whole - offset ? bytes : whole - offset);
}
