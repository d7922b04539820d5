/* Each rule with its words, the usual one first. rules.c says how much each word allows.
 *
 *   spread   even: threads, warps and blocks share the elements, and no single thread combines the values of a block;
 *            pairs: nor those of a warp; loads: they share the elements
 *   flight   how many loads of the input a thread has in flight at once, for most of its loads
 *   shared   clean: no bank conflicts, and not many more passes than a tree needs
 *   sectors  least: no more sectors of global memory than the elements fill
 *   barrier  one: all threads of a block reach a barrier by the same call;
 *            few: also, the last warp needs no barrier, and all of its lanes reach what makes them wait for each other
 *   tree     where threads combine their values: any, shared (or registers), global; lanes: in registers, and in shared
 *            memory only those of the warps
 *   order    fences: fences order what one block hands to another, even if it is atomic
 *   memory   constant: no allocation is kept, the input is only read, the host gets only the partials;
 *            own: also, nothing is kept outside of the workspace
 *   events   launch: launch() starts all kernels; once: also, there is one, and the host gets one value
 * SPDX-License-Identifier: MIT */
#include "rules_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"

static const struct {
    const char *name, *words[4];
} table[RULES] = {
    [SPREAD] = {"spread", {"even", "pairs", "loads"}},
    [FLIGHT] = {"flight", {"1", "2", "4"}},
    [SHARED] = {"shared", {"any", "clean"}},
    [SECTORS] = {"sectors", {"any", "least"}},
    [BARRIER] = {"barrier", {"one", "few"}},
    [TREE] = {"tree", {"any", "shared", "global", "lanes"}},
    [ORDER] = {"order", {"any", "fences"}},
    [MEMORY] = {"memory", {"constant", "own"}},
    [EVENTS] = {"events", {"launch", "once"}},
};
static unsigned chosen[RULES];

bool rules_say(enum rule r, const char *word) { return strcmp(table[r].words[chosen[r]], word) == 0; }

int rules_number(enum rule r) { return atoi(table[r].words[chosen[r]]); }

static bool choose(const char *text, size_t length)
{
    size_t name = strcspn(text, "=");

    for (unsigned r = 0; r < RULES && name < length; r++)
        for (unsigned w = 0; w < 4 && table[r].words[w] != NULL; w++)
            if (strlen(table[r].name) == name && strncmp(text, table[r].name, name) == 0 &&
                strlen(table[r].words[w]) == length - name - 1 &&
                strncmp(text + name + 1, table[r].words[w], length - name - 1) == 0) {
                chosen[r] = w;
                return true;
            }
    return false;
}

void rules_read(const char *text)
{
    for (size_t length; *text != '\0'; text += length + strspn(text + length, " ")) {
        length = strcspn(text, " ");
        if (!choose(text, length)) {
            fprintf(stderr, "exercise.txt: rules: %.*s has no meaning; rules_table.c has those that do\n", (int)length,
                    text);
            exit(EXIT_USAGE);
        }
    }
}
