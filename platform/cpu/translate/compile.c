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
        "-Xassembler", "-target", "-arch",    "-dumpbase", NULL};
    return is_any(option, options);
}

bool is_source(const char *name)
{
    static const char *const endings[] = {".hip", ".cu",  ".cpp", ".cc", ".cxx",
                                          ".C",   ".c++", ".cp",  NULL};
    const char *dot = strrchr(name, '.');
    return dot && name[0] != '-' && name[0] != '@' && is_any(dot, endings);
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
        if (is_source(argv[i]))
            source = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
        else if (takes_next(argv[i]) && argv[i + 1])
            i++;
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

/* A copy is called as its source, in the folder; ccache may have changed how that begins. */
static void mend_dependencies(const char *name)
{
    const char *place = strrchr(folder, '/');
    size_t length = strlen(place), word = 0;
    struct text mended = {0};
    int from = open(name, O_RDONLY);
    FILE *file;

    if (from < 0)
        return;
    struct text kept = read_all(from);
    for (const char *at = kept.data; *at; at++)
        if (strncmp(at, place, length) == 0) {
            mended.length = word;
            at += length - 1;
        } else {
            text_add(&mended, at, 1);
            if (isspace((unsigned char)*at) && (at == kept.data || at[-1] != '\\'))
                word = mended.length;
        }
    text_free(&kept);
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

static size_t line_length(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length + (line[length] != '\0');
}

/* Where `text` is in this line; NULL: not there. */
static const char *in_line(const char *line, const char *text)
{
    const char *at = strstr(line, text);
    return at && at < line + line_length(line) ? at : NULL;
}

static bool is_ours(const char *line)
{
    const char *folder = in_line(line, "/platform/cpu/include/");
    return folder && folder < strchr(line, ':');
}

/* The author's #include that leads to the header of ours in this line: of the lines before it that tell how compilers came
 * there, GCC's name the innermost first ("                 from x.cu:3,"), clang's last. NULL: none. */
static const char *includer(const char *said, const char *line)
{
    static const char *const first = "In file included from ", *const next =
                                                                   "                 from ";
    const char *found = NULL;

    for (; said < line; said += line_length(said)) {
        bool begins = strncmp(said, first, strlen(first)) == 0;
        bool goes_on = strncmp(said, next, strlen(next)) == 0;
        const char *name = said + strlen(first);
        if (!begins && !goes_on)
            found = NULL;
        else if (!is_ours(name) && (begins || !found))
            found = name;
    }
    return found;
}

/* The end of "file:line:column: " of an error; of the author's line where a macro or a header of ours stands for it. */
static const char *place_end(const char *said, const char **line, const char *end)
{
    for (const char *next = *line + line_length(*line); *next && !in_line(next, "error: ");
         next += line_length(next)) {
        const char *note = in_line(next, "note: in expansion of macro");
        if (note) {
            *line = next;
            return note;
        }
    }
    const char *from = is_ours(*line) ? includer(said, *line) : NULL;
    if (from) {
        *line = from;
        return from + strcspn(from, ",\n");
    }
    return end;
}

static const char *const mark = "the CPU platform has no ";

/* What this line, and the author's below it, say that the platform has not; NULL: nothing. texture<> is a template, whose
 * name others may use. */
static const char *missing(const char *line)
{
    const char *error = in_line(line, "error: "), *what = in_line(line, mark);

    if (what && error && error < what)
        return what;
    if (error && in_line(error, "constant") &&
        (in_line(error, "warpSize") || in_line(line + line_length(line), "warpSize")))
        return "the CPU platform has no warpSize that is a constant: compile with "
               "-DHIP_CPU_WARP_SIZE=64";
    if (error && in_line(error, "texture") &&
        (in_line(error, "does not name a type") || in_line(error, "no template named")))
        return "the CPU platform has no textures: build for a GPU, or leave this part of the "
               "program out";
    return NULL;
}

/* What the platform has not is one thing to say, however often a program uses it: then there is a line about each, and
 * else all that the compiler says. */
static void show(const char *said, bool failed)
{
    struct text shown = {0};

    for (const char *line = said; failed && *line; line += line_length(line)) {
        const char *what = missing(line), *place = line;
        if (!what)
            continue;
        size_t length = strcspn(what, "\"\n"); /* of #error "..." */
        bool known = false;
        for (size_t at = 0; at + length <= shown.length && !known; at++)
            known = memcmp(shown.data + at, what, length) == 0;
        if (known)
            continue;
        text_add(&shown, what, length);
        const char *behind = place_end(said, &place, in_line(line, "error: "));
        while (behind[-1] == ' ' || behind[-1] == ':')
            behind--;
        fprintf(stderr, "%.*s: error: %.*s\n", (int)(behind - place), place, (int)length, what);
    }
    if (shown.length == 0)
        fputs(said, stderr);
    text_free(&shown);
}

static int run(char **argv)
{
    char *dependencies = dependencies_file(argv);
    int status = 0, ends[2];
    pid_t child;

    if (pipe(ends) != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
        return 3;
    }

    /* A signal ends the compiler, and then the folder goes. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
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
    struct text said = read_all(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    bool ended = child > 0 && WIFEXITED(status);
    show(said.data, !ended || WEXITSTATUS(status) != 0);
    text_free(&said);
    if (dependencies)
        mend_dependencies(dependencies);
    free(dependencies);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return ended ? WEXITSTATUS(status) : 1;
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

int compile(char **argv, bool foreign)
{
    struct files files = {.folder = folder, .foreign = foreign};
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
        } else if (is_source(argv[i])) {
            char *copy = files_translate(&files, argv[i]);
            if (!copy)
                return files.failed;
            translated |= copy != argv[i];
            argv[i] = copy;
        }
    }
    if (translated || foreign)
        return run(argv);
    execvp(argv[0], argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    return 127;
}
