/* SPDX-License-Identifier: MIT */
#include "fields.h"

#include <inttypes.h>
#include <math.h>

#include "csv.h"
#include "harness/options/options.h"

enum mode { CSV_NAMES, CSV_VALUES, JSON_PAIRS };

struct fields {
    FILE *out;
    enum mode mode;
    bool first;
};

static void put_json(FILE *out, const char *text)
{
    putc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            putc(*c, out);
    }
    putc('"', out);
}

void fields_put(struct fields *f, const char *name, const char *text, bool quote)
{
    fputs(f->first ? "" : f->mode == JSON_PAIRS ? ", " : ",", f->out);
    f->first = false;
    if (f->mode == CSV_NAMES) {
        fputs(name, f->out);
        return;
    }
    if (f->mode == JSON_PAIRS)
        fprintf(f->out, "\"%s\": ", name);
    if (text == NULL)
        fputs(f->mode == JSON_PAIRS ? "null" : "", f->out);
    else if (f->mode == CSV_VALUES)
        csv_put(f->out, text);
    else if (quote)
        put_json(f->out, text);
    else
        fputs(text, f->out);
}

void fields_text(struct fields *f, const char *name, const char *text) { fields_put(f, name, text, true); }

void fields_whole(struct fields *f, const char *name, uint64_t value)
{
    char text[SCALAR_TEXT_MAX];

    snprintf(text, sizeof text, "%" PRIu64, value);
    fields_put(f, name, text, false);
}

void fields_double(struct fields *f, const char *name, double value)
{
    char text[SCALAR_TEXT_MAX];

    fields_put(f, name, double_text(text, value), !isfinite(value));
}

void fields_scalar(struct fields *f, const char *name, struct scalar value)
{
    char text[SCALAR_TEXT_MAX];
    bool finite = !type_is_floating(value.type) || isfinite(scalar_to_double(value));

    fields_put(f, name, scalar_text(text, value), !finite);
}

void fields_row(FILE *out, int format, bool first, fields_write *write, const void *row)
{
    if (format == FORMAT_JSON) {
        fputs(first ? "  {" : ",\n  {", out);
        write(&(struct fields){out, JSON_PAIRS, true}, row);
        putc('}', out);
        return;
    }
    if (first) {
        write(&(struct fields){out, CSV_NAMES, true}, row);
        putc('\n', out);
    }
    write(&(struct fields){out, CSV_VALUES, true}, row);
    putc('\n', out);
}
