#!/bin/sh
# Draws every figure of this folder: one .svg for each .awk next to it.
#
#   docs/figures/draw.sh          draw them all
#   docs/figures/draw.sh --check  compare: exit 1 when an .svg is not what its .awk draws
#
# figure.awk, addressing.awk and exchange.awk are shared by several figures and are none themselves.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 3
case ${1-} in
'' | --check) ;;
*)
    echo "draw.sh: '$1' is not known; give --check or nothing" >&2
    exit 2
    ;;
esac

drawn=$(mktemp -d) || exit 3
trap 'rm -rf "$drawn"' EXIT
status=0
for source in "$here"/*.awk; do
    name=$(basename "$source" .awk)
    shared=
    case $name in
    figure | addressing | exchange) continue ;;
    interleaved | strided | sequential | global_*) shared=addressing ;;
    butterfly | shuffle_down | shuffle_up) shared=exchange ;;
    esac
    if ! LC_ALL=C ${AWK:-awk} -f "$here/figure.awk" ${shared:+-f "$here/$shared.awk"} -f "$source" >"$drawn/$name.svg"; then
        echo "draw.sh: $name.awk failed: run it with $here/figure.awk and read its message" >&2
        status=1
    elif [ "${1-}" = --check ]; then
        cmp -s "$drawn/$name.svg" "$here/$name.svg" || {
            echo "draw.sh: $name.svg is not what $name.awk draws: run docs/figures/draw.sh" >&2
            status=1
        }
    else
        cp "$drawn/$name.svg" "$here/$name.svg" || status=3
    fi
done
exit $status
