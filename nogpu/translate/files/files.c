/* Reads a source and the author's headers, and writes copies of all of them if one of them has to change: then every
 * #include of a copy names a copy, whoever includes it.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../changes/changes.h"
#include "../loops/loops.h"
#include "../overloads/overloads.h"
#include "files.h"

struct file {
    char *name; /* what the compiler calls it */
    char *path; /* absolute, without links: one file is read once */
    char *copy; /* NULL: none yet */
    char *text;
    struct source source;
    struct edits edits;
    struct {
        size_t begin, end;
        struct file *header;
    } * include;
    size_t includes;
    bool followed;
    bool silent; /* from -isystem: the compiler does not warn */
};

static char *joined(const char *a, size_t a_length, const char *b, size_t b_length)
{
    char *text = must(malloc(a_length + b_length + 1));
    memcpy(text, a, a_length);
    memcpy(text + a_length, b, b_length);
    text[a_length + b_length] = '\0';
    return text;
}

static void add(const char ***list, size_t *count, const char *value, size_t at)
{
    *list = must(realloc(*list, (*count + 1) * sizeof **list));
    memmove(*list + at + 1, *list + at, (*count - at) * sizeof **list);
    (*list)[at] = value;
    ++*count;
}

void files_search(struct files *f, const char *folder, enum search how)
{
    add(&f->search, &f->searched, folder, how == SEARCH_QUOTED ? f->quoted : how == SEARCH_OWN ? f->own : f->searched);
    f->quoted += how == SEARCH_QUOTED;
    f->own += how != SEARCH_SYSTEM;
}

void files_define(struct files *f, const char *definition) { add(&f->define, &f->defined, definition, f->defined); }

/* ---- reading ---- */

const char *own_header(const char *text)
{
    static char folder[2][PATH_MAX];
    static const char *const variable[2] = {"HIP_CPU_ROOT", "NOGPU_BUILD"};
    const char *at = NULL;

    for (size_t i = 0; i < 2 && !at; i++) {
        const char *root = getenv(variable[i]);
        if (!*folder[i])
            snprintf(folder[i], sizeof folder[i], "%s/include/", root ? root : "/nogpu");
        at = strstr(text, folder[i]);
    }
    return at;
}

/* Those of the system, and our own: they have no launches. */
static bool is_system(const char *path)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib", "/usr/local/include/", "/usr/local/cuda",
                                          "/opt/rocm"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return own_header(path) != NULL;
}

static char *read_text(const char *path, size_t *length)
{
    struct stat status;
    FILE *in = fopen(path, "rb");
    char *text = NULL;

    if (in && fstat(fileno(in), &status) == 0 && S_ISREG(status.st_mode)) {
        text = must(malloc((size_t)status.st_size + 1));
        *length = fread(text, 1, (size_t)status.st_size, in);
        if (*length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a mark of UTF-8 */
            *length -= 3;
            memmove(text, text + 3, *length);
        }
    }
    if (in)
        fclose(in);
    return text;
}

/* The file of this name, read; NULL: there is none, or it is the system's. Takes the name. */
static struct file *file_of(struct files *f, char *name)
{
    char *path = realpath(name, NULL), *text = NULL;
    size_t length;

    if (path && !is_system(path)) {
        for (size_t i = 0; i < f->count; i++)
            if (strcmp(f->file[i]->path, path) == 0) {
                free(path);
                free(name);
                return f->file[i];
            }
        text = read_text(path, &length);
    }
    if (!text) {
        free(path);
        free(name);
        return NULL;
    }
    struct file *file = must(calloc(1, sizeof *file));
    file->name = name;
    file->path = path;
    file->text = text;
    file->source = source_read(text, length);
    find_launches(&file->source, &file->edits, &f->configurations);
    find_shared(&file->source, &file->edits);
    find_names(&file->source, &file->edits);
    find_device(&file->source, &file->edits);
    find_overloads(&file->source, &file->edits);
    find_threads(&file->source, f->foreign, &file->edits);
    find_both(&file->source, &file->edits);
    f->file = must(realloc(f->file, (f->count + 1) * sizeof *f->file));
    return f->file[f->count++] = file;
}

