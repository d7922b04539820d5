#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow tree lessons traced
# What the lessons say about the hardware agrees with `make explain`'s counts: in the variants' README.md and in docs/*.md
# docs/*/*.md.
#
# A ```console block with a line "$ make ... explain ..." or "$ make ... race ..." is an example: the command runs where a
# reader would type it (in a variant's folder for its README.md, otherwise at the top), and each line below it, up to the
# next "$" or the end of the block, is a line of the output or whole words of one, in this order. Lines may be left out;
# white space, commas and semicolons do not matter.
#
# A variant's README.md has at least one such example, and another command under "Try". Numbers must not depend on this
# machine's cores: commands run with three workers, so if the grid depends on the device, the example must give one. All
# compilers count the same (explain_compilers.bats).
load ../lib/check
exempt=' . reduction_prim ' # no kernels on the CPU

setup() {
    needs_trace
    export HIP_CPU_WORKERS=3
    [ -e "$work/log" ] || ${MAKE:-make} -s -j"$(nproc)" traced TRACED="$([ -n "${REDUCTION_VARIANT:-}" ] || echo all)" \
        >"$work/log" 2>&1 || { cat "$work/log" && rm "$work/log" && false; }
}

# The examples of a document, in files: 1.command, 1.at (line number), 1.wanted (lines of output), 2.command ...
examples() {
    awk -v to="$work/" '
        /^```/ { block = $0 == "```console"; example = 0; next }
        block && /^\$ / {
            example = / (explain|race)( |$)/
            if (!example) next
            count++
            print substr($0, 3) >(to count ".command")
            print NR >(to count ".at")
            printf "" >(to count ".wanted")
            next
        }
        block && example && NF { print >(to count ".wanted") }
        END { print count + 0 }' "$1"
}

# missing WANTED OUTPUT: prints the first line of WANTED that does not follow its predecessor in OUTPUT.
missing() {
    awk '
        function words(line) {
            line = " " line " "
            gsub(/[ \t,;]+/, " ", line)
            return line
        }
        FNR == NR { want[++wanted] = $0; next }
        at < wanted && index(words($0), words(want[at + 1])) { at++ }
        END {
            if (at == wanted) exit 1
            print want[at + 1]
        }' "$1" "$2"
}

@test "every variant's lesson has an example of make explain, and a command to try" {
    for document in $(documents reduction_*/README.md); do
        case $exempt in *" $(dirname "$document") "*) continue ;; esac
        check "$document: no example of make explain" [ "$(examples "$document")" -gt 0 ]
        ! grep -q '^## Try' "$document" || check "$document: no make explain under Try" \
            grep -q 'make explain ' <(sed -n '/^## Try/,/^## [^T]/p' "$document")
    done
}

@test "make explain and make race print what the documents quote" {
    for document in $(documents reduction_*/README.md reduction_*/appendix.md docs/*.md docs/*/*.md); do
        folder=.
        case $document in reduction_*/*) folder=$(dirname "$document") ;; esac
        rm -f "$work"/[0-9]*
        count=$(examples "$document")
        for example in $(seq "$count"); do
            command=$(cat "$work/$example.command")
            where="$document:$(cat "$work/$example.at"): $command"
            # a command that occurs in several documents runs once
            shown=$work/ran$(printf '%s in %s' "$command" "$folder" | cksum | tr ' ' -)
            [ -f "$shown" ] || (cd "$folder" && ulimit -t 300 && sh -c "$command") >"$shown" 2>&1 </dev/null 3>&- || true
            if [ ! -s "$work/$example.wanted" ]; then
                verdict 1 "$where: it quotes no line of the output"
            else
                line=$(missing "$work/$example.wanted" "$shown") || true
                right=0
                [ -z "$line" ] || right=1
                verdict $right "$where: not in the output, or not behind the line before: $line"
            fi
        done
    done
    finish
}
