/* What the judge has to know of an exercise before it begins: exercise.txt, the numbers in the source, and what a compiler
 * for GPUs says.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"
#include "rules_table.h"

/* The text behind "key: ", or NULL. */
static const char *value_of(char *line, const char *key)
{
    size_t length = strlen(key);

    line[strcspn(line, "\n")] = '\0';
    return strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0 ? line + length + 2 : NULL;
}

bool exercise_read(const char *path)
{
    char line[TEXT_MAX];
    const char *text;
    FILE *file = fopen(path, "r");
    bool right = file != NULL;

    if (!right)
        perror(path);
    while (right && fgets(line, sizeof line, file) != NULL) {
        if ((text = value_of(line, "task")) != NULL)
            right = task_choose(text);
        if ((text = value_of(line, "kinds")) != NULL)
            trial_kinds(text);
        if ((text = value_of(line, "arrays")) != NULL)
            settings.huge = strcmp(text, "huge") == 0;
        if ((text = value_of(line, "rules")) != NULL)
            rules_read(text);
    }
    if (file != NULL)
        fclose(file);
    settings.has_rules = right;
    return right;
}

/* ---- a compiler for GPUs ---- */

/* "FILE.hip:27:17: error: TEXT": the first error, if possible one in the exercise. */
static bool is_error(char *line, bool in_exercise, unsigned *number, char **text)
{
    char *error = strstr(line, "error: "), *place = strstr(line, ".hip:");

    if (error == NULL || (in_exercise && (place == NULL || place > error)))
        return false;
    *text = error + strlen("error: ");
    if (strncmp(*text, "static_assert failed", 20) == 0 && strrchr(*text, '"') != NULL) { /* what it says */
        *strrchr(*text, '"') = '\0';
        *text = strrchr(*text, '"') != NULL ? strrchr(*text, '"') + 1 : *text;
    }
    *number = in_exercise ? (unsigned)atoi(place + strlen(".hip:")) : 0;
    return true;
}

bool check_compiles(void)
{
    char line[2 * TEXT_MAX];
    char *text;
    unsigned number;
    FILE *file = settings.gpu != NULL ? fopen(settings.gpu, "r") : NULL;

    for (int in_exercise = 1; file != NULL && in_exercise >= 0 && found.code == NULL; in_exercise--) {
        rewind(file);
        while (found.code == NULL && fgets(line, sizeof line, file) != NULL) {
            line[strcspn(line, "\n")] = '\0';
            if (!is_error(line, in_exercise > 0, &number, &text))
                continue;
            found.code = "gpu";
            if (number > 0)
                snprintf(found.what, TEXT_MAX, "line %u is no code for a GPU: %.300s", number, text);
            else
                snprintf(found.what, TEXT_MAX, "no compiler for a GPU takes it: %.300s", text);
            snprintf(found.where, TEXT_MAX, "a compiler for GPUs");
            found.look = "what a kernel can use: functions with __device__, and device memory";
        }
    }
    settings.compiled = file != NULL;
    if (file != NULL)
        fclose(file);
    return found.code == NULL;
}

bool explain_warning(void)
{
    static const struct {
        const char *words, *code, *look;
    } known[] = {
        {"used uninitialized", "uninitialized", "what this variable holds before the first value is combined with it"},
        {"is uninitialized when used", "uninitialized",
         "what this variable holds before the first value is combined with it"}};
    char line[2 * TEXT_MAX];
    bool explained = false;
    FILE *file = settings.warnings != NULL ? fopen(settings.warnings, "r") : NULL;

    while (file != NULL && !explained && fgets(line, sizeof line, file) != NULL)
        for (size_t k = 0; k < sizeof known / sizeof *known && !explained; k++) {
            const char *text = strstr(line, "warning: "), *place = strstr(line, ".hip:");
            if (text == NULL || place == NULL || place > text || strstr(text, known[k].words) == NULL)
                continue;
            text += strlen("warning: ");
            explained = true;
            found.code = known[k].code;
            found.look = known[k].look;
            snprintf(found.what, TEXT_MAX, "the compiler warns of line %d: %.*s", atoi(place + strlen(".hip:")),
                     (int)strcspn(text, "[\n"), text);
        }
    if (file != NULL)
        fclose(file);
    return explained;
}
