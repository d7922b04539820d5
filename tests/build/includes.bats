#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# Includes and calls only point down (docs/architecture.md).
load ../lib/check

@test "no cycles of includes or calls, among files and among folders" {
    try python3 tests/build/includes.py . "${run%/bin/run}"
    ends 0 'files include others, [0-9]* objects call others'
}
