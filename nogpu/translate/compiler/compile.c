/* Runs a compiler's command. If a source in it, or a header of the author's that it includes, has to be translated, the
 * compiler gets copies in a temporary folder; else the command is run as it is.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../files/files.h"
#include "command.h"
#include "compile.h"
#include "dependencies.h"
#include "messages.h"

static char folder[PATH_MAX];

/* The value of an option that is written in one word or two. */
static const char *value_of(char **argv, int *i, const char *option)
{
    size_t length = strlen(option);

    if (strncmp(argv[*i], option, length) != 0)
        return NULL;
    return argv[*i][length] ? argv[*i] + length : argv[++*i];
}

static int remove_one(const char *path, UNUSED const struct stat *status, UNUSED int what, UNUSED struct FTW *walk)
{
    return remove(path);
}

/* Runs the compiler. Its exit code, and what it says. */
static int listen_to(char **argv, struct text *said)
{
    int status = 0, ends[2];
    pid_t child;

    if (pipe(ends) != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
        text_add(said, "", 1);
        return 3;
    }
    child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        _exit(execute(argv));
    }
    close(ends[1]);
    *said = read_all(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* A launch is made of classes of ours, of which nobody wants to read: as calls of the kernels the compiler names these. */
static void show_mistakes(char **argv, const char *said)
{
    struct text calls = {0};
    size_t count = 0;

    if (messages_missing(said))
        return;
    if (!strstr(said, "hip_cpu_")) {
        messages_show(said);
        return;
    }
    while (argv[count])
        count++;
    char **again = malloc((count + 3) * sizeof *again);
    if (again) {
        memcpy(again, argv, count * sizeof *again);
        again[count] = (char *)"-DHIP_CPU_CALLS";
        again[count + 1] = (char *)"-fsyntax-only";
        again[count + 2] = NULL;
    }
    bool known = again && listen_to(again, &calls) != 0;
    messages_show(known ? calls.data : said);
    text_free(&calls);
    free(again);
}

static int run(char **argv)
{
    char *dependencies = dependencies_file(argv);
    struct text said;

    /* A signal ends the compiler, and then the folder goes. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    int status = listen_to(argv, &said);
    if (status == 0 && getenv("NOGPU_BRIEF"))
        messages_count_unchecked(said.data);
    else if (status == 0)
        fputs(said.data, stderr);
    else
        show_mistakes(argv, said.data);
    text_free(&said);
    if (dependencies)
        mend_dependencies(dependencies, folder);
    free(dependencies);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return status;
}

/* Whether the compiler only preprocesses: then it does not mind. */
static bool is_preprocessing(char **argv)
{
    static const char *const options[] = {"-E", "-M", "-MM", NULL};

    for (; *argv; argv++)
        if (is_any(*argv, options))
            return true;
    return false;
}

/* hipcc and nvcc include the names of HIP or CUDA before a source; one that uses none may have float4 of its own. */
static void include_host_alone(char **argv)
{
    while (*argv && strcmp(*argv, "-include") != 0)
        argv++;
    if (*argv && argv[1])
        argv[1] = (char *)"hip_cpu/hosted.h";
}

/* Whether something other than kernels themselves wants to know which thread does what: a sanitizer (but those of
 * nogpu/flags.txt), a trace, or a debugger. */
static bool is_watched(char **argv)
{
    bool watched = false;

    for (; *argv; argv++)
        watched |= strcmp(*argv, "-O0") == 0 ||
                   (strncmp(*argv, "-fsanitize=", 11) == 0 && strncmp(*argv + 11, "shift-exponent,", 15) != 0);
    return watched;
}

int compile(char **argv, bool foreign)
{
    struct files files = {.folder = folder, .foreign = foreign, .loops = !is_watched(argv)};
    const char *tmp = getenv("TMPDIR"), *value;
    bool translated = false, preprocessing = is_preprocessing(argv);

    snprintf(folder, sizeof folder, "%s/hip_translate.XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
    for (int i = 1; argv[i]; i++) {
        if ((value = value_of(argv, &i, "-iquote")))
            files_search(&files, value, SEARCH_QUOTED);
        else if ((value = value_of(argv, &i, "-I")))
            files_search(&files, value, SEARCH_OWN);
        else if ((value = value_of(argv, &i, "-isystem")))
            files_search(&files, value, SEARCH_SYSTEM);
        else if ((value = value_of(argv, &i, "-D")))
            files_define(&files, value);
        else if (takes_next(argv[i]) && argv[i + 1])
            i++;
        if (!argv[i])
            break;
    }
    for (int i = 1; argv[i] && !preprocessing; i++) {
        if (takes_next(argv[i]) && argv[i + 1]) {
            i++;
        } else if (is_cpp_at(argv, (size_t)i)) {
            char *copy = files_translate(&files, argv[i]);
            if (!copy)
                return files.failed;
            translated |= copy != argv[i];
            argv[i] = copy;
        }
    }
    if (foreign && !preprocessing && !files_mention_device(&files))
        include_host_alone(argv);
    if (translated || foreign)
        return run(argv);
    return execute(argv);
}
