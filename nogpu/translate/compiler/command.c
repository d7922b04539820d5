/* Commands: their words, and running them.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../source/text.h"
#include "command.h"

void add(struct words *w, const char *word)
{
    w->word = must(realloc(w->word, (w->count + 2) * sizeof *w->word));
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

bool takes_next(const char *option)
{
    static const char *const options[] = {
        "-I",          "-D",       "-iquote",  "-o",         "-x",        "-MF",     "-MT",      "-MQ",
        "-include",    "-imacros", "-isystem", "-idirafter", "-isysroot", "-U",      "-L",       "-l",
        "-T",          "-u",       "-z",       "--param",    "-mllvm",    "-Xclang", "-Xlinker", "-Xpreprocessor",
        "-Xassembler", "-target",  "-arch",    "-dumpbase",  "-odir",     NULL};
    return is_any(option, options);
}

const char *language_at(char *const *argv, size_t i)
{
    static const char *const cpp[] = {".hip", ".cu", ".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", NULL};
    static const char *const linked[] = {".o", ".obj", ".a", ".so", NULL};
    const char *dot = strrchr(argv[i], '.');

    if (argv[i][0] == '-' || argv[i][0] == '@' || (dot && is_any(dot, linked)))
        return NULL;
    for (size_t at = i; at-- > 0;)
        if (strcmp(argv[at], "-x") == 0 && strcmp(argv[at + 1], "none") != 0)
            return argv[at + 1];
        else if (strcmp(argv[at], "-x") == 0)
            break;
    return !dot ? NULL : is_any(dot, cpp) ? "c++" : strcmp(dot, ".c") == 0 ? "c" : NULL;
}

bool is_cpp_at(char *const *argv, size_t i)
{
    const char *language = language_at(argv, i);
    return language && strcmp(language, "c++") == 0;
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
