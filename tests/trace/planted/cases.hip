/* Runs one small kernel: cases LIST NAME right|fault; or lists them all: cases list.
 * Exit code 1: its result was wrong.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        const struct planted_case *cases;
    } lists[] = {
        {"tricky", tricky},         {"wide", wide},     {"progress", progress},
        {"algorithms", algorithms}, {"scopes", scopes},
    };

    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        for (const struct planted_case *c = lists[l].cases; c->name != NULL; c++) {
            if (argc == 2)
                printf("%s|%s|%s\n", lists[l].name, c->name, c->fault != NULL ? c->fault : "");
            if (argc == 4 && strcmp(argv[1], lists[l].name) == 0 && strcmp(argv[2], c->name) == 0) {
                bool right = c->run(strcmp(argv[3], "fault") == 0);
                printf("result %s\n", right ? "right" : "wrong");
                return right ? 0 : 1;
            }
        }
    }
    return argc == 2 ? 0 : 2;
}
