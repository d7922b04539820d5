#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow long programs
# The build itself: what is rebuilt when, separate folders for targets, messages for mistakes. Works on a copy of the
# sources with two variants, GPU=cpu; scripts replace hipcc and nvcc.
load ../lib/check
. tests/lib/copy.sh
program=reduction_shfl/reduction_shfl

setup_file() {
    copy_tree "$work/tree" reduction_no_striding reduction_shfl reduction_hello
    mkdir -p "$work/tree/tests/common"
    rm -f "$work"/tree/reduction_*/reduction_*[!.]?????
}
setup() {
    unset GPU OUT V SAN WERROR VARIANT VARIANTS SUITES SIZE SIZES N TYPE TYPES OP OPS LAUNCH LDFLAGS CC CXX HIPCC NVCC
    unset ROCM_PATH CUDA_HOME CUDA_PATH HIP_PLATFORM REDUCTION_BIN REDUCTION_CHECK REDUCTION_VARIANT
    export CFLAGS=-O0 CXXFLAGS=-O0 # to compile faster
    cd "$work/tree" 2>/dev/null || cd "$work/a tree" # moved by a test
}
teardown_file() {
    chmod -R u+w "$work"
}

build() { try make -j2 "$@"; }
silent() { [ $status -eq 0 ] && ! grep -vqE '^([0-9]+ programs; )?run' "$work/said"; }
right() { [ $status -eq 0 ]; }
wrong() { [ $status -ne 0 ]; }
count() { [ "$(grep -c -e "$2" "$work/said")" -eq "$1" ]; }

makeflags() { # as seen by recipes
    printf 'include Makefile\nshow.flags:\n\t@echo " $(MAKEFLAGS) "\n' | make -f - "$@" GPU=cpu show.flags >"$work/said" 2>&1
}

built() { build "$@" && check "make $*" right; }
told() { # told PATTERN ARGUMENT...: what make says
    build "${@:2}"
    check "make ${*:2}: $1" says "$1"
}

goal() { # goal GOAL LINE: make GOAL is refused with this line
    build "$1"
    check "make $1 is refused" wrong
    check "make $1: $2" says "$2"
    check "make $1: in one line" count 1 .
}

means() { [ "$(sh platform/target.sh "$1")" = "$2" ]; }

auto() { [ "$(PATH=$1:$PATH KFD_NODES=$2 sh platform/target.sh auto)" = "$3" ]; }

@test "a change rebuilds what depends on it, and nothing else" {
    built GPU=cpu
    check 'and is quiet' count 3 '^  CXX   reduction_'
    check 'and warns of nothing' count 0 warning
    build GPU=cpu
    check 'the second build has nothing to do' silent
    check 'and says how to run what is there' says '^3 programs; run one: ./reduction_shfl/reduction_shfl   all: make run GPU=cpu$'
    touch common/element.h
    build GPU=cpu
    check 'a header of the variants rebuilds both' count 2 'CXX   reduction_'
    check 'and no C file' count 0 '^  CC '
    touch common/verdict/verify.h
    expected=$(find build/cpu -name '*.d' ! -name '*.main.d' -exec grep -l '^common/verdict/verify.h:' {} + | grep -c .)
    build GPU=cpu
    check 'a header of the host rebuilds what includes it' says 'CC    common/verdict/verify.c'
    check 'and nothing else' count "$expected" '^  CC\|^  CXX'
    check 'which is not everything' count 0 'CC    common/values/scalar.c'
    touch reduction_shfl/shfl.hip
    build GPU=cpu
    check 'a variant rebuilds itself' count 1 'CXX   reduction_shfl'
    check 'and not its neighbour' count 0 'no_striding'
    echo 'build/cpu/reduction_shfl/reduction_shfl.main.o: common/moved.c' >build/cpu/older.d
    built GPU=cpu
    rm build/cpu/older.d
    touch reduction_hello/hello.hip
    build GPU=cpu
    check 'a program of its own rebuilds itself' count 1 'CXX '
    check 'and has nothing of the harness' [ "$(nm build/cpu/reduction_hello/reduction_hello | grep -c options_)" -eq 0 ]
    check 'and answers' [ "$(reduction_hello/reduction_hello 1 2)" = 'sum of 2 numbers: 3' ]
}

