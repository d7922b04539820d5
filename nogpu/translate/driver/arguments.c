/* The arguments of hipcc and nvcc before they are options: files of arguments, and questions about the compiler.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/command.h"
#include "../source/text.h"
#include "arguments.h"
#include "options.h"

/* NOLINTBEGIN(clang-analyzer-unix.Malloc): words live as long as the process */

/* One word, with quotes and backslashes as in a shell; NULL: none is left. */
static char *next_word(const char **at)
{
    const char *from = *at;
    char quote = 0, *word, *to;

    while (isspace((unsigned char)*from))
        from++;
    if (!*from)
        return NULL;
    to = word = must(malloc(strlen(from) + 1));
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (*from == quote)
            quote = 0;
        else if (!quote && (*from == '"' || *from == '\''))
            quote = *from;
        else if (*from == '\\' && quote != '\'' && from[1])
            *to++ = *++from;
        else
            *to++ = *from;
    }
    *to = '\0';
    *at = from;
    return word;
}

static void add_words(struct words *l, const char *text)
{
    char *word;

    while (text && (word = next_word(&text)))
        add(l, word);
}

static bool read_words(struct words *l, const char *name)
{
    FILE *file = fopen(name, "r");
    char *text = NULL;
    size_t size = 0;

    if (!file) {
        fprintf(stderr, "hipcc: %s: %s\n", name, strerror(errno));
        return false;
    }
    if (getdelim(&text, &size, '\0', file) > 0)
        add_words(l, text);
    free(text);
    fclose(file);
    return true;
}

char **read_arguments(const char *as, char **argv)
{
    bool cuda = strcmp(as, "nvcc") == 0;
    struct words l = {must(calloc(1, sizeof *l.word)), 0};

    if (cuda)
        add_words(&l, getenv("NVCC_PREPEND_FLAGS"));
    for (; *argv; argv++) {
        bool next = strcmp(*argv, "--options-file") == 0 || strcmp(*argv, "-optf") == 0;
        const char *file = strncmp(*argv, "--options-file=", 15) == 0 ? *argv + 15
                           : strncmp(*argv, "-optf=", 6) == 0         ? *argv + 6
                                                                      : NULL;
        if (file ? !read_words(&l, file) : false)
            return NULL;
        if (file)
            continue;
        if (!next && **argv != '@')
            add(&l, *argv);
        else if (!read_words(&l, next && argv[1] ? *++argv : *argv + 1))
            return NULL;
    }
    add_words(&l, getenv(cuda ? "NVCC_APPEND_FLAGS" : "HIPCC_COMPILE_FLAGS_APPEND"));
    return l.word;
}

static bool has(char **argv, const char *word)
{
    while (*argv && strcmp(*argv, word) != 0)
        argv += argv[1] && option_is_ignored_with_next(*argv) ? 2 : 1; /* -Xptxas -v */
    return *argv != NULL;
}

/* CMake knows nvcc by a line of its version, and takes folders, an architecture and the linker's command from what it
 * says with -v. */
static void describe(const char *root)
{
    fprintf(stderr,
            "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s/bin\n"
            "#$ INCLUDES=\"-I%s/include\"\n#$ LIBRARIES=  \"-L%s/lib\"\n"
            "\n#$ \"%s/bin/nvcc\" -arch compute_80 -o a.out \"-L%s/lib\"\n",
            root, root, root, root, root, root, root);
}

bool identify(const char *as, char **argv)
{
    bool cuda = strcmp(as, "nvcc") == 0;
    const char *root = getenv("HIP_CPU_ROOT");

    if (has(argv, "--version") || (cuda && has(argv, "-V"))) {
        printf(cuda ? "HIP on the CPU, with the host's compiler and the options of\n"
                      "nvcc: NVIDIA (R) Cuda compiler driver\n"
                      "Cuda compilation tools, release 12.0, V12.0.0\n"
                    : "HIP version: 6.0.0 (for the CPU, with the host's compiler)\n");
        return true;
    }
    if (cuda && has(argv, "--list-gpu-arch"))
        return printf("compute_80\n") > 0;
    if (cuda && has(argv, "--list-gpu-code"))
        return printf("sm_80\n") > 0;
    if (cuda && root && (has(argv, "-v") || has(argv, "--dryrun") || has(argv, "-dryrun")))
        describe(root);
    return has(argv, "__cmake_determine_cuda") || has(argv, "--dryrun") || has(argv, "-dryrun");
}

/* NOLINTEND(clang-analyzer-unix.Malloc) */
