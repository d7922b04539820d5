#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: programs
# The program behind `make run`, with shell scripts in place of reductions: whatever these do, its verdict must be right.
load ../lib/check
p=$work/programs/reduction_

# noisy NAME TOTAL P95 KERNEL SPEED CHECK STATUS: a program that reports these times and exits with STATUS. It writes its
# arguments to NAME.given.
noisy() {
    script "$1" "echo \"\$*\" >\"\$0.given\"
echo program,device,arch,warp_size,compute_units,driver,runtime,type,op,pattern,seed,input,n,cache,total_median_us,total_p95_us,kernel_median_us,total_gbps,ceiling_gbps,peak_gbps,error_ulps,check
echo 'reduction_$1,\"A \"\"GPU\"\", fast\",sm_90,32,132,D,R,double,sum,random,1,,1000000,warm,$2,$3,$4,$5,2000.5,,0.25,$6'
exit $7"
}
program() { noisy "$1" "$2" "$2" $(($2 / 2)) "$3" "$4" "$5"; }
script() { printf '#!/bin/sh\n%s\n' "$2" >"$p$1" && chmod +x "$p$1"; }

setup_file() {
    mkdir "$work/programs"
    program no_striding 400 20 OK 0
    program striding 100 80 OK 0
    program prim 50 160 OK 0
    program wrong 100 80 FAIL 1
    program to_fix 100 80 FAIL 1
    program solved_to_fix 100 80 OK 0
    program unsure 100 80 UNPROVEN 4
    noisy two_kernels_unroll 123457 185185.5 123000 12.3 OK 0
    noisy kernel_above 100 100 101 80 OK 0
    noisy custom 100 100 90 80 OK 0
    sed -i "s/,check\$/,options,check/; s/,OK'/,example=argmax;grid=2,OK'/" "${p}custom"
    script crash 'kill -SEGV $$'
    script broken "echo first >&2; echo 'the device fell off: push it' >&2; exit 3"
    script silent 'exit 0'
    script usage "echo 'one line of usage' >&2; exit 2"
    script interrupts 'kill -INT $PPID; exec sleep 20'
    script looks 'cp "${0%/*}/out" "${0%/*}/seen"; exit 3'
    script launcher 'echo "$*" >"$0.given"; shift; exec "$@"'
    script no_gpu "echo 'no AMD GPU found' >&2; exit 77"
}

