/* Every variant again, for test_contract.c: with an operation whose result is the longest chain of additions, and the sum of
 * whole numbers. instances.hip is compiled for each variant and adds it to a list.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_CONTRACT_H
#define TESTS_CONTRACT_H

#include "reduction.h"

struct contract {
    struct variant variant;                             /* its entries are replaced by these: */
    struct variant_entry longest_float, longest_double; /* see longest.h */
    struct variant_entry longest_half;                  /* plan is NULL for variants without two-byte elements */
    struct variant_entry sum_long;
    struct contract *next;
};

#ifdef __cplusplus
extern "C"
#endif
    void
    contract_add(struct contract *c);

#endif
