/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no run-time compilation: build for a GPU"
