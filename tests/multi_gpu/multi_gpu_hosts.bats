#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# What only several hosts show: reduction_multi_gpu on two hosts that are network namespaces of this machine, with
# different names, joined by a pair of virtual cards. Messages go over TCP; mpirun (Open MPI or MPICH; MPIRUN names another)
# starts ranks on the other host with an agent instead of ssh.
load ../lib/check
load programs

missing() { # prints why the hosts cannot be had
    [ "$(id -u)" -eq 0 ] || echo 'network namespaces need root'
    for tool in ip unshare hostname; do command -v $tool >/dev/null || echo "$tool is not there"; done
    has_mpi || echo 'no MPI: ./install-deps.sh mpi'
}
setup_file() {
    export a=red$$a b=red$$b missing
    missing=$(missing | head -n 1)
    [ -z "$missing" ] || return 0
    {
        ip netns add $a && ip netns add $b &&
            ip link add card netns $a type veth peer name card netns $b &&
            ip -n $a addr add 10.99.0.1/24 dev card && ip -n $b addr add 10.99.0.2/24 dev card &&
            for host in $a $b; do ip -n $host link set lo up && ip -n $host link set card up; done
    } 2>"$work/said" || missing="the system refuses network namespaces: $(tail -n 1 "$work/said")"
    compile fast_clock.so -shared -fPIC tests/multi_gpu/fast_clock.c
    cat >"$work/agent" <<'END'
#!/bin/sh
# agent HOST COMMAND...: as ssh would
host=$1
shift
[ "$host" != -x ] || { host=$1 && shift; }
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
END
    chmod +x "$work/agent"
}
teardown_file() {
    ip netns del $a 2>/dev/null || true
    ip netns del $b 2>/dev/null || true
}
setup() {
    [ -z "$missing" ] || skip "$missing"
    case $("$mpirun" --version 2>&1) in
    *Open*MPI*)
        mpi="$work/agent $a $mpirun --allow-run-as-root --bind-to none --map-by node --host $a:8,$b:8"
        mpi="$mpi --mca plm_rsh_agent $work/agent --mca btl tcp,self --mca mpi_yield_when_idle 1"
        mpi="$mpi --mca btl_tcp_if_include card --mca oob_tcp_if_include card"
        ;;
    *) mpi="$work/agent $a $mpirun -launcher ssh -launcher-exec $work/agent -iface card -hosts $a,$b" ;;
    esac
}

# on_b SETTINGS COMMAND...: one rank on each host; host b's has these settings
on_b() {
    printf '#!/bin/sh\n[ "$(hostname)" != %s ] || export %s\nexec "$@"\n' $b "$1" >"$work/there"
    chmod +x "$work/there"
    shift
    $mpi -n 2 "$work/there" "$@"
}

@test "one rank on each host: their devices 0 are different" {
    try $mpi -n 2 $multi -n 70001 $short
    ends 0 '2 processes of MPI on 2 hosts, .*combined by mpi'
    fails 2 'rank 2 of 3: device 0 of .* is that of rank 0, too' $mpi -n 3 $multi -n 5
    fails 2 'combine direct is for the ranks of one host' $mpi -n 2 $multi -n 5 --combine direct
}

# The mean is between both: b's clock runs 1000 times as fast.
@test "each device is also measured alone, with all elements" {
    try on_b "LD_PRELOAD=$work/fast_clock.so ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0" \
        $multi -n 70001 -i 3 -w 1 -f json
    for what in one_device share_alone; do
        echo "$(number "$work/said" ${what}_fastest_us) $(number "$work/said" ${what}_us) $(number "$work/said" ${what}_slowest_us)" \
            >"$work/times"
        check "$what: $(cat "$work/times")" awk '{ exit !($1 > 0 && $3 > 30 * $1 && $2 > 0.49 * $3 && $2 < 0.6 * $3) }' "$work/times"
    done
}

@test "a failure on the other host ends all ranks" {
    fails 3 'rank 0 of 4: its share of 1099511627776 elements needs' $mpi -n 4 $multi --share -n 1T
    fails 3 'kernel launch' on_b HIP_CPU_FAIL=launch:3 $multi -n 70001
}
