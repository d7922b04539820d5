/* What the kernels of the exercise did in a few trials, counted access by access.
 * SPDX-License-Identifier: MIT */
#ifndef SEEN_H
#define SEEN_H

#include "../checker.h"

/* In one trial. */
struct seen {
    struct trial trial;
    struct work w;
    struct observed o;
    struct scalar got, expected;
    uint64_t grid, block, size;
    bool window;               /* one block of very many ran */
    bool draws, uneven;        /* blocks draw their elements; and the first one takes most */
    uint64_t blocks, elements; /* that ran; that were read, or should be */
};

#define SEEN_MOST 26 /* trials */

/* All of them, in seen[SEEN_MOST]. False: the exercise failed in one, as `found` says. */
bool seen_in_trials(struct seen *seen);
/* One block of very many, with the type and operation of seen->trial. */
bool seen_in_window(struct seen *seen);

#endif
