#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs hipcc with its own temporary folder, and removes it: clang leaves an empty folder there for each target.
#
#   hipcc.sh COMPILER ARGUMENT...
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
TMPDIR=$folder "$@"
