/* What lies at an offset of a variable, or of what an argument of a kernel points to. */
#ifndef HIP_CPU_TRACE_TYPES_H
#define HIP_CPU_TRACE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes "[2][5].x" for an access of `bytes` bytes, or "" if the variable is not taken apart. place: as the symbol has
 * it, without where the program is loaded. False: the type is not known. */
bool types_of_variable(uintptr_t place, bool local_to_thread, size_t offset, size_t bytes,
                       char *text, size_t size);
/* The same for parameter `index` of the function at this place, a pointer. */
bool types_of_argument(uintptr_t function, unsigned index, size_t offset, size_t bytes, char *text,
                       size_t size);

#endif
