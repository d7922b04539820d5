#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the compiler's option for a variant of few types and operations (common/instances/instance.h).
#
#   only.sh double_sum+float_max
echo "-DONLY(type,op)=$(echo "$1" | tr 'a-z+' 'A-Z|' | sed 's/\([A-Z0-9]*\)_\([A-Z]*\)/(type==TYPE_\1\&\&op==OP_\2)/g; s/|/||/g')"
