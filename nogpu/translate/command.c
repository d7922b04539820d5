/* Commands: their words, and running them.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

void add(struct words *w, const char *word)
{
    w->word = realloc(w->word, (w->count + 2) * sizeof *w->word);
    if (!w->word) {
        fprintf(stderr, "hipcc: no memory\n");
        exit(3);
    }
    w->word[w->count++] = (char *)word;
    w->word[w->count] = NULL;
}

void add_all(struct words *to, const struct words *from)
{
    for (size_t i = 0; i < from->count; i++)
        add(to, from->word[i]);
}

void add_program(struct words *to, const struct words *from)
{
    for (size_t i = 0; i < from->count && from->word[i][0] != '-'; i++)
        add(to, from->word[i]);
}

int execute(char **argv)
{
    execvp(argv[0], argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    return 127;
}

int run_child(int (*function)(char **), char **argv, int errors)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        if (errors >= 0)
            dup2(errors, STDERR_FILENO);
        _exit(function(argv));
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
