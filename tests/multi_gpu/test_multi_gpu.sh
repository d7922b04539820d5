#!/bin/sh
# SPDX-License-Identifier: MIT
# reduction_multi_gpu on the CPU platform, where a rank is a thread or a process of MPI: the same bits for any number of
# ranks, every way to combine, input from files, bad input, and ranks that fail.
#
#   REDUCTION_BIN=. tests/multi_gpu/test_multi_gpu.sh       set by make check
#
# MPIRUN is another mpirun. Without one, or without MPI in the build, the threads are tested and the rest is skipped:
# exit code 77.
cd "$(dirname "$0")/../.." || exit 3
. tests/lib/check.sh
. tests/multi_gpu/programs.sh
mpi='' reason=
if [ ! -r "$bin/reduction_multi_gpu/multi_gpu_mpi.so" ]; then
    reason='this build has no MPI: only threads are tested; ./install-deps.sh mpi'
elif [ -z "$mpirun" ]; then
    reason='there is no mpirun: only threads are tested; ./install-deps.sh mpi'
else
    mpi=$mpirun
    case $("$mpirun" --version 2>&1) in *Open*MPI*) mpi="$mpirun --oversubscribe --allow-run-as-root --bind-to none" ;; esac
fi
[ -z "$reason" ] || echo "$reason"
# With SAN=address: an MPI does not free everything.
[ -z "$mpi" ] || mpi="env ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 $mpi"


# same NAME COMMAND...: values as those of the file `expected`
same() {
    name=$1
    shift
    "$@" $short -f json >"$work/json" 2>"$work/said"
    status=$?
    values <"$work/json" >"$work/got"
    [ $status -eq 0 ] && [ -s "$work/got" ] && cmp -s "$work/expected" "$work/got"
    verdict $? "$name (exit code $status): $(paste -s -d' ' "$work/got") instead of $(paste -s -d' ' "$work/expected")"
}
right() { # right COMMAND...
    "$@" $short -q >"$work/said" 2>&1
    verdict $? "$*"
}

# slow_share FILE: one of three ranks is slow; the report has the mean of the three, and the limit is that of the slow one
slow_share() {
    echo "$(number "$1" share_alone_fastest_us) $(number "$1" share_alone_us) $(number "$1" share_alone_slowest_us)" \
        "$(number "$1" one_device_us) $(number "$1" speed_up_limit)" | tee "$work/said" |
        awk '{ limit = $4 / $3; right = $1 > 0 && $3 > 30 * $1 && $2 > 0.33 * $3 && $2 < 0.66 * $3 && ($5 - limit) ^ 2 < 1e-6 + limit ^ 2 / 100 }
            END { exit !right }'
}

# ---- NCCL and RCCL: a small one for the CPU platform
nccl=
if ${CC:-cc} -shared -fPIC -pthread -o "$work/libnccl.so.2" tests/multi_gpu/nccl.c -lrt 2>"$work/said"; then
    nccl="env LD_LIBRARY_PATH=$work${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
else
    verdict 1 'tests/multi_gpu/nccl.c does not compile'
fi

# ---- the same bits for any number of ranks, and those of reproducible: every size of a tree, odd ends
sizes=0,1,3,1023,4097,16385,40001,300007
for type in float double; do
    for method in tree binned; do
        options="--method $method -t $type -p mixed -n $sizes"
        "$alone" $options $short -f json | values >"$work/expected"
        for ranks in 1 2 3 4 7 16; do
            same "$ranks threads, $options" "$multi" --gpus $ranks --share $options
            same "$ranks threads, rccl, $options" $nccl "$multi" --gpus $ranks --share $options --combine rccl
        done
        for ranks in 1 2 3 4 7 8; do
            [ -z "$mpi" ] || same "$ranks processes, mpi, $options" $mpi -n $ranks "$multi" --share $options --combine mpi
        done
        for combine in direct rccl; do
            [ -z "$mpi" ] || same "3 processes, $combine, $options" $nccl $mpi -n 3 "$multi" --share $options --combine $combine
        done
    done
