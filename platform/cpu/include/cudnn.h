/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no library for neural networks: build for a GPU"
