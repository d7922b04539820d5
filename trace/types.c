/* What lies at an offset of a variable: "[2][5].x", from the debugging information of the program, as readelf prints it.
 *
 * readelf is part of binutils, as addr2line is. It is asked once, and only by reports of races. */
#include "types.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_internal.h"

enum tag { OTHER, VARIABLE, FUNCTION, PARAMETER, ARRAY, RANGE, STRUCT, UNION, MEMBER, POINTER };

/* An entry of the debugging information. */
struct entry {
    unsigned long offset; /* its number */
    enum tag tag;
    unsigned depth;
    unsigned long type, origin; /* numbers of entries; 0: none */
    size_t bytes, count;        /* of a type; elements of a range */
    uintptr_t place;            /* of a variable or function, of a member in its struct */
    bool placed, local_to_thread;
    char *name; /* of a member */
};

static struct entry *entries;
static size_t entries_count, entries_room;

static enum tag tag_of(const char *line)
{
    static const struct {
        const char *text;
        enum tag tag;
    } tags[] = {{"DW_TAG_variable)", VARIABLE},
                {"DW_TAG_subprogram)", FUNCTION},
                {"DW_TAG_formal_parameter)", PARAMETER},
                {"DW_TAG_array_type)", ARRAY},
                {"DW_TAG_subrange_type)", RANGE},
                {"DW_TAG_structure_type)", STRUCT},
                {"DW_TAG_class_type)", STRUCT},
                {"DW_TAG_union_type)", UNION},
                {"DW_TAG_member)", MEMBER},
                {"DW_TAG_pointer_type)", POINTER}};

    const char *at = strstr(line, "(DW_TAG_");
    for (size_t i = 0; at && i < sizeof tags / sizeof *tags; i++)
        if (strncmp(at + 1, tags[i].text, strlen(tags[i].text)) == 0)
            return tags[i].tag;
    return OTHER;
}

/* "    <6be3>   DW_AT_type        : <0x6d24>" */
static void take_attribute(struct entry *e, char *line)
{
    char *name = strstr(line, "DW_AT_"), *value = strstr(line, ": "), *at;

    if (!name || !value || value < name)
        return;
    name += 6;
    value += 2;
    unsigned long number = strtoul(value + (*value == '<'), NULL, 0);
    if (strncmp(name, "type ", 5) == 0)
        e->type = number;
    else if (strncmp(name, "abstract_origin ", 16) == 0 || strncmp(name, "specification", 13) == 0)
        e->origin = number;
    else if (strncmp(name, "byte_size ", 10) == 0)
        e->bytes = number;
    else if (strncmp(name, "upper_bound ", 12) == 0)
        e->count = number + 1;
    else if (strncmp(name, "count ", 6) == 0)
        e->count = number;
    else if (strncmp(name, "data_member_location", 20) == 0)
        e->place = number;
    else if (strncmp(name, "low_pc ", 7) == 0)
        e->place = number, e->placed = true;
    else if (strncmp(name, "location ", 9) == 0 && (at = strstr(value, "DW_OP_addr: ")))
        e->place = strtoul(at + 12, NULL, 16), e->placed = true;
    else if (strncmp(name, "location ", 9) == 0 && strstr(value, "tls_address") &&
             (at = strstr(value, "DW_OP_const")) && (at = strchr(at, ':')))
        e->place = strtoul(at + 1, NULL, 0), e->placed = e->local_to_thread = true;
    else if (strncmp(name, "name ", 5) == 0 && e->tag == MEMBER) {
        while ((at = strstr(value, "): "))) /* (indirect string, offset: 0x88e5): tile */
            value = at + 3;
        value[strcspn(value, " \n")] = '\0';
        e->name = strdup(value);
    }
}

static void read_entries(void)
{
    char program[PATH_MAX], command[PATH_MAX + 80], line[1024];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    if (length <= 0 || strchr((program[length] = '\0', program), '\''))
        return;
    snprintf(command, sizeof command, "readelf --debug-dump=info '%s' 2>/dev/null", program);
    FILE *answer = popen(command, "r");
    while (answer && fgets(line, sizeof line, answer)) {
        unsigned depth;
        unsigned long offset;
        if (sscanf(line, " <%u><%lx>: Abbrev Number:", &depth, &offset) == 2) {
            if (entries_count == entries_room) {
                entries_room = entries_room ? 2 * entries_room : 4096;
                entries = trace_check_alloc(realloc(entries, entries_room * sizeof *entries));
            }
            entries[entries_count++] =
                (struct entry){.offset = offset, .tag = tag_of(line), .depth = depth};
        } else if (entries_count > 0) {
            take_attribute(&entries[entries_count - 1], line);
        }
    }
    if (answer)
        pclose(answer);
}

/* The entry with this number: they are in its order. */
static const struct entry *entry_at(unsigned long offset)
{
    size_t low = 0, high = entries_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return offset && low < entries_count && entries[low].offset == offset ? &entries[low] : NULL;
}

