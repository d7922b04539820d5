/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool parse_wrong(struct parse *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(p->message, OPTIONS_MESSAGE_MAX, format, args);
    va_end(args);
    for (char *c = p->message; *c != '\0'; c++) /* one line, whatever the user typed */
        if (iscntrl((unsigned char)*c))
            *c = '?';
    return false;
}

bool parse_number(struct parse *p, const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    char *end;

    errno = 0;
    if (isdigit((unsigned char)*text)) {
        *value = strtoull(text, &end, 10);
        if (*end == '\0' && errno == 0 && *value >= min && *value <= max)
            return true;
    }
    return parse_wrong(p, "%s '%s': give a whole number from %llu to %llu", option, text, (unsigned long long)min,
                       (unsigned long long)max);
}

bool parse_word(struct parse *p, const char *option, const char *text, const char *(*name)(int), int count, int *value)
{
    char words[OPTIONS_MESSAGE_MAX / 2] = "";

    for (int i = 0; i < count; i++) {
        if (strcmp(text, name(i)) == 0) {
            *value = i;
            return true;
        }
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", i == 0 ? "" : ", ", name(i));
    }
    return parse_wrong(p, "%s '%s': give one of %s", option, text, words);
}

void parse_help(FILE *out, char letter, const char *name, const char *argument, const char *help)
{
    char left[80];
    int column = 27;

    snprintf(left, sizeof left, "  %c%c%s--%s%s%s", letter != 0 ? '-' : ' ', letter != 0 ? letter : ' ',
             letter != 0 ? ", " : "  ", name, argument != NULL ? " " : "", argument != NULL ? argument : "");
    if ((int)strlen(left) >= column) {
        fprintf(out, "%s\n", left);
        left[0] = '\0';
    }
    for (const char *line = help; line != NULL; left[0] = '\0') {
        const char *end = strchr(line, '\n');
        int length = end == NULL ? (int)strlen(line) : (int)(end - line);
        fprintf(out, "%-*s%.*s\n", column, left, length, line);
        line = end == NULL ? NULL : end + 1;
    }
}
