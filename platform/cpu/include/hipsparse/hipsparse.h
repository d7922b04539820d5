/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no library for sparse matrices: build for a GPU"
