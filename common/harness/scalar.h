/* One value of any element type, and the names and sizes of types and operations. */
#ifndef REDUCTION_SCALAR_H
#define REDUCTION_SCALAR_H

#include <stddef.h>
#include <stdint.h>

#include "types.h"

struct scalar {
    int type; /* TYPE_* */
    union {
        float f;
        double d;
        int32_t i;
        int64_t l;
    } as;
};

/* Bytes of one element: 4 or 8. */
size_t type_size(int type);
/* "float", "double", "int", "long"; "sum", "min", "max". */
const char *type_name(int type);
const char *op_name(int op);
/* The number for a name, or -1 when there is no such name. */
int type_from_name(const char *name);
int op_from_name(const char *name);

#endif
