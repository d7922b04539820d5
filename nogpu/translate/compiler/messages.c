/* What a compiler says, in the words of the author's source.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../../include/hip_cpu/refused.h"
#include "../files/files.h"
#include "messages.h"

static const char *const first_include = "In file included from ";
static const char *const next_include = "                 from ";

static size_t line_length(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length + (line[length] != '\0');
}

/* Where `text` is in this line; NULL: not there. */
static const char *in_line(const char *line, const char *text)
{
    const char *at = strstr(line, text);
    return at && at < line + line_length(line) ? at : NULL;
}

static bool is_ours(const char *line)
{
    const char *folder = own_header(line), *colon = strchr(line, ':');
    return folder && colon && folder < colon && folder < line + line_length(line);
}

/* The author's #include that leads to the header of ours in this line: of the lines before it that tell how compilers came
 * there, GCC's name the innermost first ("                 from x.cu:3,"), clang's last. NULL: none. */
static const char *includer(const char *said, const char *line)
{
    const char *found = NULL;

    for (; said < line; said += line_length(said)) {
        bool begins = strncmp(said, first_include, strlen(first_include)) == 0;
        bool goes_on = strncmp(said, next_include, strlen(next_include)) == 0;
        const char *name = said + strlen(first_include);
        if (!begins && !goes_on)
            found = NULL;
        else if (!is_ours(name) && (begins || !found))
            found = name;
    }
    return found;
}

/* The end of "file:line:column: " of an error; of the author's line where a macro or a header of ours stands for it. */
static const char *place_end(const char *said, const char **line, const char *end)
{
    for (const char *next = *line + line_length(*line); *next && !in_line(next, "error: "); next += line_length(next)) {
        const char *note = in_line(next, "note: in expansion of macro");
        if (note) {
            *line = next;
            return note;
        }
    }
    const char *from = is_ours(*line) ? includer(said, *line) : NULL;
    if (from) {
        *line = from;
        return from + strcspn(from, ",\n");
    }
    return end;
}

static const char *const mark = HIP_CPU_HAS_NO;

/* The line names a function of a GPU's compiler that nobody has declared; NULL: none. Valid until the next call. */
static const char *instruction(const char *error)
{
    static const struct {
        const char *begin, *what, *instead;
    } rows[] = {
#define REFUSED_FUNCTION(begin, what, instead) {begin, what, instead},
        HIP_CPU_REFUSED_FUNCTIONS(REFUSED_FUNCTION)};
    static char what[200];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = in_line(error, rows[i].begin);
        if (name && (in_line(error, "not declared") || in_line(error, "undeclared"))) {
            snprintf(what, sizeof what, "%s%s %.*s: %s", mark, rows[i].what, (int)strcspn(name, "(\n\"' \xe2"), name,
                     rows[i].instead);
            return what;
        }
    }
    return NULL;
}

/* What this line, and the author's below it, say that the platform has not; NULL: nothing. */
static const char *missing(const char *line)
{
    static const struct {
        const char *first, *second, *instead;
    } rows[] = {
#define REFUSED_ERROR(first, second, instead) {first, second, instead},
        HIP_CPU_REFUSED_ERRORS(REFUSED_ERROR)};
    const char *error = in_line(line, "error: "), *what = in_line(line, mark);

    if (what && error && error < what)
        return what;
    if (error && instruction(error))
        return instruction(error);
    if (error && in_line(error, ": a launch is <<<"))
        return in_line(error, "kernel ");
    for (size_t i = 0; error && i < sizeof rows / sizeof *rows; i++)
        if (in_line(error, rows[i].first) &&
            (in_line(error, rows[i].second) || in_line(line + line_length(line), rows[i].second)))
            return rows[i].instead;
    return NULL;
}

/* How a compiler came to a header that is read before the source: "In file included from", and lines below it. Behind
 * them; `said` itself: it came otherwise. */
static const char *behind_own_includes(const char *said)
{
    const char *line = said, *last = said;

    if (strncmp(line, first_include, strlen(first_include)) != 0)
        return said;
    do {
        last = line;
        line += line_length(line);
    } while (strncmp(line, next_include, strlen(next_include)) == 0);
    return in_line(last, "<command-line>") ? line : said;
}

void messages_show(const char *said)
{
    while (*said) {
        said = behind_own_includes(said);
        fwrite(said, 1, line_length(said), stderr);
        said += line_length(said);
    }
}

/* A result of HIP's that nobody looks at. */
static bool is_unchecked(const char *line)
{
    return in_line(line, "warning: ") && in_line(line, "nodiscard") &&
           (in_line(line, "hipError_t") || in_line(line, "-Wunused-result"));
}

/* What belongs to the message below it. */
static bool is_before(const char *line)
{
    return strncmp(line, first_include, strlen(first_include)) == 0 ||
           strncmp(line, next_include, strlen(next_include)) == 0 || in_line(line, ": In ");
}

void messages_count_unchecked(const char *said)
{
    const char *first = NULL, *before = said;
    unsigned count = 0;
    bool dropped = false;

    for (const char *line = said; *line; line += line_length(line)) {
        if (is_before(line))
            continue;
        if (is_unchecked(line)) {
            first = count++ == 0 ? line : first;
            dropped = true;
        } else if (in_line(line, ": warning: ") || in_line(line, ": error: ")) {
            dropped = false;
        }
        if (!dropped)
            fwrite(before, 1, (size_t)(line + line_length(line) - before), stderr);
        before = line + line_length(line);
    }
    if (count > 0)
        fprintf(stderr, "%.*s: note: %u call%s here return%s an error that nothing looks at\n",
                (int)(in_line(first, ": warning: ") - first), first, count, count > 1 ? "s" : "", count > 1 ? "" : "s");
}

bool messages_missing(const char *said)
{
    struct text shown = {0};

    for (const char *line = said; *line; line += line_length(line)) {
        const char *what = missing(line), *place = line;
        if (!what)
            continue;
        size_t length = strcspn(what, "\"\n"); /* of #error "..." */
        bool known = false;
        for (size_t at = 0; at + length <= shown.length && !known; at++)
            known = memcmp(shown.data + at, what, length) == 0;
        if (known)
            continue;
        text_add(&shown, what, length);
        const char *behind = place_end(said, &place, in_line(line, "error: "));
        while (behind[-1] == ' ' || behind[-1] == ':')
            behind--;
        fprintf(stderr, "%.*s: error: %.*s\n", (int)(behind - place), place, (int)length, what);
    }
    bool found = shown.length > 0;
    text_free(&shown);
    return found;
}
