/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no library for linear algebra (BLAS): build for a GPU"
