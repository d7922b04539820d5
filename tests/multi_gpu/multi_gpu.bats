#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# reduction_multi_gpu on the CPU platform, where a rank is a thread or an MPI process: the same bits for any number of
# ranks, every way to combine, input from files, bad input, and failing ranks. MPIRUN names another mpirun.
load ../lib/check
load programs

setup_file() {
    cat >"$work/npy.py" <<'END'
import struct, sys
values = [struct.pack('<f', float(v)) if 'x' not in v else bytes.fromhex(v[1:]) for v in sys.argv[2:]]
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
open(sys.argv[1], 'wb').write(b'\x93NUMPY\1\0\x76\0' + head.ljust(117).encode() + b'\n' + b''.join(values))
END
    python3 "$work/npy.py" "$work/values.npy" $(seq 300 | sed 's/.*/1.5/')
    # NaNs of all signs and payloads are equal
    python3 "$work/npy.py" "$work/nans.npy" 1 1 x1122c0ff 1 1 1 1 1 1 1 1 1 x0100807f
    seq 0 999 >"$work/numbers.txt"
    # a small replacement of NCCL and RCCL for the CPU platform
    compile libnccl.so.2 -shared -fPIC tests/multi_gpu/nccl.c
}

setup() {
    nccl="env LD_LIBRARY_PATH=$work${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    # For SAN=address: MPI libraries do not free everything.
    mpi="env ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 $mpirun"
    case $(has_mpi && "$mpirun" --version 2>&1) in
    *Open*MPI*) mpi="$mpi --oversubscribe --allow-run-as-root --bind-to none" ;;
    esac
}
needs_mpi() { has_mpi || skip 'no MPI: ./install-deps.sh mpi'; }

