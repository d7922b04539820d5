/* SPDX-License-Identifier: MIT */
#error "the CPU platform has no graphics interop: build for a GPU"
