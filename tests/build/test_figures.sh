#!/bin/sh
# The figures match their scripts, and each one is shown in a document.
cd "$(dirname "$0")/../.." || exit 3
status=0 passed=0
sh docs/figures/draw.sh --check || status=1
for figure in docs/figures/*.svg; do
    if grep -qs "figures/$(basename "$figure")" *.md reduction_*/README.md docs/*.md; then
        passed=$((passed + 1))
    else
        echo "FAILED: no document shows $figure"
        status=1
    fi
done
[ $passed -gt 0 ] || status=1
echo "$passed passed, figures"
exit $status
