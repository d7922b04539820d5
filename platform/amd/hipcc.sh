#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs hipcc with a temporary folder of its own: clang leaves an empty folder there for each target.
#
#   hipcc.sh COMPILER ARGUMENT...
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
TMPDIR=$folder "$@"