bool files_mention_device(const struct files *f)
{
    static const char *const words[] = {"hip", "cuda", "__global__", "__device__", "__shared__", "__constant__"};
    for (size_t i = 0; i < f->count; i++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (memmem(f->file[i]->text, f->file[i]->source.length, words[w], strlen(words[w])))
                return true;
    return f->count == 0;
}

/* ---- #include ---- */

static struct file *find_header(struct files *f, const struct file *from, const char *name, size_t length, bool quoted)
{
    struct file *found = NULL;

    if (length == 0)
        return NULL;
    if (name[0] == '/')
        return file_of(f, joined("", 0, name, length));
    if (quoted) {
        const char *slash = strrchr(from->name, '/');
        found = file_of(f, joined(from->name, slash ? (size_t)(slash + 1 - from->name) : 0, name, length));
    }
    for (size_t i = quoted ? 0 : f->quoted; !found && i < f->searched; i++) {
        char *folder = joined(f->search[i], strlen(f->search[i]), "/", 1);
        found = file_of(f, joined(folder, strlen(folder), name, length));
        if (found && i >= f->own)
            found->silent = true;
        free(folder);
    }
    return found;
}

/* #include NAME with -DNAME="file" on the command line. */
static struct file *find_defined(struct files *f, const struct file *from, const char *word, size_t length)
{
    for (size_t i = 0; i < f->defined; i++) {
        const char *value = f->define[i] + length;
        if (strncmp(f->define[i], word, length) == 0 && value[0] == '=' && value[1] == '"' && strchr(value + 2, '"'))
            return find_header(f, from, value + 2, (size_t)(strchr(value + 2, '"') - value - 2), true);
    }
    return NULL;
}

/* The header of an #include whose operand begins at `at`, and where that ends. */
static struct file *operand(struct files *f, const struct file *from, size_t at, size_t *end)
{
    const struct source *s = &from->source;
    char close = s->code[at] == '<' ? '>' : '"';

    for (*end = at + 1; *end < s->length && s->text[*end] != '\n'; ++*end) {
        if (is_word(s->code[at]) && !is_word(s->code[*end]))
            break;
        if (!is_word(s->code[at]) && s->text[*end] == close) {
            ++*end;
            return find_header(f, from, s->text + at + 1, *end - at - 2, close == '"');
        }
    }
    return is_word(s->code[at]) ? find_defined(f, from, s->text + at, *end - at) : NULL;
}

static void includes_add(struct file *file, size_t begin, size_t end, struct file *header)
{
    file->include = must(realloc(file->include, (file->includes + 1) * sizeof *file->include));
    file->include[file->includes].begin = begin;
    file->include[file->includes].end = end;
    file->include[file->includes++].header = header;
}

static void follow_includes(struct files *f, struct file *file)
{
    const struct source *s = &file->source;
    const char *hash;

    if (file->followed)
        return;
    file->followed = true;
    for (size_t at = 0, end; (hash = memchr(s->code + at, '#', s->length - at)); at = end) {
        end = (size_t)(hash - s->code) + 1;
        size_t word = skip_blanks(s, end), behind = word_end(s, word);
        if (!s->directive[end - 1] || (end > 1 && s->directive[end - 2]))
            continue;
        at = skip_blanks(s, behind);
        if (!is_text(s, word, behind, "include") || at >= s->length || !s->directive[at])
            continue;
        struct file *header = operand(f, file, at, &behind);
        if (header)
            includes_add(file, at, behind, header);
    }
}

/* ---- writing ---- */

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool write_copy(struct file *file)
{
    struct text out = {0};

    for (size_t i = 0; i < file->includes; i++)
        text_print(edits_add(&file->edits, file->include[i].begin, file->include[i].end, false), "\"%s\"",
                   file->include[i].header->copy);
    if (file->silent)
        text_print(&out, "#pragma GCC system_header\n");
    edits_apply(&file->source, &file->edits, file->name, &out);
    FILE *to = make_folders(file->copy) ? fopen(file->copy, "wb") : NULL;
    bool written = to && fwrite(out.data, 1, out.length, to) == out.length;
    written = to && fclose(to) == 0 && written;
    text_free(&out);
    return written;
}

/* All that are known, of one source or several. */
static bool write_copies(struct files *f)
{
    size_t length = strlen(f->folder);

    if (strcmp(f->folder + length - 6, "XXXXXX") == 0 && !mkdtemp(f->folder))
        return false;
    size_t first = 0;
    while (first < f->count && f->file[first]->copy)
        first++;
    for (size_t i = first; i < f->count; i++)
        f->file[i]->copy = joined(f->folder, length, f->file[i]->path, strlen(f->file[i]->path));
    for (size_t i = first; i < f->count; i++)
        if (!write_copy(f->file[i]))
            return false;
    return true;
}

/* Of the files that are not yet written. */
static void add_loops(struct files *f)
{
    struct sources all = {.source = must(malloc(f->count * sizeof *all.source)), .answers = answers_new()};

    for (; all.count < f->count; all.count++)
        all.source[all.count] = &f->file[all.count]->source;
    for (size_t i = 0; i < f->count; i++)
        if (f->loops && !f->file[i]->copy && !f->file[i]->silent)
            find_loops(&all, &f->file[i]->source, f->file[i]->name, &f->file[i]->edits);
    answers_free(all.answers);
    free(all.source);
}

char *files_translate(struct files *f, char *source)
{
    bool changed = false;
    struct text kernels = {0};
    struct file *file = file_of(f, joined(source, strlen(source), "", 0));

    f->failed = 2;
    if (!file) {
        struct stat status; /* a source of the system's, or none */
        if (stat(source, &status) == 0 && S_ISREG(status.st_mode))
            return source;
        fprintf(stderr, "%s: no such file\n", source);
        return NULL;
    }
    for (size_t i = 0; i < f->count; i++) { /* which finds more of them */
        follow_includes(f, f->file[i]);
        find_kernels(&f->file[i]->source, &kernels);
    }
    for (size_t i = 0; i < f->count; i++) {
        if (!f->file[i]->copy) {
            find_addresses(&f->file[i]->source, &kernels, &f->file[i]->edits);
            find_configured(&f->file[i]->source, &f->configurations, &f->file[i]->edits);
        }
    }
    add_loops(f);
    for (size_t i = 0; i < f->count; i++)
        changed |= f->file[i]->edits.count > 0;
    text_free(&kernels);
    if (!changed)
        return source;
    f->failed = 3;
    if (!write_copies(f)) {
        fprintf(stderr, "%s: %s: set TMPDIR to a folder that can be written to\n", f->folder, strerror(errno));
        return NULL;
    }
    return file->copy;
}
