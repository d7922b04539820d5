/* What hipcc and nvcc were called with.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_REQUEST_H
#define HIP_CPU_TRANSLATE_REQUEST_H

#include <stdbool.h>

#include "../compiler/command.h"
#include "target.h"

struct request {
    const char *as;
    struct words compiler, linker; /* of the file of words */
    struct words all;              /* options and files as the host's compiler takes them, in their order */
    struct words options;          /* of them, those that matter for a source, but for -x */
    bool language_given, traced;
    struct target target;
    bool compiles, links; /* has files; no -c, -E ... */
    bool library;         /* -shared: the program that loads it has the runtime */
    bool archive;         /* --emit-static-lib */
    bool device_link;     /* nvcc -dlink: nothing is left to do */
    bool refused;
    const char *folder; /* -odir: of objects without a name */
};
/* Takes one argument, and its value in the next one; how many these are. */
int request_take(struct request *r, char **argument);
/* -DHIP_CPU_WARP_SIZE=, or how the program will run. NULL: neither says it. */
const char *request_warp_size(const struct request *r);

#endif
