/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no surfaces: build for a GPU"
