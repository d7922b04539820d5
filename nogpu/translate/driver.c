/* hipcc and nvcc: the commands of the host's compiler for what they are called with.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "command.h"
#include "compile.h"
#include "options.h"
#include "target.h"
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
        if (at && asprintf(&text, "%.*s%s%s", (int)(at - word), word, is ? is : ".",
                           at + strlen(folder[i][0])) >= 0)
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

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* hipcc compiles .c as C and others as HIP; GCC knows neither .hip nor .cu. */
static void add_file(struct words *w, const char *name, bool language_given)
{
    bool kernels = ends_with(name, ".hip") || ends_with(name, ".cu"), c = ends_with(name, ".c");

    if (!language_given && (kernels || c)) {
        add(w, "-x");
        add(w, kernels ? "c++" : "c");
    }
    add(w, name);
    if (!language_given && (kernels || c)) {
        add(w, "-x");
        add(w, "none");
    }
}

/* What the driver was called with. */
struct request {
    const char *as;
    struct words compiler, linker; /* of the file of words */
    struct words all;     /* options and files as the host's compiler takes them, in their order */
    struct words options; /* of them, those that matter for a source, but for -x */
    bool language_given, traced;
    struct target target;
    bool compiles, links; /* has files; no -c, -E ... */
    bool library;         /* -shared: the program that loads it has the runtime */
    bool archive;         /* --emit-static-lib */
    bool device_link;     /* nvcc -dlink: nothing is left to do */
    bool refused;
    const char *folder; /* -odir: of objects without a name */
};

static void add_option(struct request *r, const char *option, const char *value)
{
    static const char *const no_link[] = {"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only", NULL};
    static const char *const for_linking[] = {"-o", "-l", "-L", "-Xlinker", "-T", "-z", "-u", NULL};

    r->links = r->links && !is_any(option, no_link);
    r->library |= strcmp(option, "-shared") == 0 || strcmp(option, "-r") == 0;
    add(&r->all, option);
    if (value)
        add(&r->all, value);
    if (option_only_links(option) || is_any(option, for_linking) || strcmp(option, "-x") == 0)
        return;
    add(&r->options, option);
    if (value)
        add(&r->options, value);
}

/* Without the quotes that a shell has left around it, or around the list in which it is. */
static char *unquoted(char *part)
{
    size_t length;

    part += strspn(part, "\"'");
    length = strlen(part);
    if (length > 0 && strcspn(part, "\"'") == length - 1)
        part[length - 1] = '\0';
    return part;
}

/* -Xcompiler a,b,c; `before` each of them: -Xlinker. */
static void add_parts(struct request *r, const char *before, const char *list)
{
    for (char *part = strtok(strdup(list), ", "); part; part = strtok(NULL, ", ")) {
        part = unquoted(part);
        if (before)
            add_option(r, before, part);
        else if (strncmp(part, "-std=", 5) == 0)
            add_option(r, strdup(option_standard(part + 5)), NULL);
        else if (!option_is_ignored(part))
            add_option(r, part, NULL);
    }
}

/* a*b+c rounds once, if this processor can do that. */
static bool contracts(const char *option, const char *next)
{
    static const char *const words[] = {"-fmad=true", "--fmad=true", "-ffp-contract=fast",
                                        "-ffp-contract=on", NULL};
    static const char *const fmad[] = {"-fmad", "--fmad", NULL};

    return is_any(option, words) || (is_any(option, fmad) && next && strcmp(next, "true") == 0);
}
static void contract(struct request *r)
{
    add_option(r, "-ffp-contract=fast", NULL);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma"))
        add_option(r, "-mfma", NULL);
#endif
}

/* Whether one of a,b,c is such a word. */
static bool has_part(const char *list, const char *const *words)
{
    for (char *part = strtok(strdup(list), ","); part; part = strtok(NULL, ","))
        if (is_any(part, words))
            return true;
    return false;
}

/* lib/ has what linkers of others need; this one has the runtime. */
static bool is_runtime_library(const char *name)
{
    const char *root = getenv("HIP_CPU_ROOT");
    size_t length = root ? strlen(root) : 0;

    return length > 0 && strncmp(name, root, length) == 0 &&
           strncmp(name + length, "/lib", 4) == 0 && ends_with(name, ".so");
}

/* What it is compiled for, if this is such an option. */
static void note_target(struct request *r, const char *option, const char *next)
{
    static const char *const names[] = {"--offload-arch",
                                        "--amdgpu-target",
                                        "-mcpu",
                                        "-march",
                                        "-arch",
                                        "--gpu-architecture",
                                        "-gpu-architecture",
                                        "-gencode",
                                        "--generate-code",
                                        "-generate-code",
                                        NULL};
    const char *value = strchr(option, '=') ? strchr(option, '=') + 1 : next;
    char *name = strndup(option, strcspn(option, "="));

    r->target.wave64 |= strcmp(option, "-mwavefrontsize64") == 0;
    if (value && is_any(name, names))
        target_note(&r->target, value, strcmp(r->as, "nvcc") == 0);
    free(name);
}

