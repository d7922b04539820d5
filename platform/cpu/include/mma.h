/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no matrix instructions: build for a GPU"
