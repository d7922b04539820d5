/* Runs a program and keeps its output; for suites that test programs from outside.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#define ARGUMENTS_MAX 48

struct ran {
    int status;        /* exit code, or -signal */
    char *out, *error; /* all of the standard output and error; released by ran_free() */
};

static inline char *program_read_all(FILE *file)
{
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = (char *)malloc((size_t)size + 1); /* C++ needs the cast */
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* all: the words of REDUCTION_LAUNCH and then the arguments, NULL-terminated. */
static inline void program_launched(char **all, size_t size, char *const *arguments)
{
    static char words[1024];
    const char *launch = getenv("REDUCTION_LAUNCH"), *slash = strrchr(arguments[0], '/');
    size_t count = 0;

    if (launch != NULL && strncmp(slash == NULL ? arguments[0] : slash + 1, "reduction_", 10) == 0) {
        snprintf(words, sizeof words, "%s", launch);
        for (char *word = strtok(words, " "); word != NULL && count < 16; word = strtok(NULL, " "))
            all[count++] = word;
    }
    do
        if (count == size)
            _exit(126);
        else
            all[count++] = *arguments;
    while (*arguments++ != NULL);
}

/* arguments[0] is the program; NULL-terminated. input: text for its standard input, or NULL. If it is one of the reductions,
 * the words of REDUCTION_LAUNCH come before it: srun, an emulator ... */
static inline struct ran program_run(char *const *arguments, const char *input)
{
    FILE *in = tmpfile(), *out = tmpfile(), *error = tmpfile();
    int status;
    struct ran r;

    ck_assert(in != NULL && out != NULL && error != NULL);
    if (input != NULL)
        fputs(input, in);
    rewind(in); /* flushes, too */
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(fileno(in), STDIN_FILENO);
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(error), STDERR_FILENO);
        char *launched[ARGUMENTS_MAX + 16];
        program_launched(launched, sizeof launched / sizeof launched[0], arguments);
        execvp(launched[0], launched);
        perror(launched[0]);
        _exit(127);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    fclose(in);
    r.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    r.out = program_read_all(out);
    r.error = program_read_all(error);
    return r;
}

static inline void ran_free(struct ran *r)
{
    free(r->out);
    free(r->error);
}

/* The same, with arguments separated by single spaces. */
static inline struct ran program_run_words(const char *program, const char *words, const char *input)
{
    char copy[2048], *arguments[ARGUMENTS_MAX] = {(char *)program};
    size_t count = 1;

    ck_assert_uint_lt(strlen(words), sizeof copy);
    strcpy(copy, words);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        ck_assert_uint_lt(count + 1, ARGUMENTS_MAX);
        arguments[count++] = word;
    }
    return program_run(arguments, input);
}

/* The folder with reduction_x/reduction_x. */
static inline const char *program_folder(void)
{
    const char *folder = getenv("REDUCTION_BIN");

    if (folder == NULL) {
        fprintf(stderr, "REDUCTION_BIN has to name the folder with reduction_x/reduction_x: use make check\n");
        exit(2);
    }
    return folder;
}

/* The path of a variant's program; valid until the fourth call after this one. */
static inline const char *program_path(const char *name)
{
    static char paths[4][1024];
    static unsigned turn;
    char *path = paths[turn++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s/%s", program_folder(), name, name);
    return path;
}

/* Ends the suite with exit code 77 if the programs find no device. For an unchecked fixture: Check allows assertions only
 * while tests run. */
static inline void program_need_device(void)
{
    struct ran r = program_run_words(program_path("reduction_no_striding"), "--list-devices", NULL);

    if (r.status == 77) {
        fputs(r.error, stderr);
        exit(77);
    }
    ran_free(&r);
}

#endif
