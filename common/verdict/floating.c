/* SPDX-License-Identifier: MIT */
#include "floating.h"

const struct floating *floating_of(int op)
{
#define TABLE(x, number, name, ...) &floating_##name,
    static const struct floating *const tables[] = {COMMON_OPERATIONS(TABLE, )};
    return tables[op];
}
