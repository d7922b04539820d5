#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Which file may include which: arrows point down (docs/architecture.md).
load ../lib/check

@test "no file and no folder includes itself through others, or calls itself" {
    try python3 tests/build/includes.py . "${run%/bin/run}"
    ends 0 'files include others, [0-9]* objects call others'
}
