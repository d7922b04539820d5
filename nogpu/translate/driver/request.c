/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../source/text.h"
#include "options.h"
#include "request.h"

/* NOLINTBEGIN(clang-analyzer-unix.Malloc): words live as long as the process */

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
    static const char *const words[] = {"-fmad=true", "--fmad=true", "-ffp-contract=fast", "-ffp-contract=on", NULL};
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

    return length > 0 && strncmp(name, root, length) == 0 && strncmp(name + length, "/lib", 4) == 0 &&
           ends_with(name, ".so");
}

/* What it is compiled for, if this is such an option. */
static void note_target(struct request *r, const char *option, const char *next)
{
    static const char *const names[] = {
        "--offload-arch",    "--amdgpu-target", "-mcpu",           "-march",         "-arch", "--gpu-architecture",
        "-gpu-architecture", "-gencode",        "--generate-code", "-generate-code", NULL};
    const char *value = strchr(option, '=') ? strchr(option, '=') + 1 : next;
    char *name = strndup(option, strcspn(option, "="));

    r->target.wave64 |= strcmp(option, "-mwavefrontsize64") == 0;
    if (value && is_any(name, names))
        target_note(&r->target, value, strcmp(r->as, "nvcc") == 0);
    free(name);
}

int request_take(struct request *r, char **a)
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
        (void)request_take(r, words);
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
    if (strncmp(option, "-fsanitize=", 11) == 0 &&
        (strstr(option, "undefined") || strstr(option, "signed-integer-overflow")))
        add_option(r, "-fno-wrapv", NULL); /* who asks for it wants to know where integers wrap */
    if (strncmp(option, "--std=", 6) == 0 || strncmp(option, "-std=", 5) == 0)
        value = strchr(option, '=') + 1;
    if ((strcmp(option, "-std") == 0 || strcmp(option, "--std") == 0) && a[1])
        value = a[1];
    if (value) {
        add_option(r, strdup(option_standard(value)), NULL);
        return value == a[1] ? 2 : 1;
    }
    if (strncmp(option, "-Xcompiler=", 11) == 0 || strncmp(option, "--compiler-options=", 19) == 0) {
        add_parts(r, NULL, strchr(option, '=') + 1);
    } else if ((strcmp(option, "-Xcompiler") == 0 || (strcmp(option, "-Xlinker") == 0 && strcmp(r->as, "nvcc") == 0)) &&
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

const char *request_warp_size(const struct request *r)
{
    for (size_t i = 0; i < r->options.count; i++) {
        const char *at = strstr(r->options.word[i], "HIP_CPU_WARP_SIZE=");
        if (at)
            return strchr(at, '=') + 1;
    }
    return r->target.number ? NULL : getenv("HIP_CPU_WARP_SIZE");
}

/* NOLINTEND(clang-analyzer-unix.Malloc) */
