/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../source/text.h"
#include "command.h"
#include "dependencies.h"

char *dependencies_file(char **argv)
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

void mend_dependencies(const char *name, const char *folder)
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
