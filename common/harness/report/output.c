/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"

void output_begin(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void output_check(FILE *out)
{
    errno = 0;
    if (fflush(out) == 0 && !ferror(out))
        return;
    fprintf(stderr, "the output could not be written%s%s: %s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "",
            errno == EPIPE   ? "the reader has exited; let it read to the end"
            : errno == EFBIG ? "raise the limit with ulimit -f, or write elsewhere"
                             : "free some space there, or write elsewhere");
    exit(EXIT_DEVICE);
}
