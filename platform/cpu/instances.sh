#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints which types and operations runs of a variant need, such as double_sum+float_max.
#
#   instances.sh USUAL MORE      options; MORE has those of further runs in addition to the usual ones: "; --op=max; --type=float"
#
# Where few variants have a type or an operation, the program needs more to say so. The rows of types.h say which those are.
awk -v usual="$1" -v more="$2" '
    match($0, /row[(]x, (TYPE|OP)_[A-Z0-9]*, *[a-z0-9]+,/) {
        name = substr($0, RSTART, RLENGTH - 1)
        kind = name ~ /x, TYPE_/ ? "type" : "op"
        sub(/.*, */, "", name)
        place[kind, name] = ++count[kind]
    }
    /^#define COMMON_TYPES[(]/ { common["type"] = gsub(/[0-9][(]row/, "") }
    /^#define COMMON_OPERATIONS[(]/ { common["op"] = gsub(/[0-9][(]row/, "") }
    function need(instance,    i) { # in the order of the alphabet
        if (instance in needed) return
        needed[instance]
        for (i = ++total; i > 1 && all[i - 1] > instance; i--) all[i] = all[i - 1]
        all[i] = instance
    }
    END {
        runs = split(more, run, ";")
        for (r = 1; r <= (runs > 0 ? runs : 1); r++) {
            type = "double"; op = "sum"
            words = split(usual " " run[r], word, /[ =]+/)
            for (i = 1; i <= words; i++) {
                sub(/^-[cqLhV]*[to]/, "", word[i]) # -tfloat, -qomax
                if (("type", word[i]) in place) type = word[i]
                if (("op", word[i]) in place) op = word[i]
            }
            need(type "_" op)
            if (place["type", type] > common["type"]) { need("double_sum"); need("half_sum") }
            if (place["op", op] > common["op"]) { need("double_sum"); need("int_and") }
        }
        for (i = 1; i <= total; i++) printf "%s%s", all[i], i < total ? "+" : "\n"
    }' common/types.h
