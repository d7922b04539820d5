#!/bin/sh
# SPDX-License-Identifier: MIT
# only.sh double_sum+float_max: the compiler's option for a variant of these alone (common/instances/instance.h).
echo "-DONLY(type,op)=$(echo "$1" | tr 'a-z+' 'A-Z|' | sed 's/\([A-Z0-9]*\)_\([A-Z]*\)/(type==TYPE_\1\&\&op==OP_\2)/g; s/|/||/g')"