# ---- the same bits for any number of ranks, and those of reproducible: every size of a tree, odd ends
same_bits() { # same_bits RUNS TYPE/METHOD...: RUNS is called with the options
    for each in "${@:2}"; do
        options="--share -t ${each%/*} --method ${each#*/} -p mixed -n 0,1,3,1023,4097,16385,40001,300007"
        expect ${options#--share}
        $1 $options || return 1
    done
}
more() { [ "$level" != all ] || echo "$*"; } # cases only for make check-all
threads() {
    for ranks in 1 $(more 2 4 7) 3 16; do
        same $multi --gpus $ranks "$@" || return 1
        same $nccl $multi --gpus $ranks "$@" --combine rccl || return 1
    done
}
processes() {
    for ranks in $(more 1 3 4 7) 2 8; do
        same $mpi -n $ranks $multi "$@" --combine mpi || return 1
    done
    for combine in direct rccl; do
        same $nccl $mpi -n 3 $multi "$@" --combine $combine || return 1
    done
}

@test "the same bits for any number of threads" {
    same_bits threads float/tree float/binned double/tree double/binned
    options='--method tree -t float -o max -n 1,5,40001 --offset 1'
    expect $options
    same $multi --gpus 7 --share $options --grid 3 --block 96
    options='--method binned --folds 2 -t double -p mixed -n 1,40001'
    expect $options
    same $nccl $multi --gpus 3 --share --combine rccl $options
}

@test "the same bits for any number of processes" {
    needs_mpi
    same_bits processes float/tree double/binned $(more float/binned double/tree)
}

@test "enough elements that each unit of the tree has its own run" {
    [ "$level" = all ] || skip 'only in make check-all'
    expect --method tree -t double -n 80000003
    same $multi --gpus 3 --share --method tree -t double -n 80000003
}

@test "all types and operations, every way to combine" {
    turn=0
    for type in float double int long; do
        for op in sum min max; do
            options="--share -t $type -o $op -p mixed"
            right $multi --gpus 3 $options -n 0,2,100003
            for method in plain tree binned; do
                turn=$((turn + 1))
                [ "$level" = all ] || [ $((turn % 2)) -eq 0 ] || continue
                right $nccl $multi --gpus 3 $options --combine rccl --peer --method $method -n 0,100003
            done
        done
    done
}

@test "all operations, with MPI" {
    needs_mpi
    for type in float int; do
        for op in sum min max; do
            right $mpi -n 2 $multi --share --combine mpi -t $type -o $op -p mixed -n 0,1,50021
        done
    done
    right $mpi -n 4 $multi --share -t double -o min --combine direct -n 0,2,100003
    right $mpi -n 16 $multi --share --combine mpi -n 7,100003
    right $mpi -n 16 $multi --share --combine direct -n 7,100003
}

@test "a failing library ends all ranks with one message" {
    rccl="$multi --gpus 2 --share --combine rccl -n 5"
    fails 3 'NCCL cannot begin: invalid usage' $nccl NCCL_FAILS=begin $rccl
    fails 3 'ncclAllReduce: invalid usage' $nccl NCCL_FAILS=reduce $rccl
    for _ in 1 2 3 4 5 6 7 8 9 10; do # it fails on all ranks at once: one of them reports, and says which
        fails 3 'ncclAllGather: invalid usage' $nccl NCCL_FAILS=gather $rccl --gpus 3 --method binned -q
        check 'two lines' [ "$(wc -l <"$work/said")" -eq 2 ]
    done
    mkdir "$work/broken" && echo 'no library' >"$work/broken/libnccl.so.2"
    fails 3 'NCCL cannot be loaded: .*--combine mpi or direct' env LD_LIBRARY_PATH="$work/broken" $rccl
}

# The slots of --combine direct, without the barrier that a measurement puts before each run; and with the thread
# sanitizer, if the compiler has it: who writes a word, who reads it, and in which order.
@test "turns of --combine direct need no barrier" {
    turns="-O2 -std=c11 -D__HIP_PLATFORM_CPU__ -Icommon -Inogpu/include -Iplatform/cpu tests/multi_gpu/turns.c
        reduction_multi_gpu/combine/words.c reduction_multi_gpu/ranks/ranks.c reduction_multi_gpu/ranks/threads.c"
    echo 'int main(void) { return 0; }' >"$work/empty.c"
    compile turns $turns
    for ranks in 1 2 3; do
        try "$work/turns" $ranks
        ends 0
    done
    compile elsewhere $turns -DTURNS_TRIED=3000 -DOTHER_ADDRESS
    try "$work/elsewhere" 3
    ends 0
    compile empty -fsanitize=thread "$work/empty.c" && "$work/empty" || skip 'no thread sanitizer'
    compile turns $turns -DTURNS_TRIED=300 -fsanitize=thread
    for ranks in 2 3; do
        try "$work/turns" $ranks
        ends 0
    done
}

@test "files: each rank reads its part; NaN and the sign of 0 are kept" {
    echo '1 2 nan 4' >"$work/nan.txt"
    echo '0 -0 0 0' >"$work/zero.txt"
    while read -r value options; do
        echo "$value" >"$work/expected"
        same $multi --share ${options//@/$work}
    done <<'END'
499500 --gpus 3 --input @/numbers.txt
499500 --gpus 7 --method tree --input @/numbers.txt
"nan" --gpus 3 -o max --input @/nan.txt
-0 --gpus 4 -o min --input @/zero.txt
450 --gpus 4 --input @/values.npy
END
    echo '"nan"' >"$work/expected"
    for op in sum min max; do
        for method in plain tree binned; do
            same $multi --gpus 4 --share -o $op --method $method --input "$work/nans.npy"
        done
    done
}

@test "files, with processes" {
    needs_mpi
    echo 450 >"$work/expected"
    same $mpi -n 3 $multi --share --input "$work/values.npy"
    echo '"nan"' >"$work/expected"
    for op in sum min max; do
        same $mpi -n 2 $multi --share -o $op --combine mpi --input "$work/nans.npy"
    done
}

# One of three ranks has a clock that runs 1000 times as fast: the report has the mean of the three, and the limit is that
# of the slow one.
@test "every rank is measured, not only the first" {
    needs_mpi
    compile fast_clock.so -shared -fPIC tests/multi_gpu/fast_clock.c
    fast="env LD_PRELOAD=$work/fast_clock.so ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 $multi"
    options='--share -n 100003 -i 3 -w 1 -f json'
    for slow in 0 2; do
        if [ $slow = 0 ]; then
            try $mpi -n 1 $fast $options : -n 2 $multi $options
        else
            try $mpi -n 2 $multi $options : -n 1 $fast $options
        fi
        echo "$(number "$work/said" share_alone_fastest_us) $(number "$work/said" share_alone_us)" \
            "$(number "$work/said" share_alone_slowest_us) $(number "$work/said" one_device_us)" \
            "$(number "$work/said" speed_up_limit)" >"$work/times"
        check "rank $slow of 3 is slow: $(cat "$work/times")" awk '{ limit = $4 / $3
            right = $1 > 0 && $3 > 30 * $1 && $2 > 0.33 * $3 && $2 < 0.66 * $3 && ($5 - limit) ^ 2 < 1e-6 + limit ^ 2 / 100 }
            END { exit !right }' "$work/times"
    done
}

@test "impossible requests" {
    fails 2 'rank 1 of 2: device 0 of .* is that of rank 0, too: .*--share' $multi --gpus 2 -n 5
    fails 2 'these ranks are threads' $multi --combine mpi -n 5
    fails 2 "give a whole number from 0 to 1024" $multi --gpus 1025
    fails 2 '--device 3: there is 1 here' $multi --device 3 --gpus 1 -n 5
    fails 2 'has only 1000 elements' $multi --gpus 2 --share -n 1001 --input "$work/numbers.txt"
    for ranks in 1 2 3 7; do # on all of them, before any allocation except arithmetic_check()'s
        fails 3 'share of 1099511627776 elements needs .* on the device, and .* are free.*: give a smaller --size' \
            env HIP_CPU_FAIL=hipMalloc:$((ranks + 1)) $multi --gpus $ranks --share -n 1T
    done
    fails 3 'launch' env HIP_CPU_FAIL=launch:2 $multi --gpus 3 --share -n 100003
    check 'which names its rank' says '^that was rank [012] of 3, on .*: it ends the others$'
    fails 3 'hipHostRegister' env HIP_CPU_FAIL=hipHostRegister:1 $multi --gpus 2 --share -n 5
    fails 77 'no CPU device\|no device' env HIP_VISIBLE_DEVICES= $multi -n 5
    # without the MPI module
    mkdir "$work/without" && cp "$built" "$work/without/"
    fails 2 'multi_gpu_mpi.so was not found: build with MPI' "$work/without/reduction_multi_gpu" --ranks mpi -n 5
}

@test "impossible requests, with processes" {
    needs_mpi
    fails 2 'rank 1 of 3: device 0 of .* is that of rank 0' $mpi -n 3 $multi -n 5
    for ranks in 1 3; do
        fails 3 'share of 1099511627776 elements needs .* are free.*: give a smaller --size' \
            $mpi -n $ranks env HIP_CPU_FAIL=hipMalloc:2 $multi --share -n 1T
    done
    # started by one MPI and built with another: each rank would be alone
    fails 2 '3 processes were started, and MPI knows of 1' env ASAN_OPTIONS=detect_leaks=0 MV2_COMM_WORLD_SIZE=3 $multi -n 5
    fails 2 '--gpus is for threads' $mpi -n 2 $multi --gpus 2 -n 5
    fails 2 'unknown option' $mpi -n 2 $multi --nothing
    fails 2 'cannot be opened' $mpi -n 2 $multi --share --input "$work/none.npy"
    # ranks with different command lines or files: each would reduce something else
    alike="$multi --share -n 5 -i 5 --input $work/values.npy"
    for other in '-n 4' '-i 3' '-o max' "--input $work/nans.npy"; do
        fails 2 'rank 1 of 2: its options, or type and length of its --input, are not those of rank 0' \
            $mpi -n 1 $alike : -n 1 $alike $other
    done
    fails 77 'no CPU device\|no device' $mpi -n 1 env HIP_VISIBLE_DEVICES= $multi -n 5
}

@test "processes with different command lines" {
    needs_mpi
    for odd in --version --help -L; do
        fails 2 'rank 1 of 2: asked for something else' $mpi -n 1 $multi --share -n 1000 : -n 1 $multi --share -n 1000 $odd || return 1
    done
    fails 2 "rank 1 of 2: unknown option '--odd'" $mpi -n 1 $multi --share -n 1000 : -n 1 $multi --share -n 1000 --odd || return 1
    fails 0 'reduction_multi_gpu [0-9]' $mpi -n 2 $multi --version
}

# It chooses the GPU: the launcher's number if it can be right, otherwise MPI's.
@test "a rank's number on its host" {
    needs_mpi
    CC=${MPICC:-mpicc} compile local -Icommon tests/multi_gpu/local.c reduction_multi_gpu/ranks/mpi.c
    for said in 0 -3 word 2147483648; do
        $mpi -n 3 env SLURM_LOCALID=$said "$work/local" 2>"$work/error" | sort >"$work/said"
        check "SLURM_LOCALID=$said for all ranks" [ "$(paste -s -d, "$work/said")" = '0 0 3,1 1 3,2 2 3' ]
    done
    $mpi -n 1 env SLURM_LOCALID=1 "$work/local" : -n 1 env SLURM_LOCALID=0 "$work/local" 2>"$work/error" | sort >"$work/said"
    check "Slurm's numbers, in another order than the ranks" [ "$(paste -s -d, "$work/said")" = '0 1 2,1 0 2' ]
}

@test "one process of three fails, and ends the others, which wait for it" {
    needs_mpi
    fails 3 'hipMalloc' $mpi -n 2 $multi --share -n 5 : -n 1 env HIP_CPU_FAIL=hipMalloc:1 $multi --share -n 5
    check 'which names its rank' says '^that was rank 2 of 3, on '
    third="-n 1 env HIP_CPU_FAIL=launch:3 $multi --share -n 70001 : -n 2 $multi --share -n 70001"
    fails 3 'kernel launch' $mpi $third
    case $mpi in
    *--oversubscribe*) # an Open MPI that, like srun, does not end the others: only MPI_Abort does
        fails 3 'kernel launch' $mpi --mca orte_abort_on_non_zero_status 0 --mca orte_allowed_exit_without_sync 1 $third
        ;;
    esac
}