/* One argument, and its value in the next one; how many these are. */
static int take(struct request *r, char **a)
{
    static const char *const kernels[] = {"hip", "cu", "cuda", NULL};
    static const char *const archive[] = {"--emit-static-lib", NULL};
    static const char *const device_link[] = {"--device-link", NULL};
    static const char *const warnings[] = {"all-warnings",
                                           "cross-execution-space-call",
                                           "reorder",
                                           "deprecated-declarations",
                                           "default-stream-launch",
                                           NULL};
    const char *option = option_renamed(*a), *value = NULL, *equals = strchr(option, '=');

    note_target(r, option, a[1]);
    if (contracts(option, a[1])) {
        contract(r);
        return equals ? 1 : 2;
    }
    if (equals && takes_next(option_renamed(strndup(option, (size_t)(equals - option))))) {
        char *words[] = {strndup(option, (size_t)(equals - option)), strdup(equals + 1), NULL};
        (void)take(r, words);
        return 1;
    }
    if (option_refused(option)) {
        fprintf(stderr, "%s: %s: %s\n", r->as, option, option_refused(option));
        r->refused = true;
        return 1;
    }
    if (option_is_ignored_with_next(option))
        return a[1] ? 2 : 1;
    if (is_any(option, archive) || is_any(option, device_link)) {
        r->archive |= is_any(option, archive);
        r->device_link |= is_any(option, device_link);
        return 1;
    }
    if (strcmp(option, "-Werror") == 0 && a[1] && has_part(a[1], warnings)) {
        add_option(r, "-Werror", NULL);
        return 2;
    }
    if (strcmp(option, "-O") == 0 && a[1] && strlen(a[1]) == 1 && strchr("0123s", a[1][0])) {
        char *level = strdup("-O0");
        level[2] = a[1][0];
        if (!(r->traced && option_is_untraceable(level)))
            add_option(r, level, NULL);
        return 2;
    }
    if (is_runtime_library(option))
        return 1;
    if (option_is_ignored(option) || (r->traced && option_is_untraceable(option)))
        return 1;
    if (strncmp(option, "--std=", 6) == 0 || strncmp(option, "-std=", 5) == 0)
        value = strchr(option, '=') + 1;
    if ((strcmp(option, "-std") == 0 || strcmp(option, "--std") == 0) && a[1])
        value = a[1];
    if (value) {
        add_option(r, strdup(option_standard(value)), NULL);
        return value == a[1] ? 2 : 1;
    }
    if (strncmp(option, "-Xcompiler=", 11) == 0 ||
        strncmp(option, "--compiler-options=", 19) == 0) {
        add_parts(r, NULL, strchr(option, '=') + 1);
    } else if ((strcmp(option, "-Xcompiler") == 0 ||
                (strcmp(option, "-Xlinker") == 0 && strcmp(r->as, "nvcc") == 0)) &&
               a[1]) {
        add_parts(r, strcmp(option, "-Xlinker") == 0 ? option : NULL, a[1]);
        return 2;
    } else if (strcmp(option, "-x") == 0 && a[1]) {
        r->language_given = strcmp(a[1], "none") != 0;
        add_option(r, "-x", is_any(a[1], kernels) ? "c++" : a[1]);
        return 2;
    } else if (strcmp(option, "-odir") == 0 && a[1]) {
        r->folder = a[1];
        return 2;
    } else if (takes_next(option) && a[1]) {
        add_option(r, option, a[1]);
        return 2;
    } else if (option[0] == '-' && option[1]) {
        add_option(r, option, NULL);
    } else {
        r->compiles = true;
        add_file(&r->all, option, r->language_given);
    }
    return 1;
}

/* ---- commands ---- */

static int compile_foreign(char **argv)
{
    return compile(argv, true);
}

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
        fprintf(stderr, "%s: %s: %s: set TMPDIR to a folder that can be written to\n", r->as,
                folder, strerror(errno));
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

/* -DHIP_CPU_WARP_SIZE=, or how the program will run. NULL: neither says it. */
static const char *fixed_warp_size(const struct request *r)
{
    for (size_t i = 0; i < r->options.count; i++) {
        const char *at = strstr(r->options.word[i], "HIP_CPU_WARP_SIZE=");
        if (at)
            return strchr(at, '=') + 1;
    }
    return r->target.number ? NULL : getenv("HIP_CPU_WARP_SIZE");
}

int drive(const char *as, const char *words, char **argv)
{
    struct request r = {
        .as = as, .links = true, .traced = getenv("HIP_CPU_TRACE") && *getenv("HIP_CPU_TRACE")};
    bool cuda = strcmp(as, "nvcc") == 0;
    char **arguments = read_arguments(as, argv);

    if (!arguments)
        return 2;
    if (identify(as, arguments))
        return 0;
    if (!read_words(words, &r.compiler, &r.linker)) {
        fprintf(stderr, "%s: %s cannot be read: make in the folder above bin/ builds it\n", as,
                words);
        return 3;
    }
    add_language(&r.compiler, cuda);
    if (isatty(STDERR_FILENO)) /* which is a pipe for the compiler */
        add(&r.compiler, "-fdiagnostics-color=always");
    for (char **a = arguments; *a;)
        a += take(&r, a);
    if (r.refused)
        return 2;
    target_define(&r.target, fixed_warp_size(&r), cuda, &r.compiler);
    drop_unknown(r.as, &r.compiler, &r.options, &r.all);
    if (r.device_link)
        return link_device(&r);
    if (r.links && r.compiles)
        return compile_and_link(&r);
    if (r.folder && !name_object(&r)) {
        fprintf(stderr, "%s: -odir %s: compile one source at a time, or name objects by -o\n", as,
                r.folder);
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
