/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no textures: build for a GPU"