done
options='--method tree -t float -o max -n 1,5,40001 --offset 1'
"$alone" $options $short -f json | values >"$work/expected"
same "$options" "$multi" --gpus 7 --share $options --grid 3 --block 96
options='--method binned --folds 2 -t double -p mixed -n 1,40001'
"$alone" $options $short -f json | values >"$work/expected"
same "rccl, $options" $nccl "$multi" --gpus 3 --share --combine rccl $options
# so many that each unit of the tree has a run of its own
if [ "${LARGE:-}" = yes ]; then
    options='--method tree -t double -n 80000003'
    "$alone" $options $short -f json | values >"$work/expected"
    same "$options" "$multi" --gpus 3 --share $options
fi

# ---- all types and operations, every way to combine
for type in float double int long; do
    for op in sum min max; do
        right "$multi" --gpus 3 --share -t $type -o $op -p mixed -n 0,2,100003
    done
done
if [ -n "$mpi" ]; then
    for type in float int; do
        for op in sum min max; do
            right $mpi -n 2 "$multi" --share --combine mpi -t $type -o $op -p mixed -n 0,1,50021
        done
    done
    right $mpi -n 4 "$multi" --share -t double -o min --combine direct -n 0,2,100003
    right $mpi -n 16 "$multi" --share --combine mpi -n 7,100003
    right $mpi -n 16 "$multi" --share --combine direct -n 7,100003
fi

if [ -n "$nccl" ]; then
    for type in float double int long; do
        for op in sum min max; do
            for method in plain tree binned; do
                right $nccl "$multi" --gpus 3 --share --combine rccl --peer -t $type -o $op --method $method -p mixed -n 0,100003
            done
        done
    done
    fails 3 'NCCL cannot begin: invalid usage' $nccl NCCL_FAILS=begin "$multi" --gpus 2 --share --combine rccl -n 5
    fails 3 'ncclAllReduce: invalid usage' $nccl NCCL_FAILS=reduce "$multi" --gpus 2 --share --combine rccl -n 5
    fails 3 'ncclAllGather: invalid usage' $nccl NCCL_FAILS=gather "$multi" --gpus 2 --share --combine rccl --method binned -n 5
    # on all ranks at once: one of them speaks
    i=0
    while [ $i -lt 30 ]; do
        $nccl NCCL_FAILS=gather "$multi" --gpus 3 --share --combine rccl --method binned -n 5 -q 2>&1 | wc -l
        i=$((i + 1))
    done | sort -u >"$work/said"
    check '30 times one message, and who it was' test "$(cat "$work/said")" -eq 2
    echo 'no library' >"$work/libnccl.so.2"
    fails 3 'NCCL cannot be loaded: .*--combine mpi or direct' $nccl "$multi" --gpus 2 --share --combine rccl -n 5
fi

