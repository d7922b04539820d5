/* Runs one small kernel (cases LIST NAME right|fault) or all right ones (cases right), or lists them (cases list). Exit
 * code 1: a result was wrong.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        const struct planted_case *cases;
    } lists[] = {
        {"wide", wide}, {"algorithms", algorithms}, {"scopes", scopes}, {"streams", streams}, {"pairs", pairs},
    };

    const char *what = argc == 2 ? argv[1] : "";
    bool right = true, found = argc == 2;

    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        for (const struct planted_case *c = lists[l].cases; c->name != NULL; c++) {
            if (strcmp(what, "list") == 0)
                printf("%s|%s|%s\n", lists[l].name, c->name, c->fault != NULL ? c->fault : "");
            bool is_wanted = argc == 4 && strcmp(argv[1], lists[l].name) == 0 && strcmp(argv[2], c->name) == 0;
            if (!is_wanted && strcmp(what, "right") != 0)
                continue;
            found = true;
            if (c->run(argc == 4 && strcmp(argv[3], "fault") == 0))
                continue;
            printf("%s: wrong result\n", c->name);
            right = false;
        }
    }
    return !found ? 2 : right ? 0 : 1;
}
