#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages for running, testing and developing on Debian, Ubuntu and related systems (tools/build/packages.txt).
# shellcheck disable=SC2046,SC2086  # groups and packages are words
table=$(dirname "$0")/tools/build/packages.txt
groups=$(sed -n 's/^\([a-z]*\) |.*/\1/p' "$table" | paste -s -d ' ' -)
found() { command -v "$1" >/dev/null 2>&1; }
column() { grep "^$2 |" "$table" | cut -d '|' -f "$1" | sed 's/^ //; s/ $//'; } # column N GROUP
packages() {
    for word in $(column 2 "$1"); do
        case $word in
        chromium) grep -qs '^ID=ubuntu' /etc/os-release || echo $word ;; # Ubuntu has no such package
        @*) packages "${word#@}" ;;
        *) echo $word ;;
        esac
    done
}
list() { # list GROUP...
    for group; do
        printf '  %-7s %s\n          %s\n' "$group" "$(column 3 "$group")" "$(packages "$group" | paste -s -d ' ' -)"
    done
}
leave() { # leave STATUS MESSAGE
    [ "$1" -eq 0 ] && printf '%s\n' "$2" || echo "install-deps.sh: $2" >&2
    exit "$1"
}
dry='' wanted=''
for argument; do
    case " $groups all -n --dry-run -h --help " in *" $argument "*) ;; *) leave 2 "unknown group '$argument'; the groups are: $groups all" ;; esac
    case $argument in
    -h | --help) leave 0 "Usage: ./install-deps.sh [--dry-run] [GROUP]...
Installs packages with apt-get, as root or with sudo. Groups (default: run):
$(list $groups)
  all     every group
--dry-run lists the packages and installs nothing.
For NVIDIA GPUs, install the CUDA toolkit from NVIDIA, or nvidia-cuda-toolkit from the distribution." ;;
    -n | --dry-run) dry=yes ;;
    all) wanted=$groups ;;
    *) wanted="$wanted $argument" ;;
    esac
done
wanted=${wanted:-run}
# Any C and C++ compilers and make will do, however they were installed.
if found "${CC:-cc}" && found "${CXX:-c++}" && found make; then
    wanted=$(printf '%s\n' $wanted | grep -vx run) || leave 0 "Nothing to install for make run: found ${CC:-cc}, ${CXX:-c++} and make"
fi
found apt-get || leave 0 "apt-get not found. Install these packages; their names may differ on your system:
$(list $wanted)"

set -- $(for group in $wanted; do packages "$group"; done | awk '!seen[$0]++')
missing=$(for package; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed' || printf ' %s' "$package"
done)
[ -n "$missing" ] || leave 0 "Nothing to install; already installed: $*"
echo "To be installed:$missing"
[ -z "$dry" ] || exit 0
as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
[ -z "$as_root" ] || found sudo || leave 1 'this needs root, and sudo is not installed: ask your administrator for these packages.'
[ "$(LC_ALL=C apt-cache policy $missing | grep -c 'Candidate: [0-9]')" -eq "$(echo $missing | wc -w)" ] || $as_root apt-get update || exit 1
exec $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