# ---- the places for words of --combine direct, without the barrier that a measurement has in front of each run
turns() { # turns FLAG...: compiles it
    ${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -D__HIP_PLATFORM_CPU__ -Icommon -Iplatform/cpu -pthread "$@" -o "$work/turns" \
        tests/multi_gpu/turns.c reduction_multi_gpu/combine.c reduction_multi_gpu/ranks.c reduction_multi_gpu/ranks_threads.c -lm -ldl 2>"$work/said"
}
if turns; then
    for ranks in 1 2 3; do
        "$work/turns" $ranks >"$work/said" 2>&1
        verdict $? "$ranks ranks without a barrier"
    done
else
    verdict 1 'tests/multi_gpu/turns.c does not compile'
fi

# The same under the thread sanitizer, where the compiler has it: who writes a word, who reads it, and in which order.
tsan="-DTURNS_TRIED=300 -fsanitize=thread"
echo 'int main(void) { return 0; }' >"$work/empty.c"
if ${CC:-cc} -fsanitize=thread -o "$work/empty" "$work/empty.c" 2>"$work/said" && "$work/empty" 2>"$work/said"; then
    if turns $tsan; then
        for ranks in 2 3; do
            "$work/turns" $ranks >"$work/said" 2>&1
            verdict $? "$ranks ranks under the thread sanitizer"
        done
    else
        verdict 1 'tests/multi_gpu/turns.c does not compile with -fsanitize=thread'
    fi
fi

# ---- files: each rank takes its part; NaN and the sign of 0 come through
i=0
while [ $i -lt 1000 ]; do echo "$i"; i=$((i + 1)); done >"$work/numbers.txt"
echo 499500 >"$work/expected"
same 'a file, 3 threads' "$multi" --gpus 3 --share --input "$work/numbers.txt"
same 'a file, 7 threads, tree' "$multi" --gpus 7 --share --method tree --input "$work/numbers.txt"
echo '1 2 nan 4' >"$work/nan.txt"
echo '"nan"' >"$work/expected"
same 'NaN is the maximum' "$multi" --gpus 3 --share -o max --input "$work/nan.txt"
[ -z "$mpi" ] || same 'NaN is the minimum' $mpi -n 3 "$multi" --share -o min --input "$work/nan.txt"
echo '0 -0 0 0' >"$work/zero.txt"
echo '-0' >"$work/expected"
same '-0 is below 0' "$multi" --gpus 4 --share -o min --input "$work/zero.txt"
{ # a .npy of 300 floats: the header is 128 bytes, then 1.5 in each
    printf '\223NUMPY\001\000\166\000'
    printf '%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (300,), }"
    i=0
    while [ $i -lt 300 ]; do printf '\000\000\300\077'; i=$((i + 1)); done
} >"$work/values.npy"
echo 450 >"$work/expected"
same 'a .npy, 4 threads' "$multi" --gpus 4 --share --input "$work/values.npy"
[ -z "$mpi" ] || same 'a .npy, 3 processes' $mpi -n 3 "$multi" --share --input "$work/values.npy"

# ---- NaN of other signs and payloads are all NaN: 13 floats, the third and the last of them
{
    printf '\223NUMPY\001\000\166\000'
    printf '%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (13,), }"
    for i in 1 2 nan 4 5 6 7 8 9 10 11 12 other; do
        case $i in
        nan) printf '\021\042\300\377' ;;
        other) printf '\001\000\200\177' ;;
        *) printf '\000\000\200\077' ;;
        esac
    done
} >"$work/nans.npy"
echo '"nan"' >"$work/expected"
for op in sum min max; do
    for method in plain tree binned; do
        same "NaN: $op, $method" "$multi" --gpus 4 --share -o $op --method $method --input "$work/nans.npy"
    done
    [ -z "$mpi" ] || same "NaN: $op, processes" $mpi -n 2 "$multi" --share -o $op --combine mpi --input "$work/nans.npy"
done

# ---- every rank is measured alone, not only the first: one of them has a clock that runs 1000 times as fast
if [ -n "$mpi" ] && ${CC:-cc} -shared -fPIC -o "$work/fast_clock.so" tests/multi_gpu/fast_clock.c -ldl 2>"$work/said"; then
    fast="env LD_PRELOAD=$work/fast_clock.so ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 $multi"
    options='--share -n 100003 -i 3 -w 1 -f json'
    # shellcheck disable=SC2086  # words
    $mpi -n 1 $fast $options : -n 2 "$multi" $options >"$work/json0" 2>"$work/said"
    # shellcheck disable=SC2086
    $mpi -n 2 "$multi" $options : -n 1 $fast $options >"$work/json2" 2>"$work/said"
    for slow in 0 2; do
        check "rank $slow of 3 is slow" slow_share "$work/json$slow"
    done
elif [ -n "$mpi" ]; then
    verdict 1 'tests/multi_gpu/fast_clock.c does not compile'
fi

