/* Reads records: each begins with a mark and a name.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

void *report_check(void *memory)
{
    if (!memory) {
        fprintf(stderr, "nogpu: no memory for the report\n");
        exit(3);
    }
    return memory;
}

void report_usage(const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "nogpu: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    exit(2);
}

char *report_file(const char *name)
{
    FILE *file = fopen(name, "r");
    size_t bytes = 0, room = 1 << 16;
    char *text = file ? report_check(malloc(room)) : NULL;

    if (!file)
        return NULL;
    for (size_t got; (got = fread(text + bytes, 1, room - bytes - 1, file)) > 0;) {
        bytes += got;
        if (bytes + 1 == room)
            text = report_check(realloc(text, room *= 2));
    }
    fclose(file);
    text[bytes] = '\0';
    return text;
}

/* The next line of the text, which loses its end; NULL: no more. */
static char *next_line(char **text)
{
    char *line = *text, *end = line ? strchr(line, '\n') : NULL;

    if (!line || *line == '\0')
        return NULL;
    *text = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

/* "name TAB value": the value, and the name alone in the line. */
static char *value_of(char *line)
{
    char *tab = strchr(line, '\t');

    if (!tab)
        return line + strlen(line);
    *tab = '\0';
    return tab + 1;
}

static void read_run(struct report *r, char *line)
{
    char *warp = value_of(line), *schedule = value_of(warp), *more = value_of(schedule);
    unsigned kind = r->kinds;

    for (unsigned i = 0; i < r->runs; i++)
        if (strcmp(r->run[i].warp, warp) == 0 && strcmp(r->run[i].more, more) == 0)
            kind = r->run[i].kind;
    if (kind == r->kinds)
        r->kinds++;
    r->run = report_check(realloc(r->run, (r->runs + 1) * sizeof *r->run));
    r->run[r->runs++] = (struct run){warp, schedule, more, kind};
}

static void set_field(struct item *item, const char *name, char *value)
{
    struct finding_shown *f = &item->shown;
    struct finding_side *s = f->sides > 0 ? &f->side[f->sides - 1] : &f->side[0];
#define TEXT(field, to)                                                                                                \
    if (strcmp(name, field) == 0)                                                                                      \
    to = value
#define NUMBER(field, to)                                                                                              \
    if (strcmp(name, field) == 0)                                                                                      \
    to = strtoul(value, NULL, 10)
    TEXT("kind", f->kind);
    TEXT("head", f->head);
    TEXT("kernel", f->kernel);
    TEXT("hint", f->hint);
    TEXT("keys", f->keys);
    TEXT("function", f->function);
    TEXT("file", s->file);
    TEXT("in", s->function);
    TEXT("source", s->source);
    TEXT("who", s->who);
    TEXT("called", s->called);
    NUMBER("times", f->times);
    NUMBER("first", f->first);
    NUMBER("last", f->last);
    NUMBER("line", s->line);
    NUMBER("column", s->column);
    NUMBER("indent", s->indent);
    if (strcmp(name, "other") == 0 && f->others < FINDING_OTHERS)
        f->other[f->others++] = value;
    if (strcmp(name, "raw") == 0)
        item->raw = finding_text("%s%s\n", item->raw, value);
}

static void read_finding(struct report *r, char *text, bool is_output)
{
    static const struct finding_side none = {"?", "?", "", "", "", 0, 0, 0};
    char *line;

    r->item = report_check(realloc(r->item, (r->items + 1) * sizeof *r->item));
    struct item *item = &r->item[r->items];
    *item = (struct item){.run = r->runs > 0 ? r->runs - 1 : 0,
                          .first = r->items,
                          .is_output = is_output,
                          .raw = "",
                          .shown = {.kind = is_output ? "output" : "race",
                                    .head = "",
                                    .kernel = "",
                                    .hint = "",
                                    .keys = "",
                                    .function = "?",
                                    .times = 1,
                                    .side = {none, none}}};
    r->items++;
    while ((line = next_line(&text))) {
        char *value = value_of(line);
        if (strcmp(line, "side") == 0 && item->shown.sides < 2)
            item->shown.sides++;
        else
            set_field(item, line, value);
    }
}

static void read_line(struct report *r, char *first, bool is_loop)
{
    char *place = value_of(first), *reached = value_of(place), *around = value_of(reached);
    struct line *l = r->line, *end = r->line + r->lines;

    while (l < end && (l->is_loop != is_loop || strcmp(l->place, place) != 0))
        l++;
    if (l == end) {
        r->line = report_check(realloc(r->line, (r->lines + 1) * sizeof *r->line));
        l = &r->line[r->lines++];
        *l = (struct line){.place = place, .is_loop = is_loop, .around = ""};
    }
    l->reached = l->reached || *reached != '0';
    if (*around)
        l->around = around;
}

static void read_note(struct report *r, const char *text)
{
    unsigned i = 0, run = r->runs > 0 ? r->runs - 1 : 0;

    while (i < r->notes && strcmp(r->note[i].text, text) != 0)
        i++;
    if (i == r->notes) {
        r->note = report_check(realloc(r->note, (r->notes + 1) * sizeof *r->note));
        r->note[r->notes++] = (struct note){.text = text};
    }
    if (run < RUNS_MAX)
        r->note[i].in_run[run] = 1;
}

static void read_record(struct report *r, char *text)
{
    char *first = next_line(&text);

    if (!first)
        return;
#define IS(name) (strncmp(first, name, strcspn(first, "\t")) == 0 && strcspn(first, "\t") == strlen(name))
    if (IS("run"))
        read_run(r, first);
    else if (IS("finding") || IS("output"))
        read_finding(r, text, *first == 'o');
    else if (IS("line") || IS("loop"))
        read_line(r, first, first[1] == 'o');
    else if (IS("end"))
        r->failed += strcmp(value_of(first), "0") != 0;
    else if (IS("stopped"))
        r->stopped++;
    else if (IS("note"))
        read_note(r, text);
    else if (IS("none") && (*r->clean == '\0' || (strstr(text, "stopped") && !strstr(r->clean, "stopped"))))
        r->clean = text; /* of the first run; one that stopped says so */
}

void report_read(struct report *r, const char *file)
{
    char *text = report_file(file);

    r->clean = "";
    while (text && *text) {
        char *next = strchr(text + 1, '\001');
        if (next)
            *next = '\0';
        read_record(r, text + (*text == '\001'));
        text = next ? next + 1 : NULL;
    }
}
