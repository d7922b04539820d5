# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
# says WHAT COMMAND APT DNF CONDA: whether COMMAND works; the packages that bring it
status=0
says() {
    if sh -c "$2" >/dev/null 2>&1; then
        printf '  %-34s here\n' "$1"
    else
        printf '  %-34s MISSING: apt install %s; dnf install %s; conda install %s\n' "$1" "$3" "$4" "$5"
        return 1
    fi
}
cxx=${CXX:-c++} cc=${CC:-cc}
echo "nogpu $(cat "$HIP_CPU_ROOT/VERSION") in $HIP_CPU_ROOT"
echo 'run, cc:'
says "a C++ compiler ($cxx)" "echo 'int main() {}' | $cxx -std=c++17 -x c++ -o /dev/null -" g++ gcc-c++ gxx || status=1
says "a C compiler ($cc)" "echo 'int main(void) { return 0; }' | $cc -x c -o /dev/null -" gcc gcc gcc || status=1
says 'make' 'make --version' make make make || status=1
says 'flock' 'command -v flock' util-linux util-linux util-linux || status=1
echo 'race, memory, explain:'
says "elfutils' libdw" "echo '#include <elfutils/libdwfl.h>
int main(void) { return dwfl_begin(0) != 0; }' | $cc -x c -o /dev/null - -ldw" libdw-dev elfutils-devel elfutils || :
echo 'run --gdb:'
says gdb 'gdb --version' gdb gdb gdb || :
[ -f "$HIP_CPU_ROOT/build/plain/words" ] || echo 'The runtime is not built yet: the first command builds it.'
[ $status -eq 0 ] && echo 'run works here.'
exit $status
