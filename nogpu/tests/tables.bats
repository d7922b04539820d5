#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A row of a table is more than its row: something counts it, reads it, or finds it.

here=$BATS_TEST_DIRNAME/..

@test "each counter of explain is counted" {
    counters=$(sed -n 's/^    row(\([a-z]*\), *\(ADDED\|LARGEST\),.*/\1/p' "$here/trace/explain/explain.h")
    [ "$(wc -w <<<"$counters")" -ge 13 ]
    for counter in $counters; do
        grep -qE "(->|\.)$counter( \+?= |\+\+)" "$here"/trace/explain/*.c || { echo "nothing counts $counter" && return 1; }
    done
}

@test "each setting is read" {
    settings=$(tr '\n' ' ' <"$here/runtime/config.c" | grep -oE '\{"HIP_CPU_[A-Z_]+"[^{}]* NULL\}' | cut -d '"' -f 2)
    [ "$(wc -w <<<"$settings")" -ge 9 ]
    for setting in $settings; do
        grep -rqE "(hip_cpu_setting|getenv)\(\"$setting\"\)" "$here/runtime" "$here/trace" "$here/translate" || { echo "nothing reads $setting" && return 1; }
    done
}
