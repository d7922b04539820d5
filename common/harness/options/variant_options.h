/* The options that a variant brings: VARIANT_OPTIONS_MAX at most, described in reduction.h.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_VARIANT_OPTIONS_H
#define REDUCTION_VARIANT_OPTIONS_H

#include "parse.h"

size_t variant_options_count(const struct variant *v);
bool variant_option_is_flag(const struct variant_option *option);
/* Sets option number index; text NULL: a flag. */
bool variant_option_parse(struct parse *p, int index, const char *text);
/* Their section of --help. */
void variant_options_help(FILE *out, const struct variant *v);

#endif