# ---- what cannot be
fails 2 'rank 1 of 2: device 0 of .* is that of rank 0, too: .*--share' "$multi" --gpus 2 -n 5
fails 2 'these ranks are threads' "$multi" --combine mpi -n 5
fails 2 "give a whole number from 0 to 1024" "$multi" --gpus 1025
fails 2 '--device 3: there is 1 here' "$multi" --device 3 --gpus 1 -n 5
fails 2 'has only 1000 elements' "$multi" --gpus 2 --share -n 1001 --input "$work/numbers.txt"
for ranks in 1 2 3 7; do # on all of them, before any allocation but that of arithmetic_check()
    fails 3 'share of 1099511627776 elements needs .* on the device, and .* are free.*: give a smaller --size' \
        env HIP_CPU_FAIL=hipMalloc:$((ranks + 1)) "$multi" --gpus $ranks --share -n 1T
    [ -z "$mpi" ] || fails 3 'share of 1099511627776 elements needs .* are free.*: give a smaller --size' \
        $mpi -n $ranks env HIP_CPU_FAIL=hipMalloc:2 "$multi" --share -n 1T
done
fails 3 'launch' env HIP_CPU_FAIL=launch:2 "$multi" --gpus 3 --share -n 100003
check 'which names its rank' grep -q '^that was rank [012] of 3, on .*: it ends the others$' "$work/said"
fails 3 'hipHostRegister' env HIP_CPU_FAIL=hipHostRegister:1 "$multi" --gpus 2 --share -n 5
fails 77 'no CPU device\|no device' env HIP_VISIBLE_DEVICES= "$multi" -n 5
if [ -n "$mpi" ]; then
    fails 2 'rank 1 of 3: device 0 of .* is that of rank 0' $mpi -n 3 "$multi" -n 5
    # started by one MPI and built with another: each would be alone
    fails 2 '3 processes were started, and MPI knows of 1' env ASAN_OPTIONS=detect_leaks=0 MV2_COMM_WORLD_SIZE=3 "$multi" -n 5
    fails 2 '--gpus is for threads' $mpi -n 2 "$multi" --gpus 2 -n 5
    fails 2 'unknown option' $mpi -n 2 "$multi" --nothing
    fails 2 'cannot be opened' $mpi -n 2 "$multi" --share --input "$work/none.npy"
    # ranks with another command line or another file: each would reduce something else
    for other in '-n 4' '-i 3' '-o max' "--input $work/nans.npy"; do
        # shellcheck disable=SC2086
        fails 2 'rank 1 of 2: its options, or type and length of its --input, are not those of rank 0' \
            $mpi -n 1 "$multi" --share -n 5 -i 5 --input "$work/values.npy" : -n 1 "$multi" --share -n 5 -i 5 --input "$work/values.npy" $other
    done
    # a rank's number on its host, which chooses its GPU: the launcher's if it can be right, else MPI's
    if ${MPICC:-mpicc} -D_GNU_SOURCE -Icommon -o "$work/local" tests/multi_gpu/local.c reduction_multi_gpu/ranks_mpi.c 2>"$work/said"; then
        for said in 0 -3 word 2147483648; do
            $mpi -n 3 env SLURM_LOCALID=$said "$work/local" 2>&1 | sort >"$work/said"
            check "SLURM_LOCALID=$said for all ranks" test "$(paste -s -d, "$work/said")" = '0 0 3,1 1 3,2 2 3'
        done
        $mpi -n 1 env SLURM_LOCALID=1 "$work/local" : -n 1 env SLURM_LOCALID=0 "$work/local" 2>&1 | sort >"$work/said"
        check "Slurm's numbers, in another order than the ranks" test "$(paste -s -d, "$work/said")" = '0 1 2,1 0 2'
    else
        verdict 1 'tests/multi_gpu/local.c does not compile'
    fi
    # one rank of three fails, the others wait for it
    fails 3 'hipMalloc' $mpi -n 2 "$multi" --share -n 5 : -n 1 env HIP_CPU_FAIL=hipMalloc:1 "$multi" --share -n 5
    check 'which names its rank' grep -q '^that was rank 2 of 3, on ' "$work/said"
    fails 3 'kernel launch' $mpi -n 1 env HIP_CPU_FAIL=launch:3 "$multi" --share -n 70001 : -n 2 "$multi" --share -n 70001
    case $mpi in
    *--oversubscribe*) # an Open MPI that, like srun, ends nobody by itself: only MPI_Abort does
        fails 3 'kernel launch' $mpi --mca orte_abort_on_non_zero_status 0 --mca orte_allowed_exit_without_sync 1 \
            -n 1 env HIP_CPU_FAIL=launch:3 "$multi" --share -n 70001 : -n 2 "$multi" --share -n 70001
        ;;
    esac
    fails 77 'no CPU device\|no device' $mpi -n 1 env HIP_VISIBLE_DEVICES= "$multi" -n 5
