/* SPDX-License-Identifier: MIT */
#include "pattern.h"

const char *pattern_name(int kind)
{
    static const char *const names[PATTERN_COUNT] = {"random", "ones",  "constant",
                                                     "ramp",   "mixed", "onehot"};
    return names[kind];
}

struct pattern pattern_for(const struct pattern *p, int op, size_t n)
{
    struct pattern result = *p;
    if (result.hot == PATTERN_HOT_LAST && n > 0)
        result.hot = n - 1;
    result.hot_value = op == OP_MIN ? -1 : op != OP_AND;
    result.cold_value = -(op == OP_AND);
    return result;
}