/* Its type, without typedef and const; NULL: not known. */
static const struct entry *type_of(const struct entry *e)
{
    while (e && e->type == 0 && e->origin)
        e = entry_at(e->origin);
    const struct entry *type = e ? entry_at(e->type) : NULL;
    while (type && type->tag == OTHER && type->bytes == 0 && type->type)
        type = entry_at(type->type);
    return type;
}

/* The next child of an entry after `child`, the first one after NULL; NULL: no more. */
static const struct entry *next_child(const struct entry *parent, const struct entry *child)
{
    const struct entry *end = entries + entries_count;
    for (const struct entry *e = (child ? child : parent) + 1; e < end && e->depth > parent->depth;
         e++)
        if (e->depth == parent->depth + 1)
            return e;
    return NULL;
}

static size_t bytes_of(const struct entry *type)
{
    size_t bytes = type ? type->bytes : 0;

    if (type && type->tag == ARRAY) {
        bytes = bytes_of(type_of(type));
        for (const struct entry *c = NULL; (c = next_child(type, c));)
            if (c->tag == RANGE)
                bytes *= c->count;
    }
    return bytes;
}

static const struct entry *member_at(const struct entry *type, size_t offset)
{
    for (const struct entry *c = NULL; (c = next_child(type, c));)
        if (c->tag == MEMBER && c->name && offset - c->place < bytes_of(type_of(c)))
            return c;
    return NULL;
}

static void append(char *text, size_t size, const char *format, size_t number, const char *word)
{
    size_t used = strlen(text);
    if (word)
        snprintf(text + used, size - used, format, word);
    else
        snprintf(text + used, size - used, format, number);
}

/* What of the type the access of `bytes` bytes at this offset touches. */
static void describe(const struct entry *type, size_t offset, size_t bytes, char *text, size_t size)
{
    const struct entry *member;

    while (type) {
        if (type->tag == ARRAY) {
            size_t rest = bytes_of(type), element = bytes_of(type_of(type));
            for (const struct entry *c = NULL; element && (c = next_child(type, c));) {
                if (c->tag != RANGE || c->count == 0)
                    continue;
                rest /= c->count;
                append(text, size, "[%zu]", offset / rest, NULL);
                offset %= rest;
            }
        } else if (type->tag == STRUCT && bytes < type->bytes &&
                   (member = member_at(type, offset))) {
            append(text, size, ".%s", 0, member->name);
            offset -= member->place;
            type = member;
        } else {
            break;
        }
        type = type_of(type);
    }
    if (offset > 0)
        append(text, size, ", byte %zu", offset, NULL);
}

static const struct entry *placed_at(enum tag tag, uintptr_t place, bool local_to_thread)
{
    static bool asked;

    if (!asked)
        read_entries();
    asked = true;
    for (size_t i = 0; i < entries_count; i++)
        if (entries[i].tag == tag && entries[i].placed && entries[i].place == place &&
            entries[i].local_to_thread == local_to_thread)
            return &entries[i];
    return NULL;
}

bool types_of_variable(uintptr_t place, bool local_to_thread, size_t offset, size_t bytes,
                       char *text, size_t size)
{
    const struct entry *type = type_of(placed_at(VARIABLE, place, local_to_thread));

    text[0] = '\0';
    describe(type, offset, bytes, text, size);
    return type != NULL;
}

/* The array at the end of a struct that may have any length, as `slots` in struct { int n; int slots[]; }; or NULL. */
static const struct entry *open_array(const struct entry *type)
{
    const struct entry *last = NULL;

    for (const struct entry *c = NULL; type && type->tag == STRUCT && (c = next_child(type, c));)
        last = c->tag == MEMBER && c->name ? c : last;
    const struct entry *array = type_of(last);
    return array && array->tag == ARRAY && bytes_of(array) == 0 ? last : NULL;
}

bool types_of_argument(uintptr_t function, unsigned index, size_t offset, size_t bytes, char *text,
                       size_t size)
{
    const struct entry *e = placed_at(FUNCTION, function, false), *type = NULL;

    text[0] = '\0';
    for (const struct entry *c = NULL; e && (c = next_child(e, c));)
        if (c->tag == PARAMETER && index-- == 0)
            type = type_of(c);
    size_t element = type && type->tag == POINTER ? bytes_of(type_of(type)) : 0;
    if (element == 0)
        return false;
    const struct entry *open = open_array(type_of(type));
    size_t open_bytes = open ? bytes_of(type_of(type_of(open))) : 0;
    if (open_bytes > 0 && open->name && offset >= open->place) {
        offset -= open->place;
        append(text, size, "->%s", 0, open->name);
        append(text, size, "[%zu]", offset / open_bytes, NULL);
        describe(type_of(type_of(open)), offset % open_bytes, bytes, text, size);
        return true;
    }
    append(text, size, "[%zu]", offset / element, NULL);
    describe(type_of(type), offset % element, bytes, text, size);
    return true;
}
