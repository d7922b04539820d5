#!/bin/sh
# The build itself: what is rebuilt when, how targets are kept apart, what a mistake says.
# Works on a copy of the sources with two variants, GPU=cpu; hipcc and nvcc are replaced by what is asked.
unset MAKEFLAGS MAKELEVEL MFLAGS GPU OUT V SAN WERROR VARIANTS LDFLAGS CC CXX HIPCC NVCC
unset ROCM_PATH CUDA_HOME CUDA_PATH HIP_PLATFORM
export CFLAGS=-O0 CXXFLAGS=-O0 # quicker
cd "$(dirname "$0")/.." || exit 3
work=$(mktemp -d) || exit 3
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0 failed=0

mkdir "$work/tree" && cp -R Makefile common platform "$work/tree" &&
    cp -R reduction_no_striding reduction_shfl "$work/tree" && mkdir "$work/tree/tests" || exit 3
rm -f "$work"/tree/reduction_*/reduction_*[!.]?????
cd "$work/tree" || exit 3

# check TEXT CONDITION...: the condition is a command
check() {
    text=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $text"
        sed 's/^/    /' "$work/said"
    fi
}
# build ARGUMENTS...: make, its output in $work/said, its status in $status
build() {
    make -j2 "$@" >"$work/said" 2>&1
    status=$?
}
says() { grep -q -e "$1" "$work/said"; }
silent() { [ $status -eq 0 ] && [ ! -s "$work/said" ]; }
right() { [ $status -eq 0 ]; }
wrong() { [ $status -ne 0 ]; }
count() { [ "$(grep -c -e "$2" "$work/said")" -eq "$1" ]; }
program=reduction_shfl/reduction_shfl