fi
# ---- the sweep over ranks
cat >"$work/launch" <<END
#!/bin/sh
echo started >>"$work/launched"
exec "\$@"
END
chmod +x "$work/launch"
MPIRUN= LAUNCH="sh $work/launch" python3 bench/scaling.py "$multi" "$work/sweep.csv" 1K,4K 1,2 --share $short >"$work/said" 2>&1
verdict $? 'a sweep of 1 and 2 ranks'
check 'has a header and a row for each size and number of ranks' test "$(wc -l <"$work/sweep.csv")" -eq 5
check 'and a summary' test "$(grep -c '^ *[12]  *[14]K ' "$work/said")" -eq 4
check 'LAUNCH starts each program' test "$(wc -l <"$work/launched")" -eq 3
if command -v gnuplot >/dev/null; then
    for figure in time efficiency combination; do
        check "the figure of the $figure" test -s "$work/sweep-$figure.svg" -a -s "$work/sweep-$figure.png"
    done
fi
MPIRUN= python3 bench/scaling.py "$multi" "$work/sweep.csv" 1K 1,2 $short >"$work/said" 2>&1
check 'ranks without a GPU are left out' grep -q '2 ranks left out' "$work/said"
[ -z "$mpi" ] || MPIRUN=$mpi python3 bench/scaling.py "$multi" "$work/sweep.csv" 1K 3 --share $short >"$work/said" 2>&1
[ -z "$mpi" ] || check 'a sweep of processes' grep -q ',3 processes of MPI' "$work/sweep.csv"
make_dry() { env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make GPU=cpu -n "$@" >"$work/said" 2>&1; }
make_dry bench VARIANT=multi_gpu LAUNCH='nice -n 1' RANKS=1,3 SIZE=1K,2K
check 'make bench VARIANT=multi_gpu is that sweep' grep -q "LAUNCH='nice -n 1' .*bench/scaling.py " "$work/said"
check 'with these sizes and ranks' grep -q "'1K,2K' '1,3'" "$work/said"
make_dry run VARIANT=multi_gpu
check 'make run VARIANT=multi_gpu says where it is compared' grep -q 'for a sweep make bench VARIANT=multi_gpu' "$work/said"

# ---- a build without MPI, or with the name of none, says so in one line and has everything else
printf '#!/bin/sh\nexit 1\n' >"$work/no_module" && chmod +x "$work/no_module"
for name in /nowhere '' "$work/no_module"; do
    missing=${name:-mpicc}
    [ "$name" != "$work/no_module" ] || missing="mpi.h for $name"
    make_dry MPICC=$name reduction_multi_gpu && grep -q "no $missing, so its ranks are threads of one process" "$work/said" && ! grep -q 'ranks_mpi.c' "$work/said"
    verdict $? "make MPICC=$name"
done
# the module where it is not
mkdir "$work/without" && cp "$built" "$work/without/"
fails 2 'multi_gpu_mpi.so is not there: build with MPI' "$work/without/reduction_multi_gpu" --ranks mpi -n 5

finish
status=$?
[ $status -eq 0 ] && [ -n "$reason" ] && exit 77
exit $status
