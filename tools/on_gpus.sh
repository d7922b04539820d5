#!/bin/sh
# reduction_multi_gpu on a machine with several GPUs: is it right, and how does it scale. The step `multi` of
# on_gpu.sh; two H200 take 45 s. The important measurements come first.
#
#   on_gpus.sh PROGRAM RESULTS
#
#   RESULTS/multi-*.csv   what was measured; RESULTS/multi.txt the summary: ratios, and what was aimed at
#
# Ranks are threads, and processes of MPI where there is an mpirun with the libmpi of the build. NCCL, too, may be
# missing. Environment: SIZES=4K..2G, ITERATIONS=100, FEW=4K,64K,...,2G, LARGE=100000007 elements in the last checks,
# SECONDS_EACH=60 for each run, and MPIRUN.
set -u
program=$1 results=$2
here=$(cd "$(dirname "$0")" && pwd)
module=$(dirname "$program")/multi_gpu_mpi.so
sizes=${SIZES:-4K..2G} iterations=${ITERATIONS:-100} limit=${SECONDS_EACH:-60}
few=${FEW:-4K,64K,1M,16M,256M,1G,2G} # sizes of the measurements that matter less
mkdir -p "$results"
log=$results/multi.log
: >"$log"
failed=0

say() { echo "$(date +%T) $*" | tee -a "$log"; }
wrong() {
    failed=1
    say "  FAILED: $*"
}

gpus=$("$program" --list-devices 2>>"$log" | grep -c '^ *[0-9]')
[ "$gpus" -ge 1 ] || { wrong 'no devices'; exit 1; }
{ "$program" --list-devices; nvidia-smi topo -m; uname -a; lscpu | grep -i -e 'model name' -e '^cpu(s)' -e numa; } >>"$log" 2>&1

# mpirun with the library that the module wants; its folder need not be in the linker's path.
mpirun=${MPIRUN:-$(command -v mpirun || ls /usr/local/mpi/bin/mpirun /opt/hpcx/ompi/bin/mpirun /opt/amazon/openmpi/bin/mpirun \
    2>/dev/null | head -n 1)}
mpi=
if [ -n "$mpirun" ] && [ -r "$module" ]; then
    prefix=$(dirname "$(dirname "$(readlink -f "$mpirun")")")
    for lib in "$prefix/lib" "$prefix/lib64" "$(dirname "$(dirname "$mpirun")")/lib"; do
        [ ! -d "$lib" ] || LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    done
    export LD_LIBRARY_PATH
    { "$mpirun" --version; ldd "$module"; } >>"$log" 2>&1
    mpi="$mpirun -n $gpus"
    case $("$mpirun" --version 2>&1) in *Open*MPI*) mpi="$mpi --allow-run-as-root --oversubscribe --bind-to none" ;; esac
    # shellcheck disable=SC2086  # mpi is words
    if ! timeout "$limit" $mpi "$program" -n 1000 -i 1 -w 0 -q >>"$log" 2>&1; then
        say "  MPI does not work here, its measurements are skipped: $(tail -n 1 "$log")"
        mpi=
    fi
else
    say "  no mpirun here, or no $module: threads alone"
fi
peer=--peer
timeout "$limit" "$program" -n 1000 -i 1 -w 0 -q --peer >>"$log" 2>&1 || {
    say "  no comparison with the vendor's library: $(tail -n 1 "$log")"
    peer=
}

# measure NAME COMMAND...: the program with these options, as CSV
measure() {
    name=$1 started=$(date +%s)
    shift
    timeout "$limit" "$@" -f csv >"$results/multi-$name.csv" 2>>"$log"
    status=$?
    say "  $name: exit code $status, $(($(wc -l <"$results/multi-$name.csv") - 1)) sizes, $(($(date +%s) - started)) s"
    [ $status -eq 0 ] || wrong "$*"
}
# right COMMAND...: a quick run of several sizes that has to be right
right() { timeout "$limit" "$@" -i 2 -w 1 -q >>"$log" 2>&1 || wrong "exit code $? of $*"; }

say "$gpus devices, sizes $sizes"
# shellcheck disable=SC2086  # peer and mpi are words
{
    measure threads-double "$program" -n "$sizes" -i "$iterations" $peer
    [ -z "$mpi" ] || measure mpi-double $mpi "$program" -n "$sizes" -i "$iterations" $peer
    measure threads-float "$program" -t float -n "$sizes" -i "$iterations" $peer
    measure tree-double "$program" --method tree -n "$few" -i "$iterations"
    measure binned-double "$program" --method binned -n "$few" -i "$iterations"
    [ -z "$peer" ] || measure rccl-double "$program" --combine rccl -n "$few" -i "$iterations"
    [ -z "$mpi" ] || measure direct-double $mpi "$program" --combine direct -n "$few" -i "$iterations"
    [ -z "$mpi" ] || measure mpi-float $mpi "$program" -t float -n "$sizes" -i "$iterations" $peer
}
for name in threads-double mpi-double threads-float mpi-float; do
    [ ! -s "$results/multi-$name.csv" ] || awk -v name="$name" -f "$here/csv.awk" -f "$here/scaling.awk" "$results/multi-$name.csv"
done >"$results/multi.txt"
tee -a "$log" <"$results/multi.txt"

say 'right results: types, operations, methods'
large=${LARGE:-100000007}
for type in float double int long; do
    for op in sum min max; do
        right "$program" -t $type -o $op -p mixed -n "0,1,2,4097,1000003,$large"
    done
    right "$program" -t $type -p mixed -n "0,1,2,4097,1000003,$large" --method tree
done
right "$program" -t float -p mixed -n "0,1,2,4097,1000003,$large" --method binned
right "$program" -t double -n "1,4097,1000003,$large" --method binned --folds 2 --offset 1
# shellcheck disable=SC2086
[ -z "$mpi" ] || right $mpi "$program" -p mixed -n "0,1,2,4097,1000003,$large" --method tree
[ -z "$peer" ] || right "$program" -o min --combine rccl -n 1,1000003
[ $failed -eq 0 ] && say 'multi: all right' || say 'multi: FAILED'
exit $failed
