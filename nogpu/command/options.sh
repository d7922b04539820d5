# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
# Sourced by program.sh: an option of a command with its value. Sets what program.sh says, and skip, count, report: words for
# nogpu_report.
skip='' count=''
. "$HIP_CPU_ROOT/command/values.sh"
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
    run--schedule | race--schedule | memory--schedule) orders "$1" "$2" && schedule=$(printf %s "$2" | tr , ' ') ;;
    race--memory) memory_model "$1" "$2" && memory=$2 ;;
    explain--machine) machine=$2 ;;
    explain--format) format=$2 ;;
    explain--page) writable "$1" "$2" && page=$2 ;;
    race--log | memory--log) writable "$1" "$2" && report="$report --log $(quoted "$(printf %s "$2" | sed "s/%p/$$/g")")" ;;
    race--format | memory--format)
        case $2 in text | json | sarif) ;; *) usage "$command --format $2: text, json or sarif" ;; esac
        report="$report --format $2"
        ;;
    race--suppressions | memory--suppressions | race--baseline | memory--baseline)
        [ -r "$2" ] || usage "$command $1 $2: cannot read it"
        report="$report $1 $(quoted "$2")"
        ;;
    race--limit | memory--limit) whole "$1" "$2" 1 1000000 && report="$report $1 $2" ;;
    race--error-exitcode | memory--error-exitcode) whole "$1" "$2" 0 255 && report="$report $1 $2" ;;
    race--time) whole "$1" "$2" 1 && export TIME="$2" ;;
    race--kernel | memory--kernel) regex "$1" "$2" && export HIP_CPU_KERNEL="$2" ;;
    race--launch-skip | memory--launch-skip) whole "$1" "$2" 0 && skip=$2 ;;
    race--launch-count | memory--launch-count) whole "$1" "$2" 1 && count=$2 ;;
    *--keep) keep=$2 ;;
    *) usage "$command has no option $1; nogpu $command --help" ;;
    esac
}
flag() { # NAME: an option without a value
    case $command$1 in
    run--gdb) gdb=yes ;;
    race--volatile) races=volatile ;;
    race--strict) races=strict ;;
    memory--leaks) export HIP_CPU_LEAKS=all ;;
    race--quiet | memory--quiet | race--print-suppressions | memory--print-suppressions) report="$report $1" ;;
    *) usage "$command has no option $1; nogpu $command --help" ;;
    esac
}
