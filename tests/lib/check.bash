# SPDX-License-Identifier: MIT
# Shared by the toolkit's bats suites, with `load ../lib/check` in their first lines: what nogpu's suites share, and the
# variants. Tests run at the top of the tree; $bin has the programs.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$top/nogpu/tests/lib/check.bash"
bin=$(cd "$top" && cd "${REDUCTION_BIN:-.}" && pwd)
run=${REDUCTION_RUN:-$bin/build/cpu/bin/run} # set by make check
launch=${REDUCTION_LAUNCH:-} # from make check LAUNCH=
cd "$top" || exit 1

# For loops that run all cases even if some fail: `verdict STATUS TEXT` counts, and `finish` ends the test.
passed=0 failed=0
verdict() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        [ ! -f "$shown" ] || tail -n 20 "$shown" | sed 's/^/    /'
    fi
}
finish() {
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $((passed + ${#REDUCTION_VARIANT})) -gt 0 ] # one variant may have nothing to check
}

# Is this variant selected? make check V=shfl
wanted() { case " ${REDUCTION_VARIANT:-reduction_$1} " in *" reduction_$1 "*) return 0 ;; *) return 1 ;; esac; }
# The selected ones of these documents.
documents() {
    local document folder
    for document; do
        folder=${document%%/*}
        [ -f "$document" ] && { [ -z "${REDUCTION_VARIANT:-}" ] || case " $REDUCTION_VARIANT " in *" $folder "*) true ;; *) false ;; esac; } &&
            echo "$document"
    done
    true
}
# Sets $browser, or skips the test
find_browser() {
    browser=
    for name in chromium chromium-browser google-chrome; do
        [ -n "$browser" ] || browser=$(command -v $name) || true
    done
    [ -n "$browser" ] || skip 'there is no chromium: ./install-deps.sh develop'
}
# browse PAGE SCRIPT... -- OPTION...: opens the page in $browser, with page.js and the scripts at its end. What they log() goes
# to $work/log, the document to $work/dom.
browse() {
    local page=${1%%#*} hash=
    case $1 in *'#'*) hash="#${1#*#}" ;; esac
    shift
    { # beside the page
        cat "$page"
        echo '<pre id="log"></pre><script>' && cat tests/lib/page.js
        while [ "$1" != -- ]; do cat "$1" && shift; done
        echo "console.info('the script has ended');</script>"
    } >"${page%.html}.test.html"
    shift
    [ "$(id -u)" -ne 0 ] || set -- --no-sandbox "$@"
    "$browser" --headless --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr --dump-dom "$@" \
        "file://${page%.html}.test.html$hash" >"$work/dom" 2>"$work/err" </dev/null 3>&-
    rm "${page%.html}.test.html"
    sed -n '/<pre id="log">/,/<\/pre>/{s/.*<pre id="log">//;/<\/pre>/d;p;}' "$work/dom" | sed -e 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >"$work/log"
    grep CONSOLE "$work/err" >"$work/said" || true
    check 'the script has ended' says 'the script has ended' || return 1
    check 'an error' [ "$(grep -c 'rror\|Uncaught' "$work/said")" -eq 0 ]
}
# logged NAME VALUE...: the scripts have logged each
logged() {
    while [ $# -gt 0 ]; do
        found=$(sed -n "s/^$1=//p" "$work/log")
        check "$1 is '$found', not '$2'" [ "$found" = "$2" ] || return 1
        shift 2
    done
}
# Makes a script that runs bench: "$work/bench"
make_bench() {
    printf '#!/bin/sh\nexec python3 "%s/bench/sweep/bench.py" --run="%s" "$@"\n' "$top" "$run" >"$work/bench"
    chmod +x "$work/bench"
}
