/* What test_variants.c tests: every program, once for each value of its own options, as listed by --help.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_SUBJECTS_H
#define TESTS_SUBJECTS_H

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

/* A variant's own options, as listed by --help. */
#define OWN_MAX    8
#define VALUES_MAX 9

struct own_option {
    char name[32];
    char values[VALUES_MAX][24]; /* the default first; for a flag "" and "on" */
    int count;
    bool flag;
};

/* Meant to give a wrong result: test_extras.c sees it fail. */
static const char wrong_on_purpose[] = "--example subtract";

/* These need all of their blocks on the device at the same time. */
static const char *const resident[] = {"reduction_cooperative"};

#define SUBJECTS_MAX 128

/* A program with one value of one of its options. Its other options change their values from run to run. */
static struct subject {
    const char *path, *name;
    struct own_option own[OWN_MAX]; /* the one with the most values first */
    int own_count, value;           /* of own[0] */
    bool resident;
} subjects[SUBJECTS_MAX];
static int subject_count;

/* "down|xor|up", or "1..1000" for numbers, or nothing for a flag. */
static void set_values(struct own_option *o, const char *values, const char *fallback)
{
    static const char *const numbers[] = {"7", "90"};
    char copy[256];

    snprintf(copy, sizeof copy, "%s", values);
    o->flag = *values == '\0';
    strcpy(o->values[0], o->flag ? "" : fallback);
    o->count = 1;
    if (o->flag) {
        strcpy(o->values[o->count++], "on");
    } else if (strstr(values, "..") != NULL) {
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            strcpy(o->values[o->count++], numbers[k]);
    } else {
        for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|"))
            if (strcmp(word, fallback) != 0) {
                if (o->count == VALUES_MAX) {
                    fprintf(stderr, "%s: more values than VALUES_MAX\n", values);
                    exit(EXIT_FAILURE);
                }
                snprintf(o->values[o->count++], sizeof o->values[0], "%s", word);
            }
    }
}

/* Reads the section "Variant options" of --help, so that no option can be forgotten here. */
static void read_options(struct subject *s)
{
    char command[1100], line[512], values[256] = "", *at;
    struct own_option *open = NULL; /* its default has not been read yet */
    bool own = false;

    snprintf(command, sizeof command, "'%s' --help", s->path);
    FILE *help = popen(command, "r");
    while (help != NULL && fgets(line, sizeof line, help) != NULL) {
        if (strcmp(line, "\n") == 0)
            own = false;
        if (own && strncmp(line, "      --", 8) == 0 && s->own_count < OWN_MAX) {
            open = &s->own[s->own_count];
            int found = sscanf(line, "      --%31[^ \n]%*1[ ]%255[^ \n]", open->name, values);
            if (found == 2 && *values == '<') { /* a file: test_extras.c has offsets */
                open = NULL;
                continue;
            }
            s->own_count++;
            if (found < 2) /* a flag has no default */
                set_values(open, "", "");
        }
        if (own && open != NULL && (at = strstr(line, "Default: ")) != NULL) {
            at[strcspn(at, "\n")] = '\0';
            set_values(open, values, at + strlen("Default: "));
        }
        own |= strcmp(line, "Variant options\n") == 0;
    }
    if (help == NULL || pclose(help) != 0) {
        fprintf(stderr, "test_variants: %s fails\n", command);
        exit(EXIT_FAILURE);
    }
    for (int k = 1; k < s->own_count; k++)
        if (s->own[k].count > s->own[0].count) {
            struct own_option most = s->own[k];
            s->own[k] = s->own[0];
            s->own[0] = most;
        }
}

static void add_word(char *text, size_t size, const struct own_option *o, int value)
{
    size_t used = strlen(text);

    if (o->flag)
        snprintf(text + used, size - used, "%s%s%s", value == 1 ? "--" : "", value == 1 ? o->name : "",
                 value == 1 ? " " : "");
    else
        snprintf(text + used, size - used, "--%s %s ", o->name, o->values[value]);
}

/* The options of a run: the subject's, and any values for its other options. */
static const char *own_options(const struct subject *s)
{
    static char text[256];
    static unsigned turn;
    unsigned any = (++turn * 2654435761u) >> 8;

    text[0] = '\0';
    for (int k = 0; k < s->own_count; k++) {
        int count = s->own[k].count;
        add_word(text, sizeof text, &s->own[k], k == 0 ? s->value : (int)(any % (unsigned)count));
        any /= (unsigned)count;
    }
    return text;
}

/* All programs, or those with these names. */
static void find_subjects(char *const *names, int count)
{
    char pattern[1024];
    static glob_t found; /* keeps the paths */

    snprintf(pattern, sizeof pattern, "%s/reduction_*/reduction_*", program_folder());
    glob(pattern, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i], *name = strrchr(path, '/') + 1;
        struct subject s = {.path = path, .name = name};
        bool asked_for = count == 0;

        for (int k = 0; k < count; k++)
            asked_for |= strcmp(name, names[k]) == 0;
        if (!asked_for || access(path, X_OK) != 0 || strchr(name, '.') != NULL)
            continue; /* a source or a picture */
        if (strcmp(name, "reduction_hello") == 0)
            continue; /* takes numbers, not options: tests/variants/hello.bats */
        if (strcmp(name, "reduction_multi_gpu") == 0)
            continue; /* has a report of its own: tests/multi_gpu/multi_gpu.bats */
        if (strcmp(name, "reduction_to_fix") == 0)
            continue; /* is wrong: tests/exercises */
        for (size_t k = 0; k < sizeof resident / sizeof resident[0]; k++)
            s.resident |= strcmp(name, resident[k]) == 0;
        read_options(&s);
        do {
            if (strstr(own_options(&s), wrong_on_purpose) == NULL && subject_count < SUBJECTS_MAX)
                subjects[subject_count++] = s;
        } while (s.own_count > 0 && ++s.value < s.own[0].count);
    }
}

#endif
