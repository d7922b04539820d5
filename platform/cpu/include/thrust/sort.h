/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no Thrust: build for a GPU"
