#!/bin/sh
# Installs what running, testing and developing need, on Debian, Ubuntu and related systems. See --help.
groups='run test develop amd mpi plot'

# For the test of a page; Ubuntu has no such package.
browser() { grep -qs "^ID=ubuntu" /etc/os-release || echo chromium; }

packages() {
    case $1 in
    run) echo gcc g++ make ;;
    test) echo bats check patch python3 ;;
    develop) echo bats check patch clang clang-format $(browser) debootstrap gnuplot-nox hipcc libamdhip64-dev libopenmpi-dev librocprim-dev openmpi-bin python3 ;;
    amd) echo hipcc libamdhip64-dev librocprim-dev ;;
    mpi) echo libopenmpi-dev openmpi-bin ;;
    plot) echo gnuplot-nox python3 ;;
    esac
}
meaning() {
    case $1 in
    run) echo 'C and C++ compiler, make: all that make run needs on the CPU' ;;
    test) echo 'bats, Check, patch and Python, for make check' ;;
    develop) echo 'all that .ci/run uses: test, a second compiler, clang-format, gnuplot, chromium, debootstrap, and AMD and MPI as below' ;;
    amd) echo 'the hipcc, HIP and rocPRIM of the distribution, for make GPU=gfx90a (hipcc brings rocm-device-libs)' ;;
    mpi) echo 'Open MPI, for processes of reduction_multi_gpu; MPICH does as well' ;;
    plot) echo 'gnuplot and Python, for make plot' ;;
    esac
}
list() { # the groups $*
    for group; do
        printf '  %-7s %s\n          %s\n' "$group" "$(meaning "$group")" "$(packages "$group")"
    done
}
usage() {
    echo 'Usage: ./install-deps.sh [--dry-run] [GROUP]...'
    echo 'Installs packages with apt-get, as root or with sudo. Groups (default: run):'
    # shellcheck disable=SC2086  # groups are words
    list $groups
    echo '  all     every group'
    echo 'base is another word for run, format for develop.'
    echo 'For NVIDIA GPUs take the CUDA toolkit from NVIDIA, or nvidia-cuda-toolkit of the distribution.'
}
there() { command -v "$1" >/dev/null 2>&1; }

dry=
wanted=
for argument; do
    case $argument in
    base) argument=run ;;
    format) argument=develop ;;
    esac
    case $argument in
    -h | --help)
        usage
        exit 0
        ;;
    -n | --dry-run) dry=yes ;;
    all) wanted=$groups ;;
    *)
        case " $groups " in
        *" $argument "*) wanted="$wanted $argument" ;;
        *)
            echo "install-deps.sh: '$argument' is not a group; there are: $groups all" >&2
            exit 2
            ;;
        esac
        ;;
    esac
done
wanted=${wanted:-run}

# Any C and C++ compiler and make will do, whoever installed them.
if there "${CC:-cc}" && there "${CXX:-c++}" && there make; then
    # shellcheck disable=SC2086
    wanted=$(printf '%s\n' $wanted | grep -vx run)
    if [ -z "$wanted" ]; then
        echo "All that make run needs is there: ${CC:-cc}, ${CXX:-c++}, make"
        exit 0
    fi
fi

if ! there apt-get; then
    echo 'There is no apt-get here. Please install these, under the names that your system has for them:'
    # shellcheck disable=SC2086
    list $wanted
    exit 0
fi

all=$(for group in $wanted; do packages "$group"; done | tr ' ' '\n' | awk '!seen[$0]++' | tr '\n' ' ')
missing=
unknown=
for package in $all; do
    if ! dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed'; then
        missing="$missing $package"
        apt-cache policy "$package" | grep -q 'Candidate: [0-9]' || unknown=yes
    fi
done
if [ -z "$missing" ]; then
    echo "Everything is there already: $all"
    exit 0
fi
echo "To be installed:$missing"
[ -z "$dry" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! there sudo; then
        echo 'install-deps.sh: that needs root, and there is no sudo: ask whoever has root for these packages.' >&2
        exit 1
    fi
    as_root=sudo
fi
[ -z "$unknown" ] || $as_root apt-get update || exit 1
# shellcheck disable=SC2086  # packages are words
exec $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