@test "changed flags and compilers rebuild everything" {
    few() { build GPU=cpu OUT=few few/build/cpu/common/values/scalar.o few/build/cpu/reduction_hello/hello.o "$@"; }
    few
    check 'the first time' count 2 '^  C[CX]* .*/'
    few CFLAGS='-O0 -DSOMETHING'
    check 'other CFLAGS rebuild the C files' says 'CC    common/values/scalar.c'
    few
    check 'and so does taking them back' says 'CC    common/values/scalar.c'
    few
    check 'once' count 0 '^  C'
    touch nogpu/translate/*/*.h
    few
    touch -r Makefile nogpu/translate/*/*.h
    check 'another translator rebuilds the kernels' says 'CXX   reduction_hello'
    few
    check 'once, too' count 0 '^  C'
    few clean
    check 'clean and more: first the one and then the other' count 2 '^  C[CX]* .*/'
    rm -r few
}

@test "variables on the command line" {
    makeflags
    check 'all cores' says " -j$(nproc) "
    makeflags -j3
    check 'unless -j is given' says ' -j3 '
    makeflags -j1
    check 'even if it is 1' count 0 " -j$(nproc) "
    touch reduction_shfl/shfl.hip reduction_no_striding/no_striding.hip
    build GPU=cpu V=shfl
    check 'V=shfl builds it' count 1 '^  CXX   reduction_shfl'
    check 'and no other' count 1 '^  CXX   reduction_'
    touch reduction_shfl/shfl.hip
    build GPU=cpu V=1 VARIANT=shfl
    check 'V=1 shows the commands' says '-c common/instances/instantiate.hip'
    check 'of that variant only' count 0 'no_striding'
    touch reduction_shfl/shfl.hip
    build GPU=cpu -s VARIANT=shfl
    check 'make -s says nothing' count 0 .
    touch reduction_shfl/shfl.hip
    build GPU=cpu V=0 VARIANTS=reduction_shfl
    check 'V=0 does not, and the old word does as well' count 1 '^  CXX   reduction_shfl'
    told 'VARIANT=shfl,shlf: there is no reduction_shlf; there are hello no_striding shfl' GPU=cpu VARIANT=shfl,shlf
    told 'name a variant: make asm VARIANT=' GPU=cpu asm V=1
    for words in SIZE=1K..4K SIZES=1K,2K N=1K..2K TYPE=float,int OPS=min,max; do
        build GPU=cpu run $words
        check "make run $words is refused" wrong
        check "make run $words: many are for bench" says "make bench.*$(echo $words | sed 's/.*=//')"
    done
    told 'SZIE=: no such variable; try SIZE;' GPU=cpu SZIE=1K
    told 'size=: .* try SIZE;' GPU=cpu size=1K
    told 'v=: .* try V;' GPU=cpu v=shfl
    told 'OP=and: shfl has none' GPU=cpu -n run V=shfl OP=and TYPE=int
    built GPU=cpu -n run VARIANT=shfl HIP_CPU_WARP_SIZE=32 REDUCTION_X=1 library_name=x
    build GPU=cpu -n run VARIANT=shfl SCHEDULE=forward,reverse
    check 'of what it does not take there may be a list' count 0 'one SIZE='
}

@test "goals: unknown ones are refused, make -n runs nothing" {
    goal explan 'try make explain;'
    goal shlf 'try make reduction_shfl;'
    goal shfl 'try make reduction_shfl;'
    goal test 'try make check;'
    goal xyzzy 'no such goal; make help'
    build GPU=cpu run explan
    check 'an unknown goal ends a build before it begins' count 1 .
    for goals in 'all run' 'race V=shfl' 'explain V=shfl' 'bench' 'asm V=shfl' clean 'copy TO=/nowhere' format; do
        before=$(find . -newer Makefile | sort | cksum)
        built GPU=cpu -n $goals
        check "make -n $goals runs nothing" [ "$(find . -newer Makefile | sort | cksum)" = "$before" ]
    done

    mkdir reduction_to_fix && cp -R "$top"/reduction_to_fix/{Makefile,*.mk,*.sh,01_*,02_*} reduction_to_fix && touch reduction_to_fix/to_fix.hip
    goal hint 'a goal of reduction_to_fix; use make -C reduction_to_fix hint'
    for goals in check hint list watch 'EX=2 explain'; do
        built -C reduction_to_fix -n $goals
        check "make -n $goals in reduction_to_fix runs nothing" [ ! -e reduction_to_fix/.progress ]
    done
    build -C reduction_to_fix help
    check 'make help in reduction_to_fix has its goals' says 'make hint'
    check 'and no others' count 0 'make bench'
    told 'try make hint;' -C reduction_to_fix hnit
    rm -r reduction_to_fix

    told 'cannot be compared: ./reduction_hello/reduction_hello' GPU=cpu run VARIANT=hello
    build GPU=cpu -n run LAUNCH="srun -n1 'a b'" SIZE=1K VARIANT=shfl
    check 'LAUNCH goes to run as one word' says "bin/run --launch='srun -n1 '.''a b'.''' --size=1K"
    check 'and to the programs asked for' count 0 'no_striding/reduction_no_striding'
    mkdir "$work/none" && printf '#!/bin/sh\nexit 1\n' >"$work/none/pkg-config" && chmod +x "$work/none/pkg-config"
    PATH=$work/none:$PATH build GPU=cpu -n run VARIANT=shfl CC="${CC:-cc} -nostdinc"
    check 'without libdw run says so' says "^echo '# only times: what a GPU would do is counted with libdw: apt install"
    check 'and counts nothing' count 0 '--count'
    build GPU=cpu -n VARIANT=shfl CXX="c++ -DWORD"
    check 'an option of the compiler is not part of a name' count 0 'build/cpu-'
    mkdir "$work/flags"
    try sh tools/build/flags.sh "$work/flags/settings" -O0 '' cc "env c++ -DWORD"
    check 'nor of a program' right
    check 'but a change of it compiles again' grep -q -e '^-O0 -DWORD / ' "$work/flags/settings"
    OUT=$work/env told "OUT=$work/env from the environment: the programs go to $work/env/reduction_" GPU=cpu -n VARIANT=shfl
}

