/* Commands: their words, and running them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_COMMAND_H
#define HIP_CPU_TRANSLATE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* A list of words that ends with NULL; they live as long as the process. */
struct words {
    char **word;
    size_t count;
};
void add(struct words *w, const char *word);
void add_all(struct words *to, const struct words *from);
/* What comes before the first option: ccache g++. */
void add_program(struct words *to, const struct words *from);

/* What the file argv[i] is written in, by -x before it or by the end of its name: "c++", "c" ...; NULL: it is no source. */
const char *language_at(char *const *argv, size_t i);
bool is_cpp_at(char *const *argv, size_t i);
/* Options of the compiler whose value is the next argument. */
bool takes_next(const char *option);

/* Becomes the command; returns if it cannot: 127. */
int execute(char **argv);
/* Runs function(argv) in a process of its own, `errors` being its error output unless that is negative. The exit code; 1:
 * it has none. */
int run_child(int (*function)(char **), char **argv, int errors);

#endif
