#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow lessons
# Measured numbers in the documents are those of results/: after a line
#     <!-- from results/h200/ladder/ladder-double-sum.txt -->
# the next line begins a block marked ```text, and each line of the block that is not empty is a line of that file,
# to the letter. A command line that a file in results/ begins with is quoted in such a block and nowhere else.
# numbers.py checks numbers in prose, in paragraphs that name their file.
load ../lib/check
all_documents() { documents *.md reduction_*/README.md reduction_*/appendix.md docs/*.md docs/*/*.md results/h200/performance.md platform/*/README.md nogpu/README.md nogpu/reference.md nogpu/trace/README.md library/README.md; }

@test "quotations from results/ are exact" {
    for result in results/*/*.txt results/*/*/*.txt; do
        [ ! -f "$result" ] || head -n 1 "$result"
    done | grep '^# ' >"$work/heads"
    bad=0
    for document in $(all_documents); do
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

@test "measured numbers in prose are in results/, or follow from numbers there" {
    try python3 tests/build/numbers.py $(all_documents)
    ends 0 '^[0-9]* numbers are right, 0 wrong$'
}
