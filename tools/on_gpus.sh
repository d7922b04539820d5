#!/bin/sh
# reduction_multi_gpu on a machine with several GPUs: is it right, and how does it scale. The step `multi` of
# on_gpu.sh. The important measurements come first.
#
#   on_gpus.sh PROGRAM RESULTS
#
#   RESULTS/multi-*.csv   what was measured; RESULTS/multi.txt the summary: ratios, and what was aimed at
#   RESULTS/multi-bits.txt  values of tree and binned with every way to combine, and of reduction_reproducible
#   RESULTS/multi.log     every check, compute-sanitizer's too, where there is one
#
# Ranks are threads, and processes of MPI where there is an mpirun with the libmpi of the build. NCCL, too, may be
# missing. reduction_reproducible is looked for beside PROGRAM. Environment: STEPS='measure right bits memcheck' or some
# of them, SIZES=4K..2G, ITERATIONS=100, FEW=4K,64K,...,2G, LARGE=100000007 elements in the checks, SECONDS_EACH=60 for
# each run, and MPIRUN.
set -u
program=$1 results=$2
here=$(cd "$(dirname "$0")" && pwd)
module=$(dirname "$program")/multi_gpu_mpi.so
sizes=${SIZES:-4K..2G} iterations=${ITERATIONS:-100} limit=${SECONDS_EACH:-60}
steps=${STEPS:-measure right bits memcheck}
for step in $steps; do
    case $step in measure | right | bits | memcheck) ;; *) echo "STEPS: no step $step: measure right bits memcheck" >&2; exit 2 ;; esac
done
asked() { case " $steps " in *" $1 "*) ;; *) return 1 ;; esac; } # asked STEP
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

# clean COMMAND...: the same under the sanitizer
clean() {
    timeout "$limit" "$@" -n 1,70001 -i 1 -w 0 -q >"$results/said" 2>&1
    status=$?
    grep -h -e 'ERROR SUMMARY' -e '^=' "$results/said" >>"$log"
    if [ $status -ne 0 ]; then
        cat "$results/said" >>"$log"
        wrong "exit code $status of $*"
    else
        say "  clean: $(echo "$*" | sed "s,.*$program,,")"
    fi
    rm -f "$results/said"
}

say "$gpus devices, sizes $sizes"
# shellcheck disable=SC2086  # peer and mpi are words
if asked measure; then
    measure threads-double "$program" -n "$sizes" -i "$iterations" $peer
    [ -z "$mpi" ] || measure direct-double $mpi "$program" --combine direct -n "$sizes" -i "$iterations" $peer
    [ -z "$mpi" ] || measure mpi-double $mpi "$program" --combine mpi -n "$sizes" -i "$iterations" $peer
    measure threads-float "$program" -t float -n "$sizes" -i "$iterations" $peer
    [ -z "$mpi" ] || measure direct-float $mpi "$program" --combine direct -t float -n "$sizes" -i "$iterations" $peer
    [ -z "$mpi" ] || measure mpi-float $mpi "$program" --combine mpi -t float -n "$sizes" -i "$iterations" $peer
    measure tree-double "$program" --method tree -n "$few" -i "$iterations"
    measure binned-double "$program" --method binned -n "$few" -i "$iterations"
    for method in plain tree binned; do
        [ -z "$peer" ] || measure rccl-$method-double "$program" --combine rccl --method $method -n "$few" -i "$iterations"
    done
fi
for name in threads-double direct-double mpi-double threads-float direct-float mpi-float; do
    [ ! -s "$results/multi-$name.csv" ] || awk -v name="$name" -f "$here/csv.awk" -f "$here/scaling.awk" "$results/multi-$name.csv"
done >"$results/multi.txt"
tee -a "$log" <"$results/multi.txt"

large=${LARGE:-100000007}
if asked right; then
    say 'right results: types, operations, methods'
    for type in float double int long; do
        for op in sum min max; do
            right "$program" -t $type -o $op -p mixed -n "0,1,2,4097,1000003,$large"
        done
        right "$program" -t $type -p mixed -n "0,1,2,4097,1000003,$large" --method tree
    done
    right "$program" -t float -p mixed -n "0,1,2,4097,1000003,$large" --method binned
    right "$program" -t double -n "1,4097,1000003,$large" --method binned --folds 2 --offset 1
    for op in min max; do
        [ -z "$peer" ] || right "$program" -t float -o $op --combine rccl -p mixed -n 0,1,1000003
    done
fi

alone=$(dirname "$(dirname "$program")")/reduction_reproducible/reduction_reproducible
bits=$results/multi-bits.txt
values() { sed -n 's/.*"value": \([^,]*\),.*/\1/p' | paste -s -d' ' -; }
# same WHAT COMMAND...: the values of $expected
same() {
    what=$1
    shift
    got=$(timeout "$limit" "$@" $options -i 2 -w 1 -f json 2>>"$log" | values)
    printf '%-40s %s\n' "$what" "$got" >>"$bits"
    [ "$got" = "$expected" ] || wrong "other bits: $* $options"
}
if asked bits && [ -x "$alone" ]; then
    say 'the same bits: every way to combine, 1 rank and all'
    : >"$bits"
    for case in 'double tree' 'double binned' 'float tree' 'float binned'; do
        options="-t ${case% *} --method ${case#* } -p mixed -n 1,4097,1000003,$large"
        expected=$("$alone" $options -i 2 -w 1 -f json 2>>"$log" | values)
        printf '%-40s %s\n' "$case, reproducible" "$expected" >>"$bits"
        [ -n "$expected" ] || wrong "no value: $alone $options"
        # shellcheck disable=SC2086
        {
            same "$case, $gpus threads, direct" "$program"
            [ -z "$peer" ] || same "$case, $gpus threads, rccl" "$program" --combine rccl
            [ -z "$mpi" ] || same "$case, $gpus processes, mpi" $mpi "$program" --combine mpi
            [ -z "$mpi" ] || same "$case, $gpus processes, direct" $mpi "$program" --combine direct
            [ -z "$mpi" ] || [ -z "$peer" ] || same "$case, $gpus processes, rccl" $mpi "$program" --combine rccl
            case $case in float*) continue ;; esac
            same "$case, 1 thread, direct" "$program" --gpus 1
            [ -z "$peer" ] || same "$case, 1 thread, rccl" "$program" --gpus 1 --combine rccl
        }
    done
elif asked bits; then
    say "  $alone is not there: its bits are not compared"
fi

# Everything once under compute-sanitizer, where it is. NCCL asks the driver for things that it may lack: such calls
# are no errors of ours.
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if asked memcheck && [ -n "$sanitizer" ]; then
    say 'compute-sanitizer memcheck'
    check="$sanitizer --tool memcheck --report-api-errors no --error-exitcode 9"
    for method in plain tree binned; do
        # shellcheck disable=SC2086
        {
            clean $check "$program" --method $method
            [ -z "$peer" ] || clean $check "$program" --method $method --combine rccl
            [ -z "$mpi" ] || clean $mpi $check "$program" --method $method --combine mpi
        }
    done
    [ -z "$peer" ] || clean $check "$program" --combine rccl -o max
fi
[ $failed -eq 0 ] && say 'multi: all right' || say 'multi: FAILED'
exit $failed