@test "a message names a missing Check" {
    cp -R "$top/tests/lib" tests
    printf '#include <check.h>\n' >tests/common/test_some.c
    printf '#!/bin/sh\ncase $* in *lcheck*|*libcheck*) exit 1 ;; esac\nexec cc "$@"\n' >"$work/cc-without"
    chmod +x "$work/cc-without"
    build GPU=cpu CC="$work/cc-without" build/cpu-cc-without/tests/common/test_some.o
    check 'a missing Check is named' says 'Check not found: ./install-deps.sh test'
    check 'before the compiler misses its header' count 0 'tests/common/test_some.c'
    rm tests/common/test_some.c
}

@test "make copy" {
    mkdir -p reduction_to_fix/01_to_fix &&
        touch reduction_to_fix/01_to_fix/solution.patch reduction_to_fix/01_to_fix/cases.txt reduction_to_fix/01_to_fix/hints.txt \
            tests/common/test_some.sh
    chmod -R a-w reduction_shfl
    built copy TO="$work/copy"
    chmod -R u+w reduction_shfl
    check 'has the sources, writable' test -w "$work/copy/reduction_shfl/shfl.hip"
    check 'and the tests' test -e "$work/copy/tests/common/test_some.sh"
    check 'and no program' test ! -e "$work/copy/$program"
    check 'and hints, but no solution and no wrong fix' [ "$(ls "$work/copy/reduction_to_fix/01_to_fix")" = hints.txt ]
    check 'and nothing that was built' test ! -e "$work/copy/build"
    told 'already has a Makefile' copy TO="$work/copy"
    told 'make copy TO=' copy
    build copy TO="$work/one copy" VARIANT=shfl
    check 'a copy of one variant' says "cd '$work/one copy'/reduction_shfl && make && ./reduction_shfl"
    check 'without the others' test ! -e "$work/one copy/reduction_no_striding"
    build copy TO="$work/one copy" VARIANT=no_striding
    check 'and then of another' test -e "$work/one copy/reduction_no_striding/no_striding.hip"
    told 'reduction_no_striding already exists' copy TO="$work/one copy" VARIANT=no_striding
    rm -r "$work/copy" "$work/one copy" reduction_to_fix/01_to_fix tests/common/test_some.sh
}

