/* The main program of every variant: measures it, or compares it with the programs that it is given.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/programs/failure.h"
#include "bench/run/run.h"
#include "harness/harness.h"

static bool is_program(const char *path)
{
    struct stat status;

    return strchr(path, '/') != NULL && stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* This program with its own options, as one word of run's. */
static char *this_program(const char *path, char **own, size_t count)
{
    size_t room = strlen(path) + 1;

    for (size_t i = 0; i < count; i++)
        room += strlen(own[i]) + 1;
    char *word = strcpy(allocate(room), path);
    for (size_t i = 0; i < count; i++)
        strcat(strcat(word, " "), own[i]);
    return word;
}

int main(int argc, char **argv)
{
    const struct variant *variant = linked_variant();
    /* getopt moves options to the front; harness_run() sees the command line as it was. */
    char **copy = allocate(((size_t)argc + 1) * sizeof *copy);
    char **words = allocate(((size_t)argc + 3) * sizeof *words);
    size_t own, count;

    memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
    count = options_words(variant, argc, copy, words + 2, &own);
    if (count == 0 || !is_program(words[count + 1]))
        return harness_run(variant, argc, argv);
    words[0] = argv[0];
    words[own + 1] = this_program(argv[0], words + 2, own);
    memmove(words + 1, words + own + 1, (count - own + 1) * sizeof *words);
    words[count - own + 2] = NULL;
    return run_programs((int)(count - own + 2), words);
}
