/* Reads the programs' --format csv output.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <check.h>
#include <string.h>

#include "harness/report/csv.h"

/* The rows after the line of names; releases those of the previous call. Changes the text. */
static inline size_t rows_read(char *text, struct csv_row *rows, size_t most)
{
    char *rest, *names = strtok_r(text, "\n", &rest);
    size_t count = 0;

    for (size_t i = 0; i < most; i++)
        csv_row_free(&rows[i]);
    ck_assert_msg(names != NULL && strncmp(names, "program,", 8) == 0, "no CSV");
    for (char *line; (line = strtok_r(NULL, "\n", &rest)) != NULL; count++) {
        ck_assert_uint_lt(count, most);
        ck_assert_msg(csv_row_read(&rows[count], names, line), "another number of columns: %s", line);
    }
    return count;
}

#endif