# ---- what is rebuilt
build GPU=cpu
check 'a clean build works' right
check 'and is quiet' count 2 '^  CXX   reduction_'
check 'and warns of nothing' count 0 warning
build GPU=cpu
check 'the second build has nothing to do' silent
touch common/element.h
build GPU=cpu
check 'a header of the variants rebuilds both' count 2 'CXX   reduction_'
check 'and no C file' count 0 '^  CC '
touch common/harness/verify.h
expected=$(grep -l '^common/harness/verify.h:' build/cpu/*/*.d build/cpu/*/*/*.d | grep -c .)
build GPU=cpu
check 'a header of the host rebuilds what includes it' says 'CC    common/harness/verify.c'
check 'and nothing else' count "$expected" '^  CC\|^  CXX'
check 'which is not everything' count 0 'CC    common/harness/scalar.c'
touch reduction_shfl/shfl.hip
build GPU=cpu
check 'a variant rebuilds itself' count 1 'CXX   reduction_shfl'
check 'and not its neighbour' count 0 'no_striding'
build GPU=cpu CFLAGS='-O0 -DSOMETHING'
check 'other CFLAGS rebuild the C files' says 'CC    common/harness/main.c'
build GPU=cpu
check 'and so does taking them back' says 'CC    common/harness/main.c'

# ---- targets
build GPU=cpu SAN=undefined OUT=./
check 'a sanitizer builds in a folder of its own' test -d build/cpu-undefined
check 'and its program replaces the other' cmp -s build/cpu-undefined/$program $program
build GPU=cpu
check 'back again, nothing is compiled' silent
check 'and the program is there' cmp -s build/cpu/$program $program

for gpu in '' ' , ' hopper sm_9 sm_90b gfx gfx90 gfx90a:xnack cpu:1 'sm_90;ls' "sm'"; do
    build GPU="$gpu"
    check "GPU='$gpu' is refused" wrong
    check "GPU='$gpu' is told what is valid" says 'GPU= takes\|it takes'
done
for gpu in 'gfx90a sm_90' 'cpu gfx90a' sm_90,cpu; do
    build GPU="$gpu"
    check "GPU='$gpu' is refused" says 'mixes platforms'
done
build SAN=adress GPU=cpu
check 'a misspelt sanitizer is refused' says 'SAN=adress: it takes'

# ---- what GPU= means (the last words of target.sh are the targets)
means() { [ "$(sh platform/target.sh "$1")" = "$2" ]; }
check 'a list has an order of its own' means 'gfx942,gfx90a gfx942' 'amd gfx90a+gfx942 gfx90a gfx942'
check 'sm_90 comes before sm_100' means 'sm_100 sm_90a' 'nvidia sm_90a+sm_100 sm_90a sm_100'
check 'features of AMD' means gfx90a:xnack+ 'amd gfx90a.xnack+ gfx90a:xnack+'
check 'generic targets of AMD' means gfx9-4-generic 'amd gfx9-4-generic gfx9-4-generic'

# ---- detection, with a driver and tools of our own
mkdir -p "$work/kfd/0" "$work/kfd/1" "$work/nvidia"
echo 'gfx_target_version 0' >"$work/kfd/0/properties"
echo 'gfx_target_version 90010' >"$work/kfd/1/properties"
printf '#!/bin/sh\necho 9.0\necho 9.0\n' >"$work/nvidia/nvidia-smi"
printf '#!/bin/sh\necho No devices were found\nexit 6\n' >"$work/nvidia/none"
chmod +x "$work"/nvidia/*
auto() { [ "$(PATH=$1:$PATH KFD_NODES=$2 sh platform/target.sh auto)" = "$3" ]; }
check 'an NVIDIA GPU is found' auto "$work/nvidia" "$work/empty" 'nvidia sm_90 sm_90'
mv "$work/nvidia/none" "$work/nvidia/nvidia-smi"
check 'no NVIDIA GPU is found' auto "$work/nvidia" "$work/empty" 'cpu cpu '
check 'an AMD GPU is found' auto "$work/nvidia" "$work/kfd" 'amd gfx90a gfx90a'

# ---- missing compilers
build GPU=gfx90a HIPCC=no-hipcc
check 'without hipcc the packages are named' says 'hipcc is not there.*install-deps.sh amd'
build GPU=sm_90 NVCC=no-nvcc
check 'without nvcc the package is named' says 'nvcc is not there.*cuda-toolkit'
build GPU=cpu CC=no-cc
check 'without a C compiler, too' says 'CC=no-cc is not there'
KFD_NODES=$work/kfd PATH=$work/nvidia:$PATH make HIPCC=no-hipcc >"$work/said" 2>&1
check 'GPU=auto without its compiler offers the CPU' says 'found gfx90a.*make GPU=cpu'

# ---- mistakes in a variant
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
sed 's/^static value_t finish/static __global__ void kernel(value_t *x) { atomicSub(x, x[0]); }\n&/' "$work/shfl.hip" >reduction_shfl/shfl.hip
build GPU=cpu
check 'an overload that is not there is one message' count 1 'error: no matching function'
check 'without a line for each that is' count 0 'note: '
sed '/^static value_t finish/{n;s/{/{ int left_over = 1;/;}' "$work/shfl.hip" >reduction_shfl/shfl.hip
build GPU=cpu
check 'a warning does not end the build' right
check 'and is shown once' count 1 'warning:.*left_over'
build GPU=cpu WERROR=1
check 'but with WERROR=1 it does' wrong
cp "$work/shfl.hip" reduction_shfl/shfl.hip
build GPU=cpu
check 'repaired' right

# ---- a variant's folder, other places
cd reduction_shfl || exit 3
build GPU=cpu
check 'make in a folder has nothing to do' silent
rm -f reduction_shfl
build GPU=cpu
check 'make in a folder builds its program' test -x reduction_shfl
build GPU=cpu OUT=here
check 'a relative OUT counts from the folder' test -x here/reduction_shfl/reduction_shfl
build clean
check 'make clean in a folder' test ! -e reduction_shfl
build help
check 'make help in a folder' says 'make check'
cd ..
chmod -R a-w .
if [ "$(id -u)" -ne 0 ]; then # root writes anywhere
    build GPU=cpu
    check 'a folder that is read only is named' says 'name a folder of yours'
fi
build GPU=cpu OUT="$work/out"
check 'OUT builds elsewhere' test -x "$work/out/$program"
build GPU=cpu OUT="$work/with space"
check 'a space in OUT is refused' says 'without spaces'
chmod -R u+w .
mv "$work/tree" "$work/a tree" && cd "$work/a tree" || exit 3
build GPU=cpu reduction_shfl
check 'a space in the name of the folder above does no harm' test -x $program

# ---- a library that does not compile
mkdir reduction_library
printf '#include <rocprim/there_is_no_such_library.h>\n' >reduction_library/prelude.h
cp reduction_shfl/shfl.hip reduction_library/library.hip
cp reduction_library/prelude.h "$work/probe.hip"
build GPU=cpu reduction_library library_probe="$work/probe.hip -x c++" library_name=libfoo
check 'a variant whose library does not compile is skipped' right
check 'and its reason is printed' says 'SKIP  reduction_library: libfoo does not compile'
check 'and there is no program' test ! -e reduction_library/reduction_library
build GPU=cpu reduction_library library_probe="$work/tree/common/none.c"
rm reduction_library/prelude.h
build GPU=cpu reduction_library
check 'without that library it builds' test -x reduction_library/reduction_library

build clean
check 'make clean' test ! -e build -a ! -e $program
build help
check 'make help names the targets' says 'make run'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