# compared STATUS NAME|OPTION...: runs these; their table goes to $work/out, messages to $work/said
compared() {
    local wanted=$1 words=()
    shift
    for word; do
        case $word in -* | /*) words+=("$word") ;; *) words+=("$p$word") ;; esac
    done
    status=0
    "$run" "${words[@]}" >"$work/out" 2>"$work/said" </dev/null 3>&- || status=$?
    check "run $*: exit code $status instead of $wanted" [ $status -eq "$wanted" ] || { cat "$work/out" && return 1; }
}
table() { # table TEXT...: the table contains these
    for text; do
        check "no '$text' in: $(cat "$work/out")" grep -qF -e "$text" "$work/out" || return 1
    done
}
no() { check "'$1' in: $(cat "$work/out")" [ "$(grep -cF -e "$1" "$work/out")" -eq 0 ]; }
# row NAME TEXT: the row begins with the name and contains the text; whether it is marked as noisy depends on the machine
row() {
    found=$(sed -n "s/~/ /g; /^$1 /p" "${3:-$work/out}")
    case $found in *"$2"*) ;; *) check "row $1 has no '$2': $found" false ;; esac
}
given() { check "$1 was given: $(cat "$p$1.given")" [ "$(cat "$p$1.given")" = "$2" ]; }

@test "all programs are right" {
    compared 0 no_striding striding prim to_fix
    check 'no message' [ ! -s "$work/said" ]
    table 'sum of 1000000 elements of type double, pattern random, seed 1, warm caches' 'A "GPU", fast (sm_90, warp of 32, 132 units)' \
        '# to_fix: FAIL, an exercise, wrong on purpose'
    check 'the ceiling without a peak, which is unknown' grep -q 'read ceiling 2000.5 GB/s$' "$work/out"
    # total, kernel, GB/s, % of the ceiling, error, check
    row striding '    100.0       50.0    80.00    4.0     0.25  OK'
    row no_striding ' 400.0      200.0    20.00    1.0 '
    check 'no row of an exercise, but one line below' [ "$(grep -c '^to_fix ' "$work/out")" -eq 0 ]
    no failed
    no "$(printf '\342\226')" # bars are for terminals
    no "$(printf '\033')"
    compared 0 custom
    table "custom argmax     100.0       90.0 " # computes no sum
}

@test "--format=wide" {
    compared 0 --format=wide no_striding striding prim
    # kernel, total, GB/s, % of the ceiling, speed-up over no_striding and prim, error, check
    row striding '    50.0     100.0    80.00     4.0        4.00   0.50     0.25  OK'
    row no_striding ' 1.0        1.00   0.12'
    row prim ' 8.0        8.00   1.00'
    check 'lines of more than 100 columns' [ -z "$(awk 'length > 100' "$work/out")" ]
    compared 0 --format=wide striding
    row striding '  -      -     0.25  OK'
}

@test "a solved exercise, without a baseline" {
    mv "${p}solved_to_fix" "$work/programs/solved_to_fix"
    compared 0 striding "$work/programs/solved_to_fix"
    row solved_to_fix 'OK in this run'
    table '# solved_to_fix is right in this run; make check in its folder proves it'
    no 'wrong on purpose'
}

@test "a failure has a row, and the run goes on" {
    while IFS='|' read -r name words; do
        compared 1 striding "$name" prim
        row "$name" "$words"
        row striding OK
        row prim OK
        table '# 1 of 3 programs failed'
    done <<'END_OF_CASES'
wrong|  FAIL
crash|crashed: Segmentation fault
broken|exit 3: the device fell off: push it
silent|exit 0 without a row of results
gone|cannot be run: 
END_OF_CASES
    compared 4 striding unsure # neither right nor wrong, and never a pass
    row unsure UNPROVEN
    table '# UNPROVEN: '
    compared 1 wrong unsure
}

@test "an error that all programs would have is reported once" {
    compared 77 striding no_gpu no_gpu
    check 'the reason' [ "$(cat "$work/said")" = 'no AMD GPU found' ]
    row striding OK # it was measured
    table '# 2 of 3 programs were not measured:' '# no_gpu, no_gpu'
    compared 77 no_gpu striding
    check 'no table' [ ! -s "$work/out" ]
    compared 2 usage usage
    check 'the mistake' [ "$(cat "$work/said")" = 'one line of usage' ]
    check 'no table for it' [ ! -s "$work/out" ]
    compared 0 usage striding usage # an operation that few variants have
    row striding OK
    table '# 2 left out: one line of usage' '# usage, usage'
    compared 2 striding "${p}usage --own=option"
}

@test "mistakes" {
    compared 2 --size=5
    check 'no program' says 'name the programs'
    compared 2 --format=xml striding
    check 'a format' says 'table and wide'
    compared 2 --size=1K..4K striding
    check 'many sizes' says 'make bench SIZES=1K..1G'
    compared 2 --input=- striding
    check 'standard input' says 'standard input'
}

# The first program measures the ceiling, and the others get it as an option. In a wide table the library runs first,
# because the others are compared with it.
@test "programs get options, and the ceiling" {
    compared 0 --format=wide --size=64M striding -tfloat prim --op=max
    no default
    given prim '--size=64M -tfloat --op=max --format=csv'
    given striding '--size=64M -tfloat --op=max --format=csv --ceiling=2000.5'
    compared 0 --size=64M striding prim
    given prim '--size=64M --format=csv --ceiling=2000.5'
    compared 0 --ceiling=7 striding prim
    table default
    given prim '--ceiling=7 --format=csv'
    compared 1 crash striding wrong
    given striding '--format=csv' # the first that can measures the ceiling
    given wrong '--format=csv --ceiling=2000.5'
    compared 0 "--launch=${p}launcher -n1" striding --size=5
    row striding OK
    given striding '--size=5 --format=csv'
    given launcher "-n1 ${p}striding --size=5 --format=csv"
}

@test "lines fit a terminal, and noise is marked" {
    compared 1 no_striding two_kernels_unroll kernel_above prim to_fix unsure wrong
    check 'lines of more than 80 columns' [ -z "$(awk 'length > 80' "$work/out")" ]
    row two_kernels_unroll '123457.0   123000.0 '
    compared 0 two_kernels_unroll kernel_above prim
    table ' 123457.0~ ' ' 100.0~ ' '# ~ marks noise; measure again on an idle machine:' \
        '#   the slowest runs took over 1.2 x the median (1 row)' '#   kernel took longer than total (1 row)'
}

# A traced reduction on the CPU: 2 runs of a kernel with 4 blocks of 2 warps, and of one with 1 block of 1.
@test "on the CPU: what a GPU would do" {
    cat >"${p}cpu" <<'END_OF_SCRIPT'
#!/bin/sh
echo "$HIP_CPU_WARP_SIZE $HIP_CPU_WORKERS $HIP_CPU_EXPLAIN $*" >"$0.given"
echo program,device,arch,warp_size,type,op,pattern,seed,n,launches,total_runs,kernel_runs,total_median_us,check
echo "reduction_cpu,CPU,cpu,64,double,sum,random,1,${n:-512},3,1,1,999,OK"
echo explain,warp_size,sector_bytes,blocks,threads,launches,instructions,lanes,global_load_sectors,global_load_bytes,shared_load_passes,shared_load_conflicts,global_store_sectors,global_store_bytes,shared_store_passes,shared_store_conflicts,global_atomic_sectors,global_atomic_bytes,shared_atomic_passes,shared_atomic_conflicts,barriers,warp_operations,atomics
echo explain,64,64,4,128,2,30,300,90,2880,6,2,0,0,4,1,15,120,5,4,72,2,0
echo explain,64,64,1,64,4,5,50,0,0,0,0,0,0,0,0,0,0,0,0,2,1,0
END_OF_SCRIPT
    sed '/explain,/d; s/reduction_cpu/reduction_hostonly/; $a exit 4' "${p}cpu" >"${p}hostonly"
    chmod +x "${p}cpu" "${p}hostonly"
    compared 0 --count --warp=64 --machine=gfx942 cpu --size=1M
    given cpu '64 2 machine:gfx942,csv --size=1M --format=csv --iterations=1 --warmup=0 --ceiling=1'
    table '# What a GPU like gfx942 with warps of 64 would do' '# sum of 512 elements'
    # 3 launches, 4 + 2 blocks, (36 + 4) / 6 barriers per block; 32 + 12 instructions and warp operations, times 64 / 512
    # elements; 400 lanes in 40; 105 sectors for 3000 bytes; 7 conflicts in 15 passes
    row cpu '    3      6      6.7   5.50    10.0   2.24  0.47 OK'
    no GB/s
    no 999
    no 'nothing was counted'
    check 'lines of more than 80 columns' [ -z "$(awk 'length > 80' "$work/out")" ]
    compared 0 --count cpu hostonly
    given cpu ' 2 csv --format=csv --iterations=1 --warmup=0 --ceiling=1 --size=256K'
    row hostonly ' -     - OK'
    table '# hostonly: nothing was counted; make explain V=hostonly says why' '# the default size'
    script mistaken "echo 'hip: unknown machine' >&2; exit 2"
    compared 2 --count --machine=x mistaken mistaken
    check 'a mistake' [ "$(cat "$work/said")" = 'hip: unknown machine' ]
}

# make names each program when it is built.
@test "rows are shown while others are built" {
    mkfifo "$work/built"
    "$run" --await "${p}striding" "${p}prim" "${p}no_striding" <"$work/built" >"$work/out" 2>"$work/said" 3>&- &
    exec 9>"$work/built"
    printf '%s\n' '  CC    a.c' "built ${p}prim" "built ${p}striding" >&9
    for i in $(seq 100); do
        ! grep -q '^prim ' "$work/out" || break
        sleep 0.1
    done
    row striding OK
    row prim OK
    no no_striding
    exec 9>&- # the build has failed
    status=0
    wait $! || status=$?
    check 'exit code 1' exits 1
    table '# 1 of 3 programs were not measured:' '# no_striding'
}

# In bin/ the shell makes this command line of ./reduction_*
@test "a program compares itself with those that it is given" {
    shuffles=$bin/reduction_shuffles/reduction_shuffles atomic=$bin/reduction_atomic/reduction_atomic
    [ -x "$shuffles" ] && [ -x "$atomic" ] || skip "shuffles or atomic has not been built"
    # shellcheck disable=SC2086  # words of a command
    try $launch "$shuffles" --shuffle xor -n 1K "$atomic" -t float
    ends 0 '^# sum of 1024 elements of type float' '^shuffles shuffle=xor .* OK' '^atomic  .* OK'
    try $launch "$shuffles" --no-such "$atomic"
    ends 2 "unknown option '--no-such'"
    try $launch "$shuffles" README.md
    ends 2 "unexpected 'README.md'"
    ln -s "$shuffles" "$atomic" "$bin/reduction_hello/reduction_hello" "$work/programs"
    cd "$work/programs"
    try $launch ./reduction_atomic ./reduction_hello ./reduction_shuffles -n 16K
    ends 0 '^atomic .* OK' '^shuffles .* OK' '^# hello$' '^# 1 left out: '
}

@test "a row is printed before the next program has ended" {
    "$run" "${p}no_striding" "${p}striding" "${p}looks" >"$work/programs/out" 2>"$work/said" 3>&- && return 1 # looks fails
    row striding '  4.0     0.25  OK' "$work/programs/seen"
}

@test "interrupted by a program" {
    compared 130 striding interrupts wrong prim
    row striding OK
    table '# 3 of 4 programs were not measured:' '# interrupts, wrong, prim'
    compared 130 --format=wide striding interrupts wrong prim
    row prim OK # measured first
    table '# 2 of 4 programs were not measured:' '# interrupts, wrong'
}
