#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Measured numbers in the documents are those of results/: after a line
#     <!-- from results/h200/ladder-double-sum.txt -->
# the next line begins a block marked ```text, and each line of the block that is not empty is a line of that file,
# to the letter. A command line that a file in results/ begins with is quoted in such a block and nowhere else.
load ../lib/check

@test "numbers in the documents are those that were measured" {
    for result in results/*/*.txt results/*/*/*.txt; do
        [ ! -f "$result" ] || head -n 1 "$result"
    done | grep '^# ' >"$work/heads"
    bad=0
    for document in $(documents *.md reduction_*/README.md reduction_*/appendix.md docs/*.md docs/*/*.md platform/*/README.md trace/README.md); do
        awk -v name="$document" -v heads="$work/heads" '
            function fail(text) { print "FAILED: " name ":" NR ": " text; failed = 1 }
            BEGIN { while ((getline line <heads) > 0) head[line] = 1 }
            state == 1 && $0 != "```text" { fail("a line \"```text\" belongs behind <!-- from " source " -->"); state = 0 }
            state == 1 { state = 2; lines = 0; next }
            state == 2 && /^```/ { if (!lines) fail("nothing is quoted from " source); state = 0; print "quoted"; next }
            state == 2 && NF { lines++; if (!(($0) in known)) fail("not a line of " source ": " $0) }
            state == 0 && ($0 in head) { fail("put <!-- from results/... --> before the block with: " $0) }
            /^<!-- from .* -->$/ && state == 0 {
                source = $3
                split("", known)
                while ((got = (getline line <source)) > 0) known[line] = 1
                if (got < 0) fail("there is no " source)
                close(source)
                state = 1
            }
            END { if (state) fail("the block from " source " does not end"); exit failed }' "$document" || bad=1
    done >"$work/said"
    check 'quotations are right' [ $bad -eq 0 ]
    check 'some document quotes results/' test -n "${REDUCTION_VARIANT:-}" -o -s "$work/said"
}

# table FILE OPTION... CSV: what versus.py prints are lines of the file, one after another
table() {
    local file=results/h200/$1
    shift
    python3 bench/csv/versus.py "$@" | awk '
        FNR == NR { want[++wanted] = $0; next }
        { have[++lines] = $0 }
        END {
            for (at = 0; at + wanted <= lines && wanted > 4; at++) {
                for (i = 1; i <= wanted && have[at + i] == want[i]; i++) ;
                if (i > wanted) exit 0
            }
            exit 1
        }' - "$file" || { echo "FAILED: $file is not what bench/csv/versus.py makes of: $*"; return 1; }
}

@test "the tables against the library are those of the measurements" {
    [ -z "${REDUCTION_VARIANT:-}" ] || wanted single_pass || wanted reproducible || skip 'other variants'
    ours='--ours=single_pass result=device'
    table single_pass/versus-device.md "$ours" results/h200/single_pass/single_pass.csv
    table single_pass/versus-total.md --clock=total results/h200/single_pass/single_pass.csv
    table single_pass/versus-minmax.md "$ours" '--full=float-min double-max' results/h200/single_pass/single_pass_minmax.csv
    table single_pass/versus-misaligned.md "$ours offset=1" '--theirs=prim offset=1' results/h200/single_pass/single_pass_misaligned.csv
    table single_pass/versus-misaligned.md "$ours offset=1" '--theirs=single_pass result=device' --full=none \
        results/h200/single_pass/single_pass_misaligned.csv
    table single_pass/versus-cub-3.4.2.md "$ours" results/h200/single_pass/single_pass_cub-3.4.2.csv
    for method in '' ' method=binned folds=2' ' method=binned folds=3'; do
        table versus-reproducible.md "--ours=reproducible$method" --theirs=single_pass --full=none results/h200/reproducible.csv
    done
}