@test "the sweep over ranks" {
    printf '#!/bin/sh\necho started >>"%s/launched"\nexec "$@"\n' "$work" >"$work/launch"
    MPIRUN= LAUNCH="sh $work/launch" try python3 bench/scaling/scaling.py "$built" "$work/sweep.csv" 1K,4K 1,2 --share $short
    ends 0
    check 'a header and a row for each size and number of ranks' [ "$(wc -l <"$work/sweep.csv")" -eq 5 ]
    check 'and a summary' [ "$(grep -c '^ *[12]  *[14]K ' "$work/said")" -eq 4 ]
    check 'LAUNCH starts each program' [ "$(wc -l <"$work/launched")" -eq 3 ]
    MPIRUN= try python3 bench/scaling/scaling.py "$built" "$work/sweep.csv" 1K 1,2 $short
    ends 0 '2 ranks left out'
    if has_mpi; then
        MPIRUN=$mpi try python3 bench/scaling/scaling.py "$built" "$work/sweep.csv" 1K 3 --share $short
        check 'a sweep of processes' grep -q ',3 processes of MPI' "$work/sweep.csv"
    fi
    try make GPU=cpu -n bench VARIANT=multi_gpu LAUNCH='nice -n 1' RANKS=1,3 SIZE=1K,2K
    ends 0 "LAUNCH='nice -n 1' .*bench/scaling/scaling.py " "'1K,2K' '1,3'"
    try make GPU=cpu -n run VARIANT=multi_gpu
    ends 2 'for a sweep make bench VARIANT=multi_gpu'
}

@test "a build without MPI, or with a wrong name, says so in one line and has everything else" {
    printf '#!/bin/sh\nexit 1\n' >"$work/no_module" && chmod +x "$work/no_module"
    for name in /nowhere '' "$work/no_module"; do
        missing=${name:-mpicc}
        [ "$name" != "$work/no_module" ] || missing="mpi.h for $name"
        try make GPU=cpu -n MPICC=$name reduction_multi_gpu
        ends 0 "no $missing, so its ranks are threads of one process"
        check 'and no module' [ "$(grep -c 'ranks/mpi.c' "$work/said")" -eq 0 ]
    done
}
