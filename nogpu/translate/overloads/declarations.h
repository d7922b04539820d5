/* Functions as they are declared: their names, parameters and scopes.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_DECLARATIONS_H
#define HIP_CPU_TRANSLATE_DECLARATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "../source/source.h"

enum side { HOST = 1, DEVICE = 2, KERNEL = 4 };

/* One declaration of a function: [begin, name) type, [name, name_end), [list, list_end) in parentheses, `stop` its { or ; */
struct function {
    size_t begin, name, name_end, list, list_end, stop, scope;
    unsigned side;
    bool is_constexpr;
    const struct function *pair;
};

/* One of a list: [begin, end), its name, which is NOWHERE for int *; where its default begins (= or end). */
struct parameter {
    size_t begin, end, name, name_end, value;
    bool pack;
};

/* From behind the ; { } or directive before it. */
size_t declaration_begin(const struct source *s, size_t at);
/* The function whose list of parameters opens at `list`; false: that is none. */
bool read_function(const struct source *s, size_t list, struct function *f);
/* The next parameter from `at` on, up to `close`; false: there is none. */
bool next_parameter(const struct source *s, size_t at, size_t close, struct parameter *p);
/* What a scope is called: "namespace a", "struct Utils". */
bool is_same_scope(const struct source *s, size_t a, size_t b);
/* One for the host and one for the device, of one name and type. */
bool is_pair(const struct source *s, const struct function *a, const struct function *b);

#endif
