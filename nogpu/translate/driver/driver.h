/* hipcc and nvcc.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_DRIVER_H
#define HIP_CPU_TRANSLATE_DRIVER_H

/* What nogpu/bin/hipcc and nvcc do with their arguments, as one of them. `words` is a file with a word in each
 * line: those of the compiler's command, an empty line, and those for linking; {nogpu}, {build} and {compiled} in
 * it are the folders in HIP_CPU_ROOT, NOGPU_BUILD and NOGPU_COMPILED. The exit code. */
int drive(const char *as, const char *words, char **argv);

/* Writes the header TO, which includes the next one of this name, and TO.gch, which is it compiled, with these options too.
 * The exit code. */
int compile_header(const char *header, const char *words, const char *to, char **options);

#endif
