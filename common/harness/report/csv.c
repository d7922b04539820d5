/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

void csv_put(FILE *out, const char *text)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL;

    fputs(quote ? "\"" : "", out);
    for (; *text != '\0'; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
    fputs(quote ? "\"" : "", out);
}

size_t csv_split(char *line, char **fields, size_t most)
{
    size_t count = 0;
    char *read = line, *write = line, end;

    do {
        bool quoted = *read == '"';
        if (count < most)
            fields[count] = write;
        count++;
        for (read += quoted; *read != '\0'; read++) {
            if (quoted && *read == '"' && *++read != '"')
                quoted = false;
            if (!quoted && (*read == ',' || *read == '\n' || *read == '\r' || *read == '\0'))
                break;
            *write++ = *read;
        }
        end = *read++;
        *write++ = '\0'; /* never passes `read`: a field is not shorter than its text */
    } while (end == ',');
    return count;
}

void csv_cut(char *line, size_t count)
{
    bool quoted = false;

    for (; *line != '\0' && *line != '\n'; line++) {
        quoted ^= *line == '"'; /* a doubled quote changes it twice */
        if (*line == ',' && !quoted && --count == 0)
            break;
    }
    *line = '\0';
}

bool csv_row_read(struct csv_row *row, const char *names, const char *values)
{
    row->name_line = strdup(names);
    row->value_line = strdup(values);
    if (row->name_line != NULL && row->value_line != NULL) {
        row->count = csv_split(row->name_line, row->names, CSV_COLUMNS_MAX);
        size_t found = csv_split(row->value_line, row->values, CSV_COLUMNS_MAX);
        if (found == row->count && found <= CSV_COLUMNS_MAX)
            return true;
    }
    csv_row_free(row);
    return false;
}

void csv_row_free(struct csv_row *row)
{
    free(row->name_line);
    free(row->value_line);
    *row = (struct csv_row){0};
}

const char *csv_field(const struct csv_row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->names[i], name) == 0)
            return row->values[i];
    return "";
}

double csv_number(const struct csv_row *row, const char *name) { return strtod(csv_field(row, name), NULL); }
