# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
# Sourced by bin/nogpu for run, race, memory and explain: takes the options and sources from "$@", builds the program, and leaves
# its arguments there. Sets program, warp, schedule, memory, machine, format, page, races.
warp='' schedule='' memory='' machine='' format='' page='' races='' report='' keep='' sources='' first='' before='' program=''
skip='' count=''
quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
option() { # NAME VALUE
    [ -n "$2" ] || usage "$command $1 wants a value; nogpu $command --help"
    case $command$1 in
    *--warp)
        warp=$(printf %s "$2" | tr , ' ')
        for lanes in $warp; do
            case $lanes in 32 | 64) ;; *) usage "$command --warp $2: 32, 64, or 32,64" ;; esac
        done
        ;;
    run--schedule | race--schedule | memory--schedule) schedule=$(printf %s "$2" | tr , ' ') ;;
    race--memory) memory=$2 ;;
    explain--machine) machine=$2 ;;
    explain--format) format=$2 ;;
    explain--page) page=$2 ;;
    race--log | memory--log) report="$report --log $(quoted "$(printf %s "$2" | sed "s/%p/$$/g")")" ;;
    race--format | memory--format)
        case $2 in text | json | sarif) ;; *) usage "$command --format $2: text, json or sarif" ;; esac
        report="$report --format $2"
        ;;
    race--suppressions | memory--suppressions | race--baseline | memory--baseline)
        [ -r "$2" ] || usage "$command $1 $2: cannot read it"
        report="$report $1 $(quoted "$2")"
        ;;
    race--limit | memory--limit | race--error-exitcode | memory--error-exitcode)
        case $2 in *[!0-9]*) usage "$command $1 $2: a number" ;; esac
        report="$report $1 $2"
        ;;
    race--kernel | memory--kernel) export HIP_CPU_KERNEL="$2" ;;
    race--launch-skip | memory--launch-skip) skip=$2 ;;
    race--launch-count | memory--launch-count) count=$2 ;;
    *--keep) keep=$2 ;;
    *) usage "$command has no option $1; nogpu $command --help" ;;
    esac
}
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    --volatile) races=volatile ;;
    --quiet | --print-suppressions)
        case $command in race | memory) ;; *) usage "$command has no option $1; nogpu $command --help" ;; esac
        report="$report $1"
        ;;
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
            first=${first:-$1}
            ;;
        esac
        case $1 in -[IDLUl] | -std | -x | -include | -isystem | -iquote | -Xcompiler | -arch) before=- ;; *) before='' ;; esac
        sources="$sources $(quoted "$1")"
        ;;
    esac
    shift
done
[ $# -eq 0 ] || shift
[ -n "$first" ] || usage "$command: name a source (.hip, .cu, .cpp) or a program; nogpu $command --help"
case $first in *.cu) warp=${warp:-32} ;; esac

[ -z "$skip$count" ] || export HIP_CPU_LAUNCHES="${skip:-0}:${count:-all}"

mode=traced
[ "$command" != run ] || mode=plain
case $first in
*.hip | *.cu | *.cpp | *.cc | *.cxx | *.c)
    need $mode nogpu
    name=$(basename "$first")
    case $keep in */* | '') ;; *) keep=./$keep ;; esac
    program=${keep:-${XDG_CACHE_HOME:-$HOME/.cache}/nogpu/programs/$(echo "$mode $PWD $sources" | cksum | cut -d ' ' -f 1)/${name%.*}}
    mkdir -p "$(dirname "$program")" 2>/dev/null && [ -w "$(dirname "$program")" ] ||
        usage "cannot write to $(dirname "$program"): set XDG_CACHE_HOME to a folder of yours, or --keep PROGRAM"
    eval "sh \"\$HIP_CPU_ROOT/trace/standalone.sh\" $mode \"\$program\" $sources" || exit 2
    ;;
*)
    [ -x "$first" ] || usage "$command: $first is neither a source (.hip, .cu, .cpp) nor a program"
    case $first in */*) program=$first ;; *) program=./$first ;; esac
    ;;
esac
