#!/bin/sh
# Strong and weak scaling of reduction_multi_gpu over a number of ranks, into one CSV, with plots where gnuplot is.
#
#   bench/scaling.sh PROGRAM CSV SIZES RANKS [OPTION]...
#
#   SIZES    of --size, in all: 4K..1G;  RANKS  1,2,4,8: those that a machine has not GPUs for are left out
#   OPTION   of the program
#
# Environment: MPIRUN='srun' or 'mpirun' starts processes, as MPIRUN -n RANKS PROGRAM; else ranks are threads, and
# LAUNCH='srun -n1 --gpus=8' starts their process.
# One run has all sizes for one number of ranks, and in each of its iterations one GPU alone, so efficiencies do not
# compare times of different runs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$1 csv=$2 sizes=$3 ranks=$4
shift 4

fail() {
    echo "scaling: $1" >&2
    exit 2
}
[ -x "$program" ] || fail "$program is not there: make reduction_multi_gpu"
case $ranks in '' | *[!0-9,]*) fail "RANKS=$ranks: give numbers and commas, 1,2,4,8" ;; esac
shared=
case " $* " in *' --share '*) shared=yes ;; esac
# shellcheck disable=SC2086  # words
gpus=$(${LAUNCH:-} "$program" --list-devices | grep -c '^ *[0-9]')
mkdir -p "$(dirname "$csv")" && : >"$csv" || fail "$csv cannot be written: name another with CSV="

status=0 header=
for count in $(echo "$ranks" | tr ',' ' '); do
    if [ -n "${MPIRUN:-}" ]; then
        # shellcheck disable=SC2086  # words
        set -- $MPIRUN -n "$count" "$program" -n "$sizes" "$@"
        words=$(($(echo $MPIRUN | wc -w) + 5))
    else
        if [ "$count" -gt "$gpus" ] && [ -z "$shared" ]; then
            echo "scaling: $count ranks left out: there is no GPU for each ($gpus)" >&2
            continue
        fi
        # shellcheck disable=SC2086
        set -- ${LAUNCH:-} "$program" --gpus "$count" -n "$sizes" "$@"
        words=$(($(echo ${LAUNCH:-} | wc -w) + 5))
    fi
    if "$@" -f csv >"$csv.part"; then
        if [ -z "$header" ]; then cat "$csv.part"; else tail -n +2 "$csv.part"; fi >>"$csv"
        header=yes
    else
        status=$?
        echo "scaling: exit code $status with $count ranks" >&2
    fi
    shift $words
done
rm -f "$csv.part"
[ -n "$header" ] || exit "$status"
awk -f "$here/csv.awk" -f "$here/scaling.awk" "$csv"
echo "$csv"
if command -v gnuplot >/dev/null; then
    sh "$here/plot/scaling.sh" "$csv" || status=$?
else
    echo 'no plots: gnuplot is not there: ./install-deps.sh plot'
fi
exit $status
