#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow tree traced
# Threads that wait for each other: make race lets them take turns, and stops when there is no progress.
load ../lib/check
source=nogpu/tests/planted/waits.hip

setup() {
    needs_trace
    unset HIP_CPU_TRACE
}

# looked STATUS KERNEL BLOCKS VALUE WORD...: make WORD... with this kernel must end with STATUS
looked() {
    local wanted=$1 kernel=$2 blocks=$3 value=$4
    shift 4
    sed "s/hipLaunchKernelGGL(.*/hipLaunchKernelGGL($kernel, dim3($blocks), dim3(64), 0, 0, w, ${value}u);/" \
        $source >"$work/$kernel.hip"
    try ${MAKE:-make} -s "$@" FILE="$work/$kernel.hip"
    check "$kernel: exit code $status instead of $wanted" exits "$wanted"
}
line() { grep -n "$1" $source | cut -d : -f 1; }
# not_found TEXT
not_found() { check "there is \"$1\"" [ "$(grep -c "$1" "$work/said")" -eq 0 ]; }

@test "the race in a queue that one thread could empty is found" {
    looked 2 drain 1 100 race
    ends 2 "drain.hip:$(line 'sum += 3')" 'times at these lines, with SCHEDULE=reverse, random:1, random:2' \
        '^race: 1 found' 'in 8 runs: warps of 32 and 64; SCHEDULE=forward, reverse, random:1, random:2'
    check 'what the program says is shown once' [ "$(grep -c '^sum' "$work/said")" -eq 1 ]
    looked 0 drain_right 1 100 race
}

@test "a race in some schedules that follows from one in all of them is no finding of its own" {
    looked 2 look_early 1 7 race
    ends 2 '^race: 1 found' "reason: .*:$(line '&w->out, w->sum') and .*:$(line 'w->sum = 1')"
}

@test "a thread that polls a word from its own block, or from a later one, gets it" {
    looked 0 hand_over 1 0 race
    check 'the value' says 'out 7'
    looked 0 hand_over 8 7 race
    looked 0 hand_over 8 7 explain
}

@test "a thread that waits forever: its line, the lines of the others, and the findings so far" {
    looked 2 hand_over 2 9 race WARP=32 SCHEDULE=forward
    ends 2 "thread (0,0,0), at .*hand_over.hip:$(line 'atomicAdd(&w->flag'): waits for a word that no thread" \
        "63 threads (1-63) wait at the barrier .*hand_over.hip:$(line '__syncthreads')" \
        'race: the run stopped early; none found until then'
    looked 2 hand_over 2 9 explain WARP=32
    check 'explain ends, too' says 'Error 3'
    # More blocks than can take turns.
    looked 2 hand_over 40 39 race WARP=32 SCHEDULE=forward
    check 'why' says 'a GPU does not promise either'
}

@test "a thread that probes a full table, and one that stores the same value in many places" {
    ulimit -t 60
    looked 2 insert 1 1 race WARP=32 SCHEDULE=forward
    check 'its place' says "thread (0,0,0), at .*insert.hip:$(line probes): waits for a word that no thread"
    looked 0 insert 1 0 race WARP=32 SCHEDULE=forward
    looked 0 fill 1 3 race WARP=32 SCHEDULE=forward
    # Many threads, each of which changes its own word and changes it back.
    sed 's/hipLaunchKernelGGL(.*/hipLaunchKernelGGL(back_and_forth, dim3(1), dim3(1024), 0, 0, w, 2048u);/' $source >"$work/back.hip"
    try ${MAKE:-make} -s race FILE="$work/back.hip" WARP=32 SCHEDULE=forward
    ends 0 'none found in kernel back_and_forth'
}

@test "a stream that waits for a word that the host would write later" {
    try ${MAKE:-make} -s race FILE=nogpu/tests/constructs/words.hip WARP=32 SCHEDULE=forward
    ends 2 'hipStreamWaitValue32: nothing has written the word'
}

@test "a limit of processor time ends a loop without accesses" {
    looked 2 wait_plainly 1 0 race WARP=32 SCHEDULE=forward
    check 'its place' says 'wait_plainly.hip:[0-9]*: \(loops without accessing memory\|waits for a word that no thread changes\)'
    looked 0 store_long 1 0 race WARP=32 SCHEDULE=forward
}

@test "after a signal the tool prints its findings, and where the threads are" {
    looked 0 drain_right 1 100 race WARP=32 SCHEDULE=forward
    sed 's/hipLaunchKernelGGL(.*/hipLaunchKernelGGL(drain, dim3(2), dim3(64), 0, 0, w, 4000000000u);/' $source >"$work/long.hip"
    setsid ${MAKE:-make} -s race FILE="$work/long.hip" WARP=32 SCHEDULE=random:1 >"$work/said" 2>&1 </dev/null 3>&- &
    make=$!
    # The script starts the program, and both end with it.
    while kill -0 $make; do
        program=$(in_session $make long | head -n 1)
        [ -z "$program" ] || [ "$(ticks "$program")" -le 50 ] || break
        sleep 0.1
    done
    kill -TERM "$(parent_of "$program")"
    status=0
    wait $make || status=$?
    ends 2 "long.hip:$(line 'sum += 3')" "the block's threads now" 'the run stopped early'
}
