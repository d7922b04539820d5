#!/bin/sh
# SPDX-License-Identifier: MIT
# A newcomer's first hour on a fresh Debian or Ubuntu: clones as the README says, installs only the documented groups, runs,
# finds races, solves an exercise, uses the library, checks: as an ordinary user, in a terminal or piped, in German and C.
#
#   newcomer.sh REPOSITORY 'CHECK' [CC CXX PACKAGE...]     as root, in a system that may be changed for good
#
# CHECK is a goal, and SUITES=... to run some; without it no library and no test is built. Another compiler replaces the group `run`. Exit code 1 if a step failed.
# shellcheck disable=SC2016,SC2317  # commands for other shells; functions that are called by name
repository=$1 check=$2 cc=${3:-cc} cxx=${4:-c++}
shift $(($# < 4 ? $# : 4))
export DEBIAN_FRONTEND=noninteractive
home=/home/newcomer tree=/home/newcomer/none log=$(mktemp) failed=0

# step TEXT PATTERN COMMAND...: the command ends well and says this
step() {
    text=$1 pattern=$2 start=$(date +%s) word=ok
    shift 2
    "$@" >"$log" 2>&1 </dev/null && grep -qe "$pattern" "$log" || word=FAILED failed=1
    printf '  %-6s %4d s  %s\n' $word $(($(date +%s) - start)) "$text"
    [ $word = ok ] || { echo "    ends with an error, or says no '$pattern':"; sed 's/\r$//; s/.*\r//' "$log" | grep -vE '^  [A-Z]+ +[^ ]+$' | tail -n 100 | sed 's/^/    /'; }
}
# as 'terminal|piped German|C' COMMAND: in the clone
as() {
    language=${1#* }
    [ "$language" = C ] || language=de_DE.UTF-8
    printf 'cd "%s"\n%s\n' "$tree" "$2" >"$home/command"
    set -- "${1% *}"
    [ "$1" != terminal ] || set -- script -qec "sh $home/command" /dev/null
    [ "$1" != piped ] || set -- sh "$home/command"
    setpriv --reuid=newcomer --regid=newcomer --init-groups --reset-env env CC="$cc" CXX="$cxx" LC_ALL="$language" "$@"
}
install() { (cd "$tree" && ./install-deps.sh "$@"); }

useradd --create-home --shell /bin/bash newcomer && mkdir $tree && localedef -i de_DE -f UTF-8 de_DE.UTF-8 || exit 3
git config --system safe.directory '*'
clone=$(git -C "$repository" show HEAD:README.md | sed -n 's/^ *\(git clone [^#]*\).*/\1/p' | head -n 1)
step "$clone" '' as 'terminal German' "cd; $(echo "${clone:-false}" | sed "s|^\(git clone \(-[^ ]* \)*\)[^ ]*|\1$repository|")"
tree=$(dirname $home/*/config.mk)
apt-get update >/dev/null
[ $# -eq 0 ] || step "apt-get install $*" '' apt-get install -y --no-install-recommends make "$@"
[ $# -gt 0 ] || step './install-deps.sh' '' install
step 'make run' 'shfl.*OK' as 'terminal German' 'make run'
[ $failed -eq 0 ] || exit 1 # nothing else can be right
step 'make run, piped' 'shfl.*OK' as 'piped C' 'make run V=shfl SIZE=64K'
step './install-deps.sh trace' '' install trace
for around in 'terminal German' 'piped C'; do
    step "make race FILE= of a program with a race, $around" 'race: 1 found' as "$around" '! make race FILE=tests/systems/mine.cu '
    step "... with its barrier, $around" 'race: none found' as "$around" 'make race FILE=tests/systems/mine.cu CPPFLAGS=-DBARRIER'
done
step 'an exercise, as shipped' 'WRONG' as 'terminal German' 'cd reduction_to_fix && ! make EX=3 check'
[ -n "$check" ] || exit $failed
step './install-deps.sh test' '' install test
step 'the exercise, solved' 'SOLVED' as 'piped German' \
    'patch -p1 <$(git grep -l "^+++ .*dropped_tail" -- "*.patch") && make -C reduction_to_fix EX=3 check'
step 'make install' '' as 'piped German' 'make install PREFIX=$HOME/.local'
step 'a program that uses the library' '^36$' as 'piped C' \
    'cd && $CC -I.local/include -o solve "$OLDPWD/library/examples/solve.c" -L.local/lib -Wl,-rpath,$HOME/.local/lib -lreduction && ./solve'
step "make $check" 'check on cpu: .* 0 failed' as 'terminal German' "make GPU=cpu $check"
exit $failed
