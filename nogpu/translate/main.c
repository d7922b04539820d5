/* hip_translate COMPILER ARGUMENT...                   before a compiler's command, as ccache
 * hip_translate --as hipcc|nvcc WORDS ARGUMENT...      what nogpu/bin/hipcc and nvcc call
 * hip_translate --headers NAME WORDS TO [OPTION]...    compiles a header that every source begins with
 *
 * Headers of the system are left alone. Dependencies (-MD, -MMD) name the author's files. Exit code: see compile.h.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "compiler/compile.h"
#include "driver/driver.h"

int main(int argc, char **argv)
{
    bool header = argc > 1 && strcmp(argv[1], "--headers") == 0;

    if (argc < 2 || (strcmp(argv[1], "--as") == 0 && argc < 4) || (header && argc < 5)) {
        fprintf(stderr, "usage: hip_translate COMPILER ARGUMENT...\n"
                        "Translates kernel<<<...>>>() and extern __shared__, and runs the compiler.\n");
        return 2;
    }
    if (header)
        return compile_header(argv[2], argv[3], argv[4], argv + 5);
    if (strcmp(argv[1], "--as") != 0)
        return compile(argv + 1, false);
    return drive(argv[2], argv[3], argv + 4);
}
