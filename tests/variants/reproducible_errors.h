/* Relative errors of sums of doubles: condition number, plain sum in order, tree, binned with two and three folds. Rows of
 * a table in test_reproducible.c, which also prints them, and of the one in reduction_reproducible/README.md.
 * SPDX-License-Identifier: MIT */
"| 5e+03 | 2e-13 | 6e-15 | 1e-11 | 0 |", "| 3e+06 | 6e-11 | 6e-12 | 6e-09 | 0 |",
    "| 1e+09 | 3e-08 | 4e-09 | 3e-06 | 0 |", "| 7e+11 | 1e-05 | 8e-07 | 2e-03 | 0 |",
    "| 4e+14 | 7e-03 | 3e-04 | 8e-01 | 0 |", "| 2e+17 | 4e+00 | 3e-01 | 4e+02 | 0 |",
    "| 1e+20 | 1e+03 | 1e+00 | 2e+05 | 0 |",
