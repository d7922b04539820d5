/* Entries of DWARF: what all files of this folder ask of one.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_SYMBOLS_DWARF_H
#define TRACE_SYMBOLS_DWARF_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

static inline bool first_child(Dwarf_Die *parent, Dwarf_Die *child) { return dwarf_child(parent, child) == 0; }

static inline bool next_child(Dwarf_Die *child) { return dwarf_siblingof(child, child) == 0; }

static inline bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *value)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, name, &attribute) && dwarf_formudata(&attribute, value) == 0;
}

static inline unsigned line_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Word value;
    return number_of(die, name, &value) ? (unsigned)value : 0;
}

static inline const char *name_of(Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    return name ? name : "?";
}

/* Without typedef and const. */
static inline bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die named;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, &named) &&
           dwarf_peel_type(&named, type) == 0;
}

static inline bool is_struct(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

#endif
