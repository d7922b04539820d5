/* What an exercise computes: a reduction, or something built from reductions.
 *
 *   argmax      where the largest element is (--op min: the smallest), the first of equal ones; -1: there is none
 *   rows        of a matrix: each row's reduction, and that of all of them
 *   histogram   how many elements are in each bin, and in the fullest one
 *   softmax     of the rows of a matrix: exp(x - largest) / sum of these; and the sum of 1 / sum over all rows
 *
 * finish() returns one value. The others, the outputs, are at the address of device_result().
 * SPDX-License-Identifier: MIT */
#ifndef TASK_H
#define TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"
#include "values/scalar.h"

enum task { REDUCE, ARGMAX, ROWS, HISTOGRAM, SOFTMAX, TASKS };
extern enum task task;

#define BINS 64

bool task_choose(const char *name);
/* Elements of a row for this trial; 0: the task has no rows. */
size_t task_columns(const struct trial *s);
size_t task_rows(const struct trial *s);

/* What finish() must return for these elements; and all task_outputs() outputs. */
struct scalar task_expected(const struct trial *s, const char *values);
size_t task_outputs(const struct trial *s);
void task_output(const struct trial *s, const char *values, char *outputs);

/* Whether a result is as expected: exp() and sums of its values round. */
bool same(struct scalar a, struct scalar b);

/* argmax: whether the element at this place equals the best one. */
bool task_ties(const struct trial *s, const char *values, struct scalar place);
/* Whether an element shows in an output, and need not in the result. */
bool task_shows_in_output(void);
/* Whether elements add up: if all but one are 0, the result shows how often that one counts. */
bool task_adds(void);
/* How many values the host may read besides two per block; and the words of a value. */
size_t task_for_host(const struct trial *s, uint64_t grid);
unsigned task_words(void);
/* How often each element is read. */
unsigned task_reads(void);
/* What an output is called. */
const char *task_item(void);

#endif
