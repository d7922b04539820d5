/* What was found out about a word of the author's is not found out again.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../source/index.h"
#include "../source/text.h"
#include "loops.h"

struct answer {
    question *asked;
    unsigned depth;
    bool yes;
    char *word;
};
/* Sparse: at most half of them are used. */
struct answers {
    size_t count, capacity; /* a power of two */
    struct answer *answer;
};

/* Where the answer is, or belongs. */
static struct answer *find(const struct answers *a, question *asked, const char *word, unsigned depth)
{
    for (size_t at = hash_of(word, strlen(word)) + depth + (uintptr_t)asked;; at++) {
        struct answer *i = &a->answer[at & (a->capacity - 1)];
        if (!i->word || (i->asked == asked && i->depth == depth && strcmp(i->word, word) == 0))
            return i;
    }
}

static void grow(struct answers *a)
{
    struct answers more = {.capacity = a->capacity > 0 ? a->capacity * 2 : 1024};

    more.answer = must(calloc(more.capacity, sizeof *more.answer));
    for (size_t i = 0; i < a->capacity; i++)
        if (a->answer[i].word)
            *find(&more, a->answer[i].asked, a->answer[i].word, a->answer[i].depth) = a->answer[i];
    more.count = a->count;
    free(a->answer);
    *a = more;
}

bool ask(const struct sources *all, question *asked, const char *word, unsigned depth)
{
    struct answers *a = all->answers;

    if (2 * (a->count + 1) > a->capacity)
        grow(a);
    struct answer *found = find(a, asked, word, depth);
    if (found->word)
        return found->yes;
    bool yes = asked(all, word, depth); /* which may ask for more */
    if (2 * (a->count + 1) > a->capacity)
        grow(a);
    *find(a, asked, word, depth) = (struct answer){asked, depth, yes, must(strdup(word))};
    a->count++;
    return yes;
}

struct answers *answers_new(void) { return must(calloc(1, sizeof(struct answers))); }

void answers_free(struct answers *a)
{
    for (size_t i = 0; i < a->capacity; i++)
        free(a->answer[i].word);
    free(a->answer);
    free(a);
}
