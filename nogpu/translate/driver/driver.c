/* hipcc and nvcc: the commands of the host's compiler for what they are called with.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../compiler/compile.h"
#include "../source/text.h"
#include "arguments.h"
#include "driver.h"
#include "request.h"
#include "unknown.h"

/* NOLINTBEGIN(clang-analyzer-unix.Malloc): words live as long as the process */

/* A word of the file, with the folders that it names. */
static const char *in_place(const char *word)
{
    static const char *const folder[][2] = {
        {"{nogpu}", "HIP_CPU_ROOT"}, {"{build}", "NOGPU_BUILD"}, {"{compiled}", "NOGPU_COMPILED"}};
    char *text;

    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        const char *at = strstr(word, folder[i][0]), *is = getenv(folder[i][1]);
        if (at && asprintf(&text, "%.*s%s%s", (int)(at - word), word, is ? is : ".", at + strlen(folder[i][0])) >= 0)
            return text;
    }
    return strdup(word);
}

/* The two lists of the file; its text stays. */
static bool read_words(const char *name, struct words *compiler, struct words *linker)
{
    FILE *file = fopen(name, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    struct words *list = compiler;

    if (!file)
        return false;
    while ((length = getline(&line, &size, file)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = '\0';
        if (length == 0)
            list = linker;
        else
            add(list, in_place(line));
    }
    free(line);
    fclose(file);
    return compiler->count > 0;
}

static int compile_foreign(char **argv) { return compile(argv, true); }

static char *object_name(const char *folder, size_t number)
{
    char *name;
    return asprintf(&name, "%s/%zu.o", folder, number) < 0 ? NULL : name;
}

/* -o, or what a compiler takes without. */
static const char *output_of(const struct request *r)
{
    for (size_t i = 0; i + 1 < r->all.count; i++)
        if (strcmp(r->all.word[i], "-o") == 0)
            return r->all.word[i + 1];
    return r->archive ? "a.a" : "a_dlink.o";
}

/* -odir FOLDER -c x.cu: FOLDER/x.o. False: there are several sources, which one -o cannot name. */
static bool name_object(struct request *r)
{
    const char *source = NULL;
    char *name;

    for (size_t i = 0; i < r->all.count; i++) {
        if (strcmp(r->all.word[i], "-o") == 0)
            return true;
        if (takes_next(r->all.word[i]))
            i++;
        else if (language_at(r->all.word, i) && source)
            return false;
        else if (language_at(r->all.word, i))
            source = r->all.word[i];
    }
    if (!source)
        return true;
    source = strrchr(source, '/') ? strrchr(source, '/') + 1 : source;
    const char *dot = strrchr(source, '.') ? strrchr(source, '.') : source + strlen(source);
    if (asprintf(&name, "%s/%.*s.o", r->folder, (int)(dot - source), source) < 0)
        return false;
    add(&r->all, "-o");
    add(&r->all, name);
    return true;
}

/* An object with nothing in it. */
static int link_device(const struct request *r)
{
    struct words w = {0};

    add_program(&w, &r->compiler);
    add(&w, "-c");
    add(&w, "-x");
    add(&w, "c");
    add(&w, "/dev/null");
    add(&w, "-o");
    add(&w, output_of(r));
    return run_child(execute, w.word, -1);
}

/* A standard of C++ is no option for C. */
static void use_c(struct words *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (strncmp(w->word[i], "-std=gnu++", 10) == 0 || strncmp(w->word[i], "-std=c++", 8) == 0)
            w->word[i] = (char *)"-std=gnu17";
}

/* nvcc's for the host alone: it passes them on to the host's compiler, without __CUDACC__. */
static bool is_for_host(const struct request *r, size_t i)
{
    return strcmp(r->as, "nvcc") == 0 && !r->language_given && language_at(r->all.word, i) &&
           !ends_with(r->all.word[i], ".cu") && !ends_with(r->all.word[i], ".hip");
}

/* Sources become objects first: what instruments them must not reach the linker. */
static int compile_and_link(struct request *r)
{
    const char *tmp = getenv("TMPDIR");
    char folder[PATH_MAX];
    struct words link = {0}, archive = {0};
    size_t objects = 0;
    int status = 0;

    snprintf(folder, sizeof folder, "%s/hipcc.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "%s: %s: %s: set TMPDIR to a folder that can be written to\n", r->as, folder, strerror(errno));
        return 3;
    }
    add_program(&link, &r->compiler);
    add(&link, "-Wl,--start-group"); /* a library of device code may stand before who needs it */
    add(&archive, "ar");
    add(&archive, "rcs");
    add(&archive, output_of(r));
    for (size_t i = 0; i < r->all.count && status == 0; i++) {
        char *word = r->all.word[i];
        const char *language = language_at(r->all.word, i);
        if (strcmp(word, "-x") == 0) {
            i++;
        } else if (takes_next(word) && r->all.word[i + 1]) {
            add(&link, word);
            add(&link, r->all.word[++i]);
        } else if (language) {
            struct words one = {0};
            char *object = object_name(folder, objects++);
            add_all(&one, &r->compiler);
            add_all(&one, &r->options);
            add(&one, "-c");
            if (is_for_host(r, i))
                add(&one, "-U__CUDACC__");
            if (strcmp(language, "c") == 0)
                use_c(&one);
            add(&one, "-x");
            add(&one, language);
            add(&one, word);
            add(&one, "-o");
            add(&one, object);
            status = run_child(compile_foreign, one.word, -1);
            free(one.word);
            add(&link, object);
            add(&archive, object);
        } else if (r->archive && ends_with(word, ".o")) {
            add(&archive, word);
        } else if (strncmp(word, "-M", 2) != 0) {
            add(&link, word);
        }
    }
    add(&link, "-Wl,--end-group");
    if (!r->library)
        add_all(&link, &r->linker);
    if (status == 0)
        status = run_child(execute, r->archive ? archive.word : link.word, -1);
    while (objects-- > 0)
        unlink(object_name(folder, objects));
    rmdir(folder);
    return status;
}

/* Every source begins as if the compiler were one for GPUs, and with a header of ours. */
static void add_language(struct words *w, bool cuda)
{
    static const char *const names[2][6] = {
        {"-D__HIPCC__", "-D__HIP_PLATFORM_AMD__", "-D__HIP__", "-include", "hip_cpu/language.h"},
        {"-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=0",
         "-D__CUDACC_VER_BUILD__=0", "-include"}};

    for (size_t i = 0; i < 6 && names[cuda][i]; i++)
        add(w, names[cuda][i]);
    if (cuda)
        add(w, "cuda_runtime.h");
}

int compile_header(const char *header, const char *words, const char *to, char **options)
{
    struct words compiler = {0}, linker = {0};
    char *compiled;
    FILE *file = fopen(to, "w");

    if (!file || fprintf(file, "#include_next <%s>\n", header) < 0 || fclose(file) != 0 ||
        !read_words(words, &compiler, &linker) || asprintf(&compiled, "%s.gch", to) < 0) {
        fprintf(stderr, "hip_translate: %s: %s\n", to, strerror(errno));
        return 3;
    }
    add_language(&compiler, strcmp(header, "cuda_runtime.h") == 0);
    while (*options)
        add(&compiler, *options++);
    add(&compiler, "-x");
    add(&compiler, "c++-header");
    add(&compiler, "-c");
    add(&compiler, "/dev/null");
    add(&compiler, "-o");
    add(&compiler, compiled);
    return run_child(execute, compiler.word, -1);
}

int drive(const char *as, const char *words, char **argv)
{
    struct request r = {.as = as, .links = true, .traced = getenv("HIP_CPU_TRACE") && *getenv("HIP_CPU_TRACE")};
    bool cuda = strcmp(as, "nvcc") == 0;
    char **arguments = read_arguments(as, argv);

    if (!arguments)
        return 2;
    if (identify(as, arguments))
        return 0;
    if (!read_words(words, &r.compiler, &r.linker)) {
        fprintf(stderr, "%s: %s cannot be read: make in the folder above bin/ builds it\n", as, words);
        return 3;
    }
    add_language(&r.compiler, cuda);
    if (isatty(STDERR_FILENO)) /* which is a pipe for the compiler */
        add(&r.compiler, "-fdiagnostics-color=always");
    for (char **a = arguments; *a;)
        a += request_take(&r, a);
    if (r.refused)
        return 2;
    target_define(&r.target, request_warp_size(&r), cuda, &r.compiler);
    drop_unknown(r.as, &r.compiler, &r.options, &r.all);
    if (r.device_link)
        return link_device(&r);
    if (r.links && r.compiles)
        return compile_and_link(&r);
    if (r.folder && !name_object(&r)) {
        fprintf(stderr, "%s: -odir %s: compile one source at a time, or name objects by -o\n", as, r.folder);
        return 2;
    }
    add_all(&r.compiler, &r.all);
    bool host = false, device = false, c = !r.language_given;
    for (size_t i = 0; i < r.all.count; i++) {
        const char *language = language_at(r.all.word, i);
        c &= !language || strcmp(language, "c") == 0;
        host |= is_for_host(&r, i);
        device |= ends_with(r.all.word[i], ".cu");
    }
    if (host && !device)
        add(&r.compiler, "-U__CUDACC__");
    if (c)
        use_c(&r.compiler);
    return compile_foreign(r.compiler.word);
}

/* NOLINTEND(clang-analyzer-unix.Malloc) */
