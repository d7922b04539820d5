/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no library of solvers: build for a GPU"
