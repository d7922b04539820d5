#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# bench/csv/versus.py, CSV and JSON; the message if Python is missing.
# shellcheck disable=SC2154
load ../lib/check

@test 'names with commas and quotes, and medians across a power of ten' {
    echo 'program,device,type,op,n,bytes,grid,block,kernel_min_us,kernel_mean_us,kernel_p95_us,check' >"$work/rounds.csv"
    for ours in 9.3 10.5 9.5; do # sorted as text, 10.5 would come first
        for program in single_pass,$ours prim,19; do
            us=${program#*,}
            echo "reduction_${program%,*},\"AMD \"\"Instinct\"\", MI210\",float,sum,65536,262144,8,512,$us,$us,$us,OK"
        done
    done >>"$work/rounds.csv"
    try python3 bench/csv/versus.py "$work/rounds.csv"
    ends 0 '^| 64K | 19.00 (19.00, 19.00) | 9.50 (9.30, 9.50) | 2.000 | 28 | 8 x 512 |$' \
        '^| float sum | - | 2.000 | - | - | - | 2.000 at 64K |$'
}
@test 'Python reads the JSON, which has the values of the CSV' {
    echo '1 nan 2' >"$work/input"
    for format in csv json; do
        "$bin/reduction_statistics/reduction_statistics" --input "$work/input" -i 1 -w 0 --ceiling 1 -f $format >"$work/one.$format" || true
        "$bin/reduction_shfl/reduction_shfl" -n 5,0 -p ones -i 1 -w 0 --ceiling 1 -f $format >"$work/two.$format"
    done
    python3 - "$work" <<'END'
import csv, json, sys
for name, rows in ("one", 1), ("two", 2):
    table = list(csv.DictReader(open(f"{sys.argv[1]}/{name}.csv")))
    objects = json.load(open(f"{sys.argv[1]}/{name}.json"))
    assert len(table) == len(objects) == rows
    for row, found in zip(table, objects):
        assert list(row) == list(found), set(row) ^ set(found)
        for key, value in found.items():
            assert row[key] == ("" if value is None else str(value)) or "_us" in key or "_gbps" in key or \
                float(row[key]) == value, (key, row[key], value)
END
}
@test 'without Python: one line' {
    try make -s plot CSV=results/h200/sweep/sweep.csv PYTHON=python9
    ends 2 '^make plot needs Python 3.8 or newer, and python9 is not found'
    try make -s GPU=cpu PYTHON=python9 asm V=shfl
    ends 2 '^make asm needs Python 3.8'
}
