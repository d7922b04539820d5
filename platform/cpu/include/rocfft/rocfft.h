/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no library for Fourier transforms: build for a GPU"
