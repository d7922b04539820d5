/* Options that the host's compiler does not know.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_UNKNOWN_H
#define HIP_CPU_TRANSLATE_UNKNOWN_H

#include "../compiler/command.h"

/* Such an option is clang's, of a newer nvcc, or a mistake: takes it out of both lists, and says so in a line unless it is a
 * warning. `compiler` is asked about `options`. */
void drop_unknown(const char *as, const struct words *compiler, struct words *options, struct words *all);

#endif
