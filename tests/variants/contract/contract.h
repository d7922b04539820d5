/* Every variant once more, for test_contract.c: with an operation whose result is the longest chain of
 * additions, and the sum of whole numbers. instances.hip is compiled for each variant and puts it into a
 * list.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_CONTRACT_H
#define TESTS_CONTRACT_H

#include "reduction.h"

struct contract {
    struct variant variant;                             /* without its entries, which are: */
    struct variant_entry longest_float, longest_double; /* see longest.h */
    struct variant_entry longest_half; /* plan is NULL for variants without elements of two bytes */
    struct variant_entry sum_long;
    struct contract *next;
};

#ifdef __cplusplus
extern "C"
#endif
    void
    contract_add(struct contract *c);

#endif
