/* Whether this build adds and compares as IEEE 754 and the source say.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_ARITHMETIC_H
#define REDUCTION_ARITHMETIC_H

/* Adds and compares a few numbers in a kernel and on the host, once in a process, on the device that is set. Ends
 * the program with one line and EXIT_DEVICE where subnormal numbers become 0, the compiler has changed the order
 * of additions, or NaN equals itself: references and verdicts would be wrong. types.h refuses the flags that have
 * a macro; nvcc's --use_fast_math, clang's -funsafe-math-optimizations and flags of the linker have none. */
void arithmetic_check(void);

#endif
