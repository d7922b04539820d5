# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# Prints explain's page. Sourced by explain.sh.
embed() { # embed TYPE FILE: neither JSON nor the comparison has a "<"
    echo "<script type=\"$1\">" && cat "$2" && echo '</script>'
}

# A variant's type, and not what all of their runs have.
type=
case $* in
*--type=*) ;;
*--size=*) type=$(HIP_CPU_TRACE='' "$from" --help | sed -n 's/.*--type .*Default: / --type=/p') ;;
esac
echo "$(traced_name "$from")${to:+ and $(traced_name "$to")}$type $*; warps of ${WARP:-32 64}; $(date +%Y-%m-%d)" |
    sed 's/ --quiet --iterations=1 --warmup=0 --ceiling=1//; s/ ;/;/; s/32 64;/32 and 64;/' | tr -d '<&' >"$work/made"

sed '/<!-- data -->/,$d' "$here/page.html"
embed text/x-made "$work/made"
[ -z "$to" ] || embed text/plain "$work/comparison"
for each in "$work"/*.json; do embed application/json "$each"; done
echo '<noscript><pre>'
cat "$work/made"
sed 's/&/\&amp;/g; s/</\&lt;/g' "$work"/*.text
echo '</pre></noscript>'
sed '1,/<!-- data -->/d' "$here/page.html"