@test "targets and sanitizers have their own folders" {
    build GPU=cpu
    cp -Rp build/cpu build/cpu-undefined
    rm build/cpu-undefined/$program build/cpu-undefined/reduction_shfl/*.o
    build GPU=cpu SAN=undefined OUT=./ -o build/cpu-undefined/flags -o build/cpu-undefined/cflags
    check 'a sanitizer builds in a folder of its own' grep -q __ubsan build/cpu-undefined/$program
    check 'and its program replaces the other' cmp -s build/cpu-undefined/$program $program
    build GPU=cpu
    check 'back again, nothing is compiled' silent
    built GPU=cpu driver
    build GPU=cpu
    check 'of which the others know nothing' silent
    check 'and the program is there' cmp -s build/cpu/$program $program

    for gpu in '' ' , ' hopper sm_9 sm_90b gfx gfx90 gfx90a:xnack cpu:1 'sm_90;ls' "sm'"; do
        build GPU="$gpu"
        check "GPU='$gpu' is refused" wrong
        check "GPU='$gpu': the message says what is valid" says 'GPU= takes\|it takes'
    done
    for gpu in 'gfx90a sm_90' 'cpu gfx90a' sm_90,cpu; do
        told 'mixes platforms' GPU="$gpu"
    done
    told 'SAN=adress: it takes' SAN=adress GPU=cpu
    for words in SIZE=1X SIZE=64KB SIZE=-1 SIZE=1K.. 'SIZE=,' TYPE=flot TYPE=float,dubble OP=avg WARP=16 \
        SCHEDULE=backward MEMORY=strong MACHINE=gfx1 SUITES=verify,nothing; do
        build GPU=cpu bench $words
        check "$words is refused, with what is allowed" says "$words: .*\(1000, 64K\|float, double\|sum, min\|it takes\|no suite\)"
        check "$words: before anything is compiled" count 0 '^  C'
    done
}

@test "GPU= is resolved to a platform, a folder and targets" {
    check 'a list has an order of its own' means 'gfx942,gfx90a gfx942' 'amd gfx90a+gfx942 gfx90a gfx942'
    check 'sm_90 comes before sm_100' means 'sm_100 sm_90a' 'nvidia sm_90a+sm_100 sm_90a sm_100'
    check 'features of AMD' means gfx90a:xnack+ 'amd gfx90a.xnack+ gfx90a:xnack+'
    check 'generic targets of AMD' means gfx9-4-generic 'amd gfx9-4-generic gfx9-4-generic'
    try sh platform/target.sh 'gfx942 amdgcnspirv'
    ends 0 "^error GPU=amdgcnspirv: the kernels choose instructions by the GPU's generation"
}

@test "GPU=auto finds this machine's GPU" {
    mkdir -p "$work/kfd/0" "$work/kfd/1" "$work/nvidia"
    echo 'gfx_target_version 0' >"$work/kfd/0/properties"
    echo 'gfx_target_version 90010' >"$work/kfd/1/properties"
    printf '#!/bin/sh\necho 9.0\necho 9.0\n' >"$work/nvidia/nvidia-smi"
    printf '#!/bin/sh\necho No devices were found\nexit 6\n' >"$work/nvidia/none"
    chmod +x "$work"/nvidia/*
    check 'an NVIDIA GPU is found' auto "$work/nvidia" "$work/empty" 'nvidia sm_90 sm_90'
    mv "$work/nvidia/none" "$work/nvidia/nvidia-smi"
    check 'no NVIDIA GPU is found' auto "$work/nvidia" "$work/empty" 'cpu cpu'
    check 'an AMD GPU is found' auto "$work/nvidia" "$work/kfd" 'amd gfx90a gfx90a'
}

@test "messages name missing compilers" {
    told 'no-hipcc not found.*install-deps.sh amd' GPU=gfx90a HIPCC=no-hipcc
    told 'no-nvcc not found.*cuda-toolkit' GPU=sm_90 NVCC=no-nvcc
    build GPU=cpu CC=no-cc
    check 'without a C compiler, too' says 'no-cc not found.*install-deps.sh'
    check 'before it is called' count 0 'Error 127'
    KFD_NODES=$work/kfd PATH=$work/nvidia:$PATH try make HIPCC=no-hipcc
    check 'GPU=auto without its compiler offers the CPU' says 'found gfx90a.*make GPU=cpu'
    try sh platform/try_targets.sh "$work" 'gfx90a gfx942' sh -c 'echo "clang: error: no library for gfx942; have none"; exit 1'
    ends 1 '^GPU="gfx90a gfx942" does not compile: no library for gfx942 (known from ROCm 5.7 on); name other targets'
    try sh platform/try_targets.sh "$work" sm_9 true
    ends 0
}

@test "a mistake in a variant is reported once" {
    cp reduction_shfl/shfl.hip "$work/shfl.hip"
    sed 's/^static value_t finish/static valu_t finish/' "$work/shfl.hip" >reduction_shfl/shfl.hip
    build GPU=cpu
    check 'a mistake ends the build' wrong
    check 'and is reported once' count 1 'shfl.hip:[0-9]*:.*error:.*valu_t'
    check 'and leaves no object' test ! -e build/cpu/reduction_shfl/reduction_shfl.o
    build GPU=cpu
    check 'and the next build says so again' count 1 'error:.*valu_t'
    sed 's/^static value_t finish/static int unused;\n#if VALUE_TYPE == TYPE_LONG\n#error only here\n#endif\n&/' \
        "$work/shfl.hip" >reduction_shfl/shfl.hip
    build GPU=cpu
    check 'a mistake for one type alone is shown, too' says 'only here'
    check 'once, with the type' count 1 'error: .*only here'
    check 'which is named' says 'for sum of long'
    sed 's/^static value_t finish/static __global__ void kernel(value_t *x) { atomicXor(x, x[0]); }\n&/' "$work/shfl.hip" >reduction_shfl/shfl.hip
    build GPU=cpu
    check 'an overload that is not there is one message' count 1 'error: no matching function'
    check 'without a line for each that is' count 0 'note: '
    sed '/^static value_t finish/{n;s/{/{ int left_over = 1;/;}' "$work/shfl.hip" >reduction_shfl/shfl.hip
    built GPU=cpu
    check 'and is shown once' count 1 'warning:.*left_over'
    touch reduction_shfl/shfl.hip
    build GPU=cpu WERROR=1 -o build/cpu/flags # changed flags would rebuild everything
    check 'but with WERROR=1 it does' wrong
    cp "$work/shfl.hip" reduction_shfl/shfl.hip
    built GPU=cpu
}

@test "make in a variant's folder, OUT=, read-only folders, spaces" {
    cd reduction_shfl
    build GPU=cpu
    check 'make in a folder has nothing to do' silent
    check 'and says how to run the program' says '^run it: ./reduction_shfl$'
    rm -f reduction_shfl
    build GPU=cpu
    check 'make in a folder builds its program' test -x reduction_shfl
    told ' reduction_shfl/here/reduction_shfl/reduction_shfl ' GPU=cpu OUT=here -n
    build clean
    check 'make clean in a folder' test ! -e reduction_shfl
    told 'make check' help
    told 'a goal of ..; use make -C .. plot' plot
    cd ..
    chmod -R a-w .
    if [ "$(id -u)" -ne 0 ]; then # root can write anywhere
        told 'make copy TO=' GPU=cpu
    fi
    mkdir "$work/out" && cp -Rp build "$work/out" && chmod -R u+w "$work/out" # without shfl
    build GPU=cpu OUT="$work/out"
    check 'OUT builds elsewhere' test -x "$work/out/$program"
    told 'without spaces' GPU=cpu OUT="$work/with space"
    chmod -R u+w .
    mv "$work/tree" "$work/a tree" && cd "$work/a tree"
    build GPU=cpu reduction_shfl
    check 'a space in the name of the folder above does no harm' test -x $program
    if [ -d "$bin/build/cpu-trace" ]; then # reuse what is built, except the variant
        cp -Rp "$bin/build/cpu-trace" build
        rm -rf build/cpu-trace/instances
        set -- -o build/cpu-trace/flags
    fi
    told 'race: none found' race V=shfl SIZE=1K WARP=32 "$@"
    told 'memory instructions' explain V=shfl SIZE=1K WARP=32 "$@"
}

@test "a variant whose vendor library does not compile is skipped" {
    mkdir reduction_library
    printf '#ifndef WORD\n#include <rocprim/there_is_no_such_library.h>\n#endif\n' >reduction_library/prelude.h
    { cat reduction_shfl/shfl.hip && echo "/* $work: ccache does not notice a new prelude.h */"; } >reduction_library/library.hip
    cp reduction_library/prelude.h "$work/probe.hip"
    # Quoted parentheses in a flag reach the probe, too.
    echo 'static const char *word = WORD; int main() { return !word; }' >"$work/parentheses.hip"
    build GPU=cpu build/cpu/reduction_library/reduction_library.o library_probe="-x c++ $work/parentheses.hip" CXXFLAGS="-O0 '-DWORD=\"(a b)\"'"
    check 'a flag with parentheses' test -s build/cpu/reduction_library/reduction_library.o
    built GPU=cpu reduction_library library_probe="$work/probe.hip -x c++" library_name=libfoo
    check 'and its reason is printed' says 'SKIP  reduction_library: libfoo does not compile'
    check 'and there is no program' test ! -e reduction_library/reduction_library
    build GPU=cpu reduction_library library_probe="$work/tree/common/none.c"
    rm reduction_library/prelude.h
    build GPU=cpu reduction_library
    check 'without that library it builds' test -x reduction_library/reduction_library

    build clean
    check 'make clean' test ! -e build -a ! -e $program
    told 'make run' help
}
