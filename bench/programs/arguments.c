/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"
#include "failure.h"
#include "harness/report/output.h"

const char *argument_value(const char *argument, const char *name)
{
    size_t length = strlen(name);

    if (strncmp(argument, name, length) != 0)
        return NULL;
    return name[length - 1] == '=' || argument[length] == '\0' ? argument + length : NULL;
}

void arguments_pass(struct arguments *a, const char *option)
{
    a->options = reallocate(a->options, (a->option_count + 2) * sizeof *a->options);
    a->options[a->option_count++] = option;
    a->options[a->option_count] = NULL;
}

static void add_program(struct arguments *a, const char *text)
{
    if (text[strspn(text, " ")] == '\0')
        refuse("''", "a program has a name");
    a->programs = reallocate(a->programs, (a->program_count + 1) * sizeof *a->programs);
    program_set(&a->programs[a->program_count++], text);
}

void arguments_parse(struct arguments *a, int argc, char **argv, const char *usage, own_option *own,
                     void *tool)
{
    const char *value;

    *a = (struct arguments){.options = allocate(sizeof *a->options), .launch = program_words("")};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            output_check(stdout);
            exit(EXIT_RIGHT);
        }
        if ((value = argument_value(argv[i], "--launch=")) != NULL) {
            free(a->launch);
            a->launch = program_words(value);
        } else if (strcmp(argv[i], "--input=-") == 0)
            refuse(argv[i], "many programs cannot read one standard input, name a file");
        else if (argv[i][0] != '-')
            add_program(a, argv[i]);
        else if (!own(tool, argv[i]))
            arguments_pass(a, argv[i]);
    }
}

const char *arguments_passed(const struct arguments *a, const char *name, char letter)
{
    const char *found = NULL, *value;
    char text[64];

    snprintf(text, sizeof text, "--%s=", name);
    for (size_t i = 0; i < a->option_count; i++) {
        if ((value = argument_value(a->options[i], text)) != NULL)
            found = value;
        else if (letter != '\0' && a->options[i][0] == '-' && a->options[i][1] == letter)
            found = a->options[i] + 2;
    }
    return found;
}
