/* Runs a compiler's command. If a source in it, or a header of the author's that it includes, has to be translated, the
 * compiler gets copies in a temporary folder; else the command is run as it is.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile.h"
#include "files.h"
#include "messages.h"

static char folder[PATH_MAX];

bool is_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

/* Options whose value is the next argument. */
bool takes_next(const char *option)
{
    static const char *const options[] = {
        "-I",          "-D",      "-iquote",  "-o",        "-x",       "-MF",
        "-MT",         "-MQ",     "-include", "-imacros",  "-isystem", "-idirafter",
        "-isysroot",   "-U",      "-L",       "-l",        "-T",       "-u",
        "-z",          "--param", "-mllvm",   "-Xclang",   "-Xlinker", "-Xpreprocessor",
        "-Xassembler", "-target", "-arch",    "-dumpbase", "-odir",    NULL};
    return is_any(option, options);
}

const char *language_at(char *const *argv, size_t i)
{
    static const char *const cpp[] = {".hip", ".cu",  ".cpp", ".cc", ".cxx",
                                      ".C",   ".c++", ".cp",  NULL};
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

/* The value of an option that is written in one word or two. */
static const char *value_of(char **argv, int *i, const char *option)
{
    size_t length = strlen(option);

    if (strncmp(argv[*i], option, length) != 0)
        return NULL;
    return argv[*i][length] ? argv[*i] + length : argv[++*i];
}

/* ---- dependencies ---- */

/* Where the compiler writes them; NULL: nowhere. */
static char *dependencies_file(char **argv)
{
    static const char *const wants[] = {"-MD", "-MMD", NULL};
    const char *file = NULL, *object = NULL, *source = NULL;
    bool wanted = false;

    for (int i = 1; argv[i]; i++) {
        wanted |= is_any(argv[i], wants);
        if (strcmp(argv[i], "-MF") == 0)
            file = argv[i + 1];
        if (strcmp(argv[i], "-o") == 0)
            object = argv[i + 1];
        if (takes_next(argv[i]) && argv[i + 1])
            i++;
        else if (language_at(argv, (size_t)i))
            source = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
    }
    if (!wanted || file)
        return wanted ? strdup(file) : NULL;
    struct text name = {0};
    file = object ? object : source;
    const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    text_add(&name, file, dot && dot > slash ? (size_t)(dot - file) : strlen(file));
    text_add(&name, ".d", 3);
    return name.data;
}

/* All that comes from a descriptor, with a zero at its end. */
static struct text read_all(int from)
{
    struct text all = {0};
    char piece[1 << 14];
    ssize_t got;

    while ((got = read(from, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR))
        text_add(&all, piece, got > 0 ? (size_t)got : 0);
    text_add(&all, "", 1);
    close(from);
    return all;
}

/* "/home/me/" as a compiler writes it for make; "": unknown */
static void current_folder(struct text *here)
{
    char *path = getcwd(NULL, 0);

    for (const char *at = path ? path : ""; *at; at++) {
        if (*at == ' ' || *at == '#')
            text_add(here, "\\", 1);
        else if (*at == '$')
            text_add(here, "$", 1);
        text_add(here, at, 1);
    }
    if (path)
        text_add(here, "/", 1);
    text_add(here, "", 1);
    free(path);
}

/* A copy is called as its source, in the folder; ccache may have changed how that begins. Names are relative to the current
 * folder, so that a tree that was built can be moved or copied. */
static void mend_dependencies(const char *name)
{
    const char *place = strrchr(folder, '/');
    size_t length = strlen(place), word = 0;
    struct text mended = {0}, here = {0};
    int from = open(name, O_RDONLY);
    FILE *file;

    if (from < 0)
        return;
    struct text kept = read_all(from);
    current_folder(&here);
    for (const char *at = kept.data; *at; at++)
        if (strncmp(at, place, length) == 0) {
            bool below = strncmp(at + length, here.data, here.length - 1) == 0;
            mended.length = word;
            at += length - 1 + (below ? here.length - 1 : 0);
        } else {
            text_add(&mended, at, 1);
            if (isspace((unsigned char)*at) && (at == kept.data || at[-1] != '\\'))
                word = mended.length;
        }
    text_free(&kept);
    text_free(&here);
    if ((file = fopen(name, "w"))) {
        if (mended.data)
            fwrite(mended.data, 1, mended.length, file);
        fclose(file);
    }
    text_free(&mended);
}

/* ---- the compiler ---- */

static int remove_one(const char *path, const struct stat *status, int what, struct FTW *walk)
{
    (void)status, (void)what, (void)walk;
    return remove(path);
}

/* Runs the compiler. Its exit code, and what it says. */
static int execute(char **argv, struct text *said)
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
        execvp(argv[0], argv);
        fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
        _exit(127);
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
    bool known = again && execute(again, &calls) != 0;
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
    int status = execute(argv, &said);
    if (status == 0 && getenv("NOGPU_BRIEF"))
        messages_count_unchecked(said.data);
    else if (status == 0)
        fputs(said.data, stderr);
    else
        show_mistakes(argv, said.data);
    text_free(&said);
    if (dependencies)
        mend_dependencies(dependencies);
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
 * nogpu/flags.sh), a trace, or a debugger. */
static bool is_watched(char **argv)
{
    bool watched = false;

    for (; *argv; argv++)
        watched |= strcmp(*argv, "-O0") == 0 || (strncmp(*argv, "-fsanitize=", 11) == 0 &&
                                                 strncmp(*argv + 11, "shift-exponent,", 15) != 0);
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
    execvp(argv[0], argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    return 127;
}
