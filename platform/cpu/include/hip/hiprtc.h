/* SPDX-License-Identifier: MIT */
#error                                                                                             \
    "the CPU platform has no run-time compilation: build for a GPU, or leave this part of the program out"
