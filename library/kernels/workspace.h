/* Device memory of one launch over a whole array: all zero before it, and again after it.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_WORKSPACE_H
#define LIBRARY_WORKSPACE_H

struct states_workspace {
    unsigned ticket;
    word_t padding[15]; /* all blocks update the ticket: give it its own cache line */
    word_t slots[];
};

#endif
