/* What shuffles.hip has beside the operations of all other variants: and, or, xor of integers.
 * SPDX-License-Identifier: MIT */
#define HAS_BITWISE
