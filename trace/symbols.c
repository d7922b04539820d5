/* Names of variables from the program's own symbol table: static __shared__ arrays, which are thread-local
 * here, and __device__ variables. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace_internal.h"

extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

struct symbol {
    uintptr_t value; /* offset in the thread-local segment, or address in the file */
    size_t bytes;
    const char *name; /* mangled */
    bool local_to_thread;
};

static struct symbol *symbols;
static size_t symbols_count;
static uintptr_t anchor;                /* value of hip_cpu_current */
static uintptr_t fixed_low, fixed_high; /* values between which static shared variables lie */
static size_t local_bytes;              /* of all thread-local variables */

/* Thread-local variables of kernels have C++ names or, outside of functions, may be global; the others are the runtime's.
 * Variables that are not thread-local are asked for only if a kernel uses them. */
static bool is_kernels(const char *name, unsigned type, unsigned binding)
{
    if (type != STT_TLS)
        return type == STT_OBJECT;
    if (strncmp(name, "_Z", 2) == 0)
        return strncmp(name, "_ZGV", 4) != 0;
    return binding != STB_LOCAL && strncmp(name, "hip_cpu_", 8) != 0; /* outside of functions */
}

static void take_symbols(const char *image, size_t size)
{
    const ElfW(Ehdr) *header = (const void *)image;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return;
    const ElfW(Phdr) *segment = (const void *)(image + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_TLS)
            local_bytes = segment[i].p_memsz;
    const ElfW(Shdr) *section = (const void *)(image + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (section[i].sh_type != SHT_SYMTAB)
            continue;
        const ElfW(Sym) *symbol = (const void *)(image + section[i].sh_offset);
        const char *names = image + section[section[i].sh_link].sh_offset;
        size_t count = section[i].sh_size / sizeof *symbol;
        symbols = calloc(count, sizeof *symbols);
        for (size_t k = 0; symbols && k < count; k++) {
            unsigned type = symbol[k].st_info & 15;
            const char *name = names + symbol[k].st_name;
            if (type == STT_TLS && strcmp(name, "hip_cpu_current") == 0)
                anchor = symbol[k].st_value;
            if (!is_kernels(name, type, symbol[k].st_info >> 4))
                continue;
            struct symbol *s = &symbols[symbols_count++];
            s->value = symbol[k].st_value;
            s->bytes = symbol[k].st_size;
            s->name = strdup(name);
            s->local_to_thread = type == STT_TLS;
            if (type != STT_TLS)
                continue;
            if (fixed_high == 0 || s->value < fixed_low)
                fixed_low = s->value;
            if (s->value + s->bytes > fixed_high)
                fixed_high = s->value + s->bytes;
        }
    }
}

static void read_symbols(void)
{
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

    if (file >= 0 && fstat(file, &status) == 0) {
        size_t size = (size_t)status.st_size;
        char *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            take_symbols(image, size);
            munmap(image, size);
        }
    }
    if (file >= 0)
        close(file);
}

static void read_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_symbols);
}

void trace_fixed_shared(uintptr_t *start, size_t *bytes)
{
    read_once();
    *start = (uintptr_t)&hip_cpu_current + fixed_low - anchor;
    *bytes = fixed_high - fixed_low;
}

bool trace_is_local(uintptr_t address)
{
    read_once();
    return address - ((uintptr_t)&hip_cpu_current - anchor) < local_bytes;
}

bool trace_shared_before(uintptr_t address, struct trace_variable *v)
{
    const struct symbol *best = NULL;
    uintptr_t offset = address - ((uintptr_t)&hip_cpu_current - anchor);

    for (size_t i = 0; i < symbols_count; i++)
        if (symbols[i].local_to_thread && symbols[i].value < offset &&
            (!best || symbols[i].value > best->value))
            best = &symbols[i];
    return best && trace_variable_at(address - (offset - best->value), v);
}

/* "double_sum::reduce(double const*)::last" to "last". */
static const char *plain_name(const char *mangled)
{
    static char *text;
    static size_t size;
    int status;

    free(text);
    text = __cxa_demangle(mangled, NULL, &size, &status);
    if (!text)
        return mangled;
    char *name = text;
    for (char *colons = name; (colons = strstr(colons, "::"));)
        name = colons += 2;
    return name;
}

bool trace_variable_at(uintptr_t address, struct trace_variable *v)
{
    read_once();
    for (size_t i = 0; i < symbols_count; i++) {
        const struct symbol *s = &symbols[i];
        uintptr_t start = s->local_to_thread ? (uintptr_t)&hip_cpu_current + s->value - anchor
                                             : trace_load_base() + s->value;
        if (address - start < s->bytes) {
            *v = (struct trace_variable){plain_name(s->name), start, s->bytes, s->value,
                                         s->local_to_thread};
            return true;
        }
    }
    return false;
}
