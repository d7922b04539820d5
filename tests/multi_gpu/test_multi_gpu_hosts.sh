#!/bin/sh
# SPDX-License-Identifier: MIT
# reduction_multi_gpu on two hosts that are network namespaces of this machine, each with a name of its own, joined by a
# pair of virtual cards: what only several hosts show. Messages go by TCP, and mpirun starts ranks on the other host by
# an agent in place of ssh.
#
#   REDUCTION_BIN=. tests/multi_gpu/test_multi_gpu_hosts.sh       set by make check
#
# Needs root, ip, unshare and Open MPI or MPICH, whose mpirun MPIRUN can name; exit code 77 without them.
cd "$(dirname "$0")/../.." || exit 3
. tests/lib/check.sh
. tests/multi_gpu/programs.sh

skip() {
    echo "two hosts are not tested: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'network namespaces need root'
for tool in ip unshare hostname; do command -v $tool >/dev/null || skip "$tool is not there"; done
[ -n "$mpirun" ] && [ -r "$bin/reduction_multi_gpu/multi_gpu_mpi.so" ] || skip 'no MPI: ./install-deps.sh mpi'

# ---- the hosts a and b
a=red$$a b=red$$b
trap 'ip netns del $a 2>/dev/null; ip netns del $b 2>/dev/null; rm -rf "$work"' EXIT
{
    ip netns add $a && ip netns add $b &&
        ip link add card netns $a type veth peer name card netns $b &&
        ip -n $a addr add 10.99.0.1/24 dev card && ip -n $b addr add 10.99.0.2/24 dev card &&
        for host in $a $b; do ip -n $host link set lo up && ip -n $host link set card up; done
} 2>"$work/said" || skip "the system refuses network namespaces: $(tail -n 1 "$work/said")"
cat >"$work/agent" <<'END'
#!/bin/sh
# agent HOST COMMAND...: as ssh would
host=$1
shift
[ "$host" != -x ] || { host=$1 && shift; }
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
END
chmod +x "$work/agent"
case $("$mpirun" --version 2>&1) in
*Open*MPI*)
    mpi="$work/agent $a $mpirun --allow-run-as-root --bind-to none --map-by node --host $a:8,$b:8"
    mpi="$mpi --mca plm_rsh_agent $work/agent --mca btl tcp,self --mca mpi_yield_when_idle 1"
    mpi="$mpi --mca btl_tcp_if_include card --mca oob_tcp_if_include card"
    ;;
*) mpi="$work/agent $a $mpirun -launcher ssh -launcher-exec $work/agent -iface card -hosts $a,$b" ;;
esac

# slower FILE NAME: of two devices one is slow, and the mean is between
slower() {
    echo "$(number "$1" "$2_fastest_us") $(number "$1" "$2_us") $(number "$1" "$2_slowest_us")" | tee "$work/said" |
        awk '{ right = $1 > 0 && $3 > 30 * $1 && $2 > 0.49 * $3 && $2 < 0.6 * $3 } END { exit !right }'
}

# One rank on each host: device 0 of one is not that of the other, so no --share is needed.
$mpi -n 2 "$multi" -n 70001 $short >"$work/said" 2>&1
verdict $? 'one rank on each of two hosts'
check 'and they know that they are on two' grep -q '2 processes of MPI on 2 hosts, .*combined by mpi' "$work/said"
fails 2 'rank 2 of 3: device 0 of .* is that of rank 0, too' $mpi -n 3 "$multi" -n 5
# Each device is measured alone, with all elements, too: that of b has a clock that runs 1000 times as fast.
${CC:-cc} -shared -fPIC -o "$work/fast_clock.so" tests/multi_gpu/fast_clock.c -ldl
cat >"$work/slow" <<END
#!/bin/sh
[ "\$(hostname)" != $b ] || export LD_PRELOAD=$work/fast_clock.so ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
exec "$multi" -n 70001 -i 3 -w 1 -f json
END
chmod +x "$work/slow"
$mpi -n 2 "$work/slow" >"$work/json" 2>"$work/said"
for what in one_device share_alone; do
    check "the device of each host: $what" slower "$work/json" $what
done
fails 2 'combine direct is for the ranks of one host' $mpi -n 2 "$multi" -n 5 --combine direct
for method in tree binned; do
    options="--method $method -t double -p mixed -n 1,40001,300007"
    "$alone" $options $short -f json | values >"$work/expected"
    for ranks in 2 3 7; do
        $mpi -n $ranks "$multi" --share $options $short -f json >"$work/json" 2>"$work/said"
        values <"$work/json" >"$work/got"
        check "$ranks ranks on two hosts, $options" cmp -s "$work/expected" "$work/got"
    done
done
# What goes wrong on the other host ends all of them.
fails 3 'rank 0 of 4: its share of 1099511627776 elements needs' $mpi -n 4 "$multi" --share -n 1T
cat >"$work/there" <<END
#!/bin/sh
[ "\$(hostname)" != $b ] || export HIP_CPU_FAIL=launch:3
exec "$multi" -n 70001
END
chmod +x "$work/there"
fails 3 'kernel launch' $mpi -n 2 "$work/there"

finish
