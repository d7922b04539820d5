# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# One report of all runs of a traced program, at the end of the script that sources this. Sourced by race.sh and memory.sh.
#
#   REPORT="--format sarif --limit 3"     options of nogpu_report, as words of the shell
#   TRACED="--kernel=tree.* --launches=1:3"   which launches count
#
#   report_begin race|memory     $folder, for this script's files
#   report_run WARP SCHEDULE MORE     a run begins
#   report_out COMMAND...        what the program says: on stdout, unless the report alone stands there
#   status                       the exit code of the runs
. "${0%/*}/../program.sh"
HIP_CPU_ROOT=$(cd "${0%/*}/../.." && pwd -P)
. "$HIP_CPU_ROOT/built.sh"
[ -x "$NOGPU_BUILD/nogpu_report" ] || need traced nogpu
status=0
report_begin() {
    tool=$1
    folder=$(mktemp -d) || exit 2
    export HIP_CPU_FINDINGS="$folder/.findings"
    : >"$HIP_CPU_FINDINGS"
    trap report_end EXIT
}
report_end() {
    code=$?
    trap - EXIT
    [ $status -ne 0 ] || status=$code # of a script that was ended
    ! command -v report_before >/dev/null || report_before
    eval "\"\$NOGPU_BUILD/nogpu_report\" --status $status $REPORT $tool \"\$folder/.findings\""
    status=$?
    rm -rf "$folder"
    [ $code -ge 128 ] && exit $code
    exit $status
}
report_run() {
    printf '\001run\t%s\t%s\t%s\n' "$1" "$2" "$3" >>"$HIP_CPU_FINDINGS"
}
report_out() {
    case " $REPORT " in
    *' --format '[js]* | *" --format 'json' "* | *" --format 'sarif' "*) "$@" >&2 ;;
    *' --quiet '*) "$@" >/dev/null ;;
    *) "$@" ;;
    esac
}
