/* The options of hipcc and nvcc.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_OPTIONS_H
#define HIP_CPU_TRANSLATE_OPTIONS_H

#include <stdbool.h>

/* Says nothing to a CPU; its value may be the next argument. */
bool option_is_ignored(const char *option);
bool option_is_ignored_with_next(const char *option);
/* What to do instead; NULL: it is none that the platform refuses. */
const char *option_refused(const char *option);
/* A traced build is made for its own optimizations. */
bool option_is_untraceable(const char *option);
/* Compiling a source does not need it. */
bool option_only_links(const char *option);
/* The name that the host's compiler has for it. */
const char *option_renamed(const char *option);
/* -std= with this value: at least C++17, which the headers of kernels need. Valid until the next call. */
const char *option_standard(const char *value);

#endif
