/* The main program of every variant.
 * SPDX-License-Identifier: MIT */
#include "harness.h"

int main(int argc, char **argv)
{
    return harness_run(linked_variant(), argc, argv);
}
