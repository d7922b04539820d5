#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
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
    # kernel, total, GB/s, % of the ceiling, speed-up over no_striding and prim, error, check
    row striding '    50.0     100.0    80.00     4.0        4.00   0.50     0.25  OK'
    row no_striding ' 1.0        1.00   0.12'
    row prim ' 8.0        8.00   1.00'
    check 'no row of an exercise, but one line below' [ "$(grep -c '^to_fix ' "$work/out")" -eq 0 ]
    no failed
    no "$(printf '\342\226')" # bars are for terminals
    no "$(printf '\033')"
    compared 0 custom
    table "custom argmax      90.0     100.0 " # computes no sum
}

@test "a solved exercise, without a baseline" {
    mv "${p}solved_to_fix" "$work/programs/solved_to_fix"
    compared 0 striding "$work/programs/solved_to_fix"
    row solved_to_fix 'OK in this run'
    table '# solved_to_fix is right in this run; make check in its folder proves it'
    no 'wrong on purpose'
    row striding '  -      -     0.25  OK'
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
}

@test "mistakes" {
    compared 2 --size=5
    check 'no program' says 'name the programs'
    compared 2 --format=json striding
    check 'a format' says '--format=csv'
    compared 2 --size=1K..4K striding
    check 'many sizes' says 'make bench SIZES=1K..1G'
    compared 2 --input=- striding
    check 'standard input' says 'standard input'
}

# The first program measures the ceiling, and the others get it as an option. The library runs first, because the others
# are compared with it.
@test "programs get options, and the ceiling" {
    compared 0 --size=64M striding -tfloat prim --op=max
    no default
    given prim '--size=64M -tfloat --op=max --format=csv'
    given striding '--size=64M -tfloat --op=max --format=csv --ceiling=2000.5'
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

@test "--format=csv" {
    compared 1 --format=csv striding crash prim
    check 'a crash' says 'crash: crashed: Segmentation fault$'
    check 'a header and two rows' [ "$(cut -d, -f1 "$work/out" | paste -s -d' ')" = 'program reduction_striding reduction_prim' ]
    table 'reduction_prim,"A ""GPU"", fast",'
}

@test "lines fit a projector, and noise is marked" {
    compared 1 no_striding two_kernels_unroll kernel_above prim to_fix unsure wrong
    check 'lines of more than 100 columns' [ -z "$(awk 'length > 100' "$work/out")" ]
    row two_kernels_unroll '123000.0  123457.0 '
    compared 0 two_kernels_unroll kernel_above prim
    table ' 123457.0~ ' ' 100.0~ ' '# ~ marks noise; measure again on an idle machine:' \
        '#   the slowest runs took over 1.2 x the median (1 row)' '#   kernel took longer than total (1 row)'
}

# A reduction on the CPU, and its traced build in counts/: 2 runs of a kernel with 4 blocks of 2 warps, and of one with 1
# block of 1.
@test "on the CPU: what a GPU would do, and times that are not compared" {
    noisy cpu 100 500 300 80 OK 0
    sed -i s/sm_90/cpu/ "${p}cpu"
    mkdir "$work/counts"
    cat >"$work/counts/reduction_cpu" <<'END_OF_SCRIPT'
#!/bin/sh
echo "$HIP_CPU_WARP_SIZE $HIP_CPU_WORKERS $HIP_CPU_EXPLAIN $*" >"$0.given"
echo n,launches,total_runs,kernel_runs
echo 512,3,1,1
echo '  {"kernel": "a", "machine": "gfx942", "warp_size": 64, "sector_bytes": 64, "blocks": 4, "threads": 128, "launches": 2, "instructions": 30, "lanes": 300, "global_load_sectors": 90, "global_load_bytes": 2880, "shared_load_passes": 6, "shared_load_conflicts": 2, "global_store_sectors": 0, "global_store_bytes": 0, "shared_store_passes": 4, "shared_store_conflicts": 1, "global_atomic_sectors": 15, "global_atomic_bytes": 120, "shared_atomic_passes": 5, "shared_atomic_conflicts": 4, "barriers": 72, "warp_operations": 2, "atomics": 0,'
echo '  {"kernel": "b", "warp_size": 64, "sector_bytes": 64, "blocks": 1, "threads": 64, "launches": 4, "instructions": 5, "lanes": 50, "barriers": 2, "warp_operations": 1'
END_OF_SCRIPT
    chmod +x "$work/counts/reduction_cpu"
    compared 0 --counts="$work/counts" --warp=64 --machine=gfx942 cpu --size=1M to_fix
    check 'the twin was given its options' [ "$(cat "$work/counts/reduction_cpu.given")" = \
        '64 2 machine:gfx942,json --size=1M --size=256K --iterations=1 --warmup=0 --ceiling=1 --format=csv' ]
    check 'and three runs are enough for this CPU' grep -q -- '--format=csv --iterations=3 --warmup=1$' "${p}cpu.given"
    table '# What a GPU like gfx942 with warps of 64 would do, counted in a run of 256K'
    # 3 launches, 4 + 2 blocks, (36 + 4) / 6 barriers per block; 32 + 12 instructions and warp operations, times 64 / 512
    # elements; 400 lanes in 40; 105 sectors for 3000 bytes; 7 conflicts in 15 passes; the time is not marked
    row cpu 'OK              3       6      6.7     5.50    10.0   2.24      0.47        100.0'
    no GB/s
    no '~'
    no 'nothing was counted'
    check 'lines of more than 100 columns' [ -z "$(awk 'length > 100' "$work/out")" ]
    compared 0 --counts="$work/counts" cpu --iterations=7
    check 'unless the user says otherwise; and few elements' grep -q -- '--iterations=7 --format=csv --size=256K$' "${p}cpu.given"
    compared 0 cpu # without libdw
    row cpu 'cpu      OK              100.0'
    compared 0 --counts="$work/nowhere" cpu
    row cpu ' -         -        100.0'
    table '# cpu: nothing was counted; make explain V=cpu says why'
    printf "#!/bin/sh\necho 'hip: unknown machine' >&2; exit 2\n" >"$work/counts/reduction_striding"
    chmod +x "$work/counts/reduction_striding"
    compared 2 --counts="$work/counts" --machine=x striding prim
    check 'a mistake of the twin' [ "$(cat "$work/said")" = 'hip: unknown machine' ]
}

@test "a row is printed before the next program has ended" {
    "$run" "${p}no_striding" "${p}striding" "${p}looks" >"$work/programs/out" 2>"$work/said" 3>&- && return 1 # looks fails
    row striding '4.00      -     0.25  OK' "$work/programs/seen"
}

@test "interrupted by a program" {
    compared 130 striding interrupts wrong prim
    row striding OK
    row prim OK # measured first
    table '# 2 of 4 programs were not measured:' '# interrupts, wrong'
}
