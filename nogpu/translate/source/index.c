/* Where words stand in a text, and which braces are open: found once, when somebody first asks, so that looking up many words
 * does not read the text for each of them.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "index.h"
#include "source.h"
#include "text.h"

uint32_t hash_of(const char *word, size_t length)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static bool is_defined(const struct source *s, size_t at)
{
    size_t before = s->directive[at] ? skip_blanks_back(s, at) : at;
    return before < at && is_text(s, word_begin(s, before), before, "define");
}

/* Counts them first (place is NULL), then puts them at their places. */
static void visit_words(const struct source *s, struct places *w)
{
    for (size_t at = 0, end; at < s->length; at = end + 1) {
        end = word_end(s, at);
        if (end == at || (w == &s->index->defined && !is_defined(s, at)))
            continue;
        size_t number = hash_of(s->code + at, end - at) & (w->numbers - 1);
        if (w->place)
            w->place[w->first[number]++] = at;
        else
            w->first[number + 1]++;
    }
}

static void find_words(const struct source *s, struct places *w)
{
    for (w->numbers = 256; w->numbers < s->length / 4;)
        w->numbers *= 2;
    w->first = must(calloc(w->numbers + 1, sizeof *w->first));
    visit_words(s, w);
    for (size_t i = 0; i < w->numbers; i++)
        w->first[i + 1] += w->first[i];
    w->place = must(malloc((w->first[w->numbers] + 1) * sizeof *w->place));
    visit_words(s, w);
    memmove(w->first + 1, w->first, w->numbers * sizeof *w->first);
    w->first[0] = 0;
}

/* In order: the first from `begin` on. */
static size_t first_from(const struct places *w, size_t number, size_t begin)
{
    size_t low = w->first[number], high = w->first[number + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->place[middle] < begin)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t find(const struct source *s, struct places *w, size_t begin, size_t end, const char *word, size_t length)
{
    if (!w->place)
        find_words(s, w);
    size_t number = hash_of(word, length) & (w->numbers - 1);
    for (size_t i = first_from(w, number, begin); i < w->first[number + 1] && w->place[i] + length <= end; i++)
        if (memcmp(s->code + w->place[i], word, length) == 0 && word_end(s, w->place[i]) == w->place[i] + length)
            return w->place[i];
    return NOWHERE;
}

size_t find_word(const struct source *s, size_t begin, size_t end, const char *word)
{
    return find(s, &s->index->words, begin, end, word, strlen(word));
}

bool has_word(const struct source *s, size_t begin, size_t end, const char *word)
{
    return find_word(s, begin, end, word) != NOWHERE;
}

size_t find_definition(const struct source *s, size_t at, const char *name, size_t length)
{
    at = find(s, &s->index->defined, at, s->length, name, length);
    return at == NOWHERE ? at : at + length;
}

size_t open_brace(const struct source *s, size_t at)
{
    struct source_index *index = s->index;
    size_t now = NOWHERE;

    if (index->open)
        return index->open[at];
    index->open = must(malloc((s->length + 1) * sizeof *index->open));
    for (size_t i = 0; i <= s->length; i++) {
        index->open[i] = now;
        if (i < s->length && !s->directive[i] && s->code[i] == '{')
            now = i;
        else if (i < s->length && !s->directive[i] && s->code[i] == '}' && now != NOWHERE)
            now = index->open[now];
    }
    return index->open[at];
}
