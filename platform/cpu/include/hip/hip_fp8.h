/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no 8-bit floating-point numbers: use half, or build for a GPU"
