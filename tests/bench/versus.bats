#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# bench/csv/versus.py and the reader of our CSV; what is said where Python is missing.
# shellcheck disable=SC2154
load ../lib/check

@test 'a name with commas and quotes, and medians over a power of ten' {
    echo 'program,device,type,op,n,bytes,grid,block,kernel_min_us,kernel_mean_us,kernel_p95_us,check' >"$work/rounds.csv"
    for ours in 9.3 10.5 9.5; do # as text, 10.5 comes first
        for program in single_pass,$ours prim,19; do
            us=${program#*,}
            echo "reduction_${program%,*},\"AMD \"\"Instinct\"\", MI210\",float,sum,65536,262144,8,512,$us,$us,$us,OK"
        done
    done >>"$work/rounds.csv"
    try python3 bench/csv/versus.py "$work/rounds.csv"
    ends 0 '^| 64K | 19.00 (19.00, 19.00) | 9.50 (9.30, 9.50) | 2.000 | 28 | 8 x 512 |$' \
        '^| float sum | - | 2.000 | - | - | - | 2.000 at 64K |$'
    try python3 bench/csv/columns.py "$work/rounds.csv" device n
    ends 0 '^AMD "Instinct", MI210 65536$'
    echo 'cut,short' >>"$work/rounds.csv"
    try python3 bench/csv/columns.py "$work/rounds.csv"
    ends 3 'line 8: 2 fields'
}
@test 'without Python: one line' {
    try make -s plot CSV=results/h200/sweep/sweep.csv PYTHON=python9
    ends 2 '^make plot needs Python 3.8 or newer, and python9 is not found'
    try make -s GPU=cpu PYTHON=python9 asm V=shfl
    ends 2 '^make asm needs Python 3.8'
}
