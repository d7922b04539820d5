/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no library of random numbers: build for a GPU"
