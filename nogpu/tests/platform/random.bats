#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# Random kernels: each thread's values, bit for bit what the host computes for it (tests/random/random_kernels.py).
load ../lib/check

@test "random kernels compute on the device what they compute on the host" {
    count=200
    [ "$level" != all ] || count=10000
    try python3 tests/random/random_kernels.py --run 1 $count --spread --each 17
    ends 0 "^$count kernels"
}

@test "a seed makes one kernel, and a difference is named" {
    python3 tests/random/random_kernels.py --write "$BATS_TEST_TMPDIR/k.cu" 2 1
    python3 tests/random/random_kernels.py --write "$BATS_TEST_TMPDIR/again.cu" 1 3
    check 'one kernel' grep -qxFf "$BATS_TEST_TMPDIR/again.cu" "$BATS_TEST_TMPDIR/k.cu"
    sed 's/me\[t\].v0 = /me[t].v0 = 1 + /' "$BATS_TEST_TMPDIR/k.cu" >"$BATS_TEST_TMPDIR/wrong.cu"
    try bin/nvcc -w -o "$BATS_TEST_TMPDIR/wrong" "$BATS_TEST_TMPDIR/wrong.cu"
    ends 0
    try "$BATS_TEST_TMPDIR/wrong"
    ends 1 '^seed 2: block 0, thread 0, v[0-9]*: .* on the device, .* on the host'
}
