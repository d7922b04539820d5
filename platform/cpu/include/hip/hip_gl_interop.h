/* SPDX-License-Identifier: MIT */
#error                                                                                             \
    "the CPU platform has no graphics interop: build for a GPU, or leave this part of the program out"
