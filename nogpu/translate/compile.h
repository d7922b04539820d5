/* The command of a compiler.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_COMPILE_H
#define HIP_CPU_TRANSLATE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

/* Runs argv[0], with copies for sources that have to be translated. Kernels of this project must not end before a
 * barrier; those of others (foreign) may. The exit code: the compiler's; 2: a source cannot be read; 3: out of memory, or
 * no temporary folder. */
int compile(char **argv, bool foreign);

/* What nogpu/bin/hipcc and nvcc do with their arguments, as one of them. `words` is a file with a word in each
 * line: those of the compiler's command, an empty line, and those for linking; {nogpu}, {build} and {compiled} in
 * it are the folders in HIP_CPU_ROOT, NOGPU_BUILD and NOGPU_COMPILED. The exit code. */
int drive(const char *as, const char *words, char **argv);

/* Writes the header TO, which includes the next one of this name, and TO.gch, which is it compiled, with these options too.
 * The exit code. */
int compile_header(const char *header, const char *words, const char *to, char **options);

bool is_any(const char *text, const char *const *words);
/* What the file argv[i] is written in, by -x before it or by the end of its name: "c++", "c" ...; NULL: it is no source. */
const char *language_at(char *const *argv, size_t i);
bool is_cpp_at(char *const *argv, size_t i);
/* Options of the compiler whose value is the next argument. */
bool takes_next(const char *option);

#endif
