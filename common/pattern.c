/* SPDX-License-Identifier: MIT */
#include "pattern.h"

const char *pattern_name(int kind)
{
    static const char *const names[PATTERN_COUNT] = {"random", "ones", "constant", "ramp", "mixed", "onehot"};
    return names[kind];
}

struct pattern pattern_for(const struct pattern *p, int op, size_t n)
{
    struct pattern result = *p;
    if (result.hot == PATTERN_HOT_LAST && n > 0)
        result.hot = n - 1;
    switch (op) {
#define HOT(x, number, name, combined, identity, hot_element, cold_element, ...)                                       \
    case number:                                                                                                       \
        result.hot_value = hot_element;                                                                                \
        result.cold_value = cold_element;                                                                              \
        break;
        OPERATIONS(HOT, )
    }
    return result;
}
