# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
# Sourced by bin/nogpu for run, race, memory and explain: takes the options and sources from "$@", builds the program, and leaves
# its arguments there. Sets program, warp, schedule, memory, machine, format, page, races, gdb.
warp='' schedule='' memory='' machine='' format='' page='' races='' report='' keep='' gdb='' sources='' first='' before='' program=''
. "$HIP_CPU_ROOT/command/options.sh"
is_source() { case $1 in *.hip | *.cu | *.cpp | *.cc | *.cxx | *.c) ;; *) return 1 ;; esac }
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    --offload-arch=* | --gpu-architecture=* | --generate-code=*) sources="$sources $(quoted "$1")" ;;
    --gdb | --volatile | --strict | --leaks | --quiet | --print-suppressions) flag "$1" ;;
    --*=*) option "${1%%=*}" "${1#*=}" ;;
    --*)
        option "$1" "$2"
        shift
        ;;
    *)
        case $before$1 in
        -*) ;; # an option, or its value
        *)
            [ -f "$1" ] || usage "$command: $1: no such file"
            [ -n "$first" ] || is_source "$1" || break
            first=${first:-$1}
            ;;
        esac
        case $1 in -[IDLUl] | -std | -x | -include | -isystem | -iquote | -Xcompiler | -arch) before=- ;; *) before='' ;; esac
        sources="$sources $(quoted "$1")"
        ;;
    esac
    shift
done
# What comes behind a program is its own.
case ${1:---} in
--) [ $# -eq 0 ] || shift ;;
*)
    first=$1 && shift
    [ "${1:-}" != -- ] || shift
    ;;
esac
[ -n "$first" ] || usage "$command: name a source (.hip, .cu, .cpp) or a program; nogpu $command --help"
case $first in *.cu) warp=${warp:-32} ;; esac
[ -z "$skip$count" ] || export HIP_CPU_LAUNCHES="${skip:-0}:${count:-all}"

mode=traced
[ "$command" != run ] || mode=plain
[ -z "$gdb" ] || sources="$sources -g -O0" # a kernel is no loop then
case $mode$sources in plain*-fsanitize=*address*) mode=asan ;; esac
if is_source "$first"; then
    need $mode nogpu
    name=$(basename "$first")
    case $keep in */* | '') ;; *) keep=./$keep ;; esac
    program=${keep:-${XDG_CACHE_HOME:-$HOME/.cache}/nogpu/programs/$(echo "$mode $PWD $sources" | cksum | cut -d ' ' -f 1)/${name%.*}}
    mkdir -p "$(dirname "$program")" 2>/dev/null && [ -w "$(dirname "$program")" ] ||
        usage "cannot write to $(dirname "$program"): set XDG_CACHE_HOME to a folder of yours, or --keep PROGRAM"
    eval "sh \"\$HIP_CPU_ROOT/trace/standalone.sh\" $mode \"\$program\" $sources" || exit 2
else
    [ -x "$first" ] || usage "$command: $first is neither a source (.hip, .cu, .cpp) nor a program"
    case $first in */*) program=$first ;; *) program=./$first ;; esac
fi
