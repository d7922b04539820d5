/* Options that the host's compiler does not know.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unknown.h"

static int ask(char **argv)
{
    setenv("LC_ALL", "C", 1);
    return execute(argv);
}

/* The compiler's complaints about the options, in English. */
static FILE *complaints(const struct words *compiler, const struct words *options)
{
    struct words w = {0};
    FILE *said = tmpfile();

    add_program(&w, compiler);
    add(&w, "-###");
    for (size_t i = 0; i < options->count; i++) {
        char *option = options->word[i], *asked = option;
        if (strncmp(option, "-Werror=", 8) == 0 && asprintf(&asked, "-W%s", option + 8) < 0)
            asked = option;
        add(&w, asked);
    }
    if (said) {
        run_child(ask, w.word, fileno(said));
        rewind(said);
    }
    free(w.word);
    return said;
}

static void drop(struct words *w, const char *option)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->count; i++) {
        bool error = strncmp(w->word[i], "-Werror=", 8) == 0;
        if (strcmp(w->word[i], option) != 0 && !(error && strcmp(w->word[i] + 8, option + 2) == 0))
            w->word[kept++] = w->word[i];
    }
    w->count = kept;
    if (w->word)
        w->word[kept] = NULL;
}

void drop_unknown(const char *as, const struct words *compiler, struct words *options, struct words *all)
{
    static const char begin[] = "unrecognized command-line option '";
    FILE *said = complaints(compiler, options);
    char *line = NULL, *at;
    size_t size = 0;

    while (said && getline(&line, &size, said) >= 0) {
        if (!(at = strstr(line, begin)))
            continue;
        at += sizeof begin - 1;
        at[strcspn(at, "'")] = '\0';
        if (strncmp(at, "-W", 2) != 0)
            fprintf(stderr, "%s: ignoring unknown option %s\n", as, at);
        drop(all, at);
        drop(options, at);
    }
    free(line);
    if (said)
        fclose(said);
}
