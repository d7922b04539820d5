#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# libreduction as its users see it: installed, and used from outside of the sources, in C with pkg-config and CMake, in
# Fortran, in Python and with MPI. Built for the CPU.
load ../../tests/lib/check
unset SAN # programs outside would need the sanitizer, too

setup_file() {
    make -j2 GPU=cpu library >"$work/installed" 2>&1
    find "${OUT:-.}/build/cpu/library" -exec ls -dl {} + >"$work/before"
    (umask 077 && make GPU=cpu install DESTDIR="$work/stage" PREFIX=/opt/r) >>"$work/installed" 2>&1 || { cat "$work/installed"; return 1; }
    mv "$work/stage/opt/r" "$work/tree" # it can be moved
    cp -R library/examples "$work"
}
setup() {
    root=$PWD
    cd "$work"
    export PKG_CONFIG_PATH=$work/tree/lib/pkgconfig LD_LIBRARY_PATH=$work/tree/lib
    unset LIBREDUCTION
}

@test "the installed files" {
    (cd tree && find . ! -type d | LC_ALL=C sort) >said
    check 'no more and no less' diff - said <<'END'
./include/libreduction.f90
./include/libreduction.h
./include/libreduction_arrays.f90
./lib/cmake/libreduction/libreduction-config-version.cmake
./lib/cmake/libreduction/libreduction-config.cmake
./lib/libreduction.a
./lib/libreduction.so
./lib/libreduction.so.0.1
./lib/libreduction.so.0.1.0
./lib/pkgconfig/libreduction.pc
./share/libreduction/python/for_pip.py
./share/libreduction/python/libreduction.py
./share/libreduction/python/pyproject.toml
./share/man/man3/libreduction.3
END
    check 'for all users' [ -z "$(find tree ! -type l ! -perm -0444)" ]
    check 'and nothing in the build, which may be of another user' diff before <(cd "$root" && find "${OUT:-.}/build/cpu/library" -exec ls -dl {} +)
    check 'nothing is left to fill in' [ -z "$(grep -rl '@[A-Z]*@' tree --include='*.pc' --include='*.cmake' --include='*.3' --include='*.toml' --include='*.f90')" ]
    try sh -c 'LC_ALL=C man --warnings -l tree/share/man/man3/libreduction.3 >/dev/null'
    check 'the manual page has no mistakes' [ "$status" -eq 127 -o ! -s "$work/said" ]
}

@test "the library builds from its own folder, five variants and what they need" {
    rooms='common library nogpu platform reduction_reproducible reduction_rows reduction_segmented reduction_single_pass reduction_softmax tools/build'
    mkdir alone
    tar -cf - -C "$root" --exclude=nogpu/build $rooms | tar -xf - -C alone # another suite may build there
    cp "$root/Makefile" "$root/config.mk" alone
    try make -n -C alone GPU=cpu library
    ends 0 'library/kernels/keys\.hip'
    for file in $(grep -e -shared said | grep -o 'build/[^ ]*\.[ao]'); do
        check "it makes $file, which it links" [ "$(grep -c "$file" said)" -ge 2 ]
    done
    find "$root/${OUT:-.}/build/cpu/library" -name '*.d' ! -path '*/tests/*' -exec cat {} + | tr ' ' '\n' | grep '^[a-z]' | grep -v ':$\|^build/' | sort -u >used
    check 'and was built from that alone' [ "$(grep -c . used)" -gt 40 -a -z "$(grep -vE "^(${rooms// /|})/" used)" ]
}

@test "the library exports the header's symbols, shared and static" {
    grep -o '^LR_API [^(]*' tree/include/libreduction.h | grep -o 'lr_[a-z0-9_]*$' | sort >declared
    check 'the header declares functions' [ "$(wc -l <declared)" -ge 30 ]
    nm -D --defined-only tree/lib/libreduction.so | awk '$2 != "A" { print $3 }' >versioned
    sed 's/@.*//' versioned | sort >shared
    check 'shared' diff declared shared
    nm -g --defined-only tree/lib/libreduction.a | awk 'NF == 3 { print $3 }' | sort >static
    check 'static' diff declared static
    check 'each has a version' [ "$(grep -c '@@LIBREDUCTION_0\.1$' versioned)" -eq "$(wc -l <declared)" ]
    check 'the soname' [ "$(objdump -p tree/lib/libreduction.so | awk '/SONAME/ { print $2 }')" = libreduction.so.0.1 ]
    for language in include/libreduction.f90 share/libreduction/python/libreduction.py; do
        for name in $(grep -vE '_value$|create_in|device_of|workspace_bytes|leave_stream|input_ready|runtime_error|version_number' declared); do
            check "$language has $name" grep -qiE "\\b$name\\b|'${name#lr_}'" "tree/$language"
        done
    done
}

@test "C with pkg-config, shared and static; only the header in C11 and C++" {
    check 'solve.c compiles' cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o solve examples/solve.c $(pkg-config --cflags --libs libreduction)
    try ./solve
    check 'and solves' [ "$(cat "$work/said")" = $'36\n0' ]
    check 'cg.c links the static library' cc -std=c11 -Wall -Wextra -Werror -o cg examples/cg.c $(pkg-config --cflags libreduction) \
        $(pkg-config --static --libs libreduction | sed 's/-lreduction/-l:libreduction.a/') -lm
    check 'and converges' env -u LD_LIBRARY_PATH ./cg
    for example in layer_norm kmeans; do
        check "$example.c compiles" cc -std=c11 -Wall -Wextra -Werror -o $example examples/$example.c $(pkg-config --cflags --libs libreduction) -lm
        check 'and is right' ./$example
    done
    echo '#include <libreduction.h>' >alone.c
    check 'C11' cc -std=c11 -Wall -Wextra -Wpedantic -Werror -Itree/include -fsyntax-only alone.c
    check 'C++' c++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Wshadow -Werror -Itree/include -fsyntax-only alone.c
}

@test "the examples for a GPU" {
    for example in solve cg layer_norm kmeans; do
        check "$example.c in C++" c++ -x c++ -Wall -Wextra -Werror -Itree/include -fsyntax-only "examples/$example.c"
    done
    for example in cg layer_norm kmeans; do # these have kernels
        ! command -v hipcc >/dev/null || # ROCm's; ours is not in PATH
            check "$example.c for HIP" hipcc -x hip -DUSE_HIP --offload-arch=gfx90a -Itree/include -fsyntax-only "examples/$example.c"
    done
    ! command -v nvcc >/dev/null ||
        check 'cg.c for CUDA' nvcc -x cu -DUSE_CUDA -Itree/include -ptx -o cg.ptx examples/cg.c
}

@test "a workspace from the caller; the program's signals and environment are left alone" {
    cat >in.c <<'END'
#include <libreduction.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(void)
{
    lr_handle *handle;
    struct sigaction action;
    struct rlimit all, none;
    double x[] = {1, 2, 3}, sum = 0;
    static double many[1 << 20];
    size_t bytes = 0;
    int status = lr_workspace_bytes(0, &bytes);

    if (status == LR_OK)
        status = lr_create_in(&handle, 0, aligned_alloc(256, (bytes + 255) / 256 * 256), bytes);
    if (status == LR_OK)
        status = lr_sum_value(handle, LR_DOUBLE, x, 3, &sum, NULL);
    if (status == LR_OK) { /* no memory for the stacks of the device's threads */
        getrlimit(RLIMIT_AS, &all);
        none = all;
        none.rlim_cur = 1 << 20;
        setrlimit(RLIMIT_AS, &none);
        printf("%s, ", lr_text(lr_sum_value(handle, LR_DOUBLE, many, 1 << 20, &sum, NULL)));
        setrlimit(RLIMIT_AS, &all);
        status = lr_sum_value(handle, LR_DOUBLE, many, 1 << 20, &sum, NULL);
        printf("then %g\n", sum);
        status = lr_sum_value(handle, LR_DOUBLE, x, 3, &sum, NULL);
    }
    sigaction(SIGSEGV, NULL, &action);
    printf("%g %s %s\n", sum, action.sa_handler == SIG_DFL ? "default" : "changed", lr_text(status));
    return 0;
}
END
    cc -std=c11 -D_GNU_SOURCE -o in in.c $(pkg-config --cflags --libs libreduction)
    try ./in
    check 'a sum in memory of the caller' ends 0 '6 default no error'
    check 'no memory for a launch is a status, and the next call is right' says 'HIP or CUDA reports an error: see lr_runtime_text(), then 0'
    HIP_CPU_WORKERS=many try ./in
    check 'a wrong variable is a status, which says so' ends 0 'variable HIP_CPU_. has a wrong value'
    check 'and prints nothing' [ "$(wc -l <"$work/said")" -eq 1 ]
    HIP_CPU_FAIL=launch:1 try ./in
    check 'a launch that fails is one' ends 0 '0 default HIP or CUDA reports an error'
}

@test "C with CMake" {
    needs cmake develop
    mkdir -p project
    cp examples/*.[ch] project
    cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(consumer C)
find_package(libreduction 0.1 REQUIRED)
add_executable(solve solve.c)
target_link_libraries(solve libreduction::shared)
add_executable(cg cg.c)
target_link_libraries(cg libreduction::static)
message(STATUS "targets: ${libreduction_TARGETS}")
END
    try cmake -S project -B built -DCMAKE_PREFIX_PATH="$work/tree"
    check 'it finds the package, and says its targets' says 'targets: cpu'
    check 'it builds' cmake --build built
    check 'shared' [ "$(env -u LD_LIBRARY_PATH built/solve)" = $'36\n0' ]
    check 'static' built/cg
    sed -i 's/libreduction 0.1/libreduction 1.0/' project/CMakeLists.txt
    try cmake -S project -B other -DCMAKE_PREFIX_PATH="$work/tree"
    check 'another major version is refused' [ "$status" -ne 0 ]
}

@test "Fortran" {
    needs gfortran develop
    check 'it compiles' gfortran -std=f2018 -Wall -Werror -O1 -o cg_f tree/include/libreduction.f90 examples/cg.f90 $(pkg-config --libs libreduction)
    try ./cg_f
    check 'it converges' [ "$status" -eq 0 ]
    check 'and says so' says 'iterations, residual'
    check 'libreduction_arrays compiles' gfortran -std=f2018 -Wall -Werror -o arrays_f tree/include/libreduction.f90 tree/include/libreduction_arrays.f90 \
        "$root/library/tests/arrays.f90" $(pkg-config --libs libreduction)
    try ./arrays_f
    check 'by type and rank' ends 0 'all right'
}

@test "Python" {
    export PYTHONPATH=$work/tree/share/libreduction/python
    try python3 "$root/library/tests/check_python.py"
    check 'the module' ends 0 'all right'
}

@test "Python: NumPy" {
    export PYTHONPATH=$work/tree/share/libreduction/python
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy' 2>/dev/null || continue
        try "$python" "$root/library/tests/check_python.py" numpy
        check "NumPy of $python" ends 0 'all right'
        numpy=yes
    done
    [ "$numpy" = yes ] || skip 'no NumPy: ./install-deps.sh develop'
}

@test "Python: pip" {
    python3 -c 'import pip' 2>/dev/null || skip 'no pip: ./install-deps.sh develop'
    files() { (cd tree && find . -name __pycache__ -prune -o -type f -exec cksum {} + | sort -k 3); } # without Python's cache
    files >before
    check 'pip installs it, without another package' env -u LD_LIBRARY_PATH python3 -m pip install --no-index --target site tree/share/libreduction/python
    check 'and leaves the installed tree as it was' diff before <(files)
    PYTHONPATH=$work/site try env -u LD_LIBRARY_PATH python3 -c 'import libreduction; print(libreduction.targets())'
    check 'and has its library' ends 0 cpu
    mv tree gone
    PYTHONPATH=$work/site try env -u LD_LIBRARY_PATH python3 -c 'import libreduction; print(libreduction.targets())'
    mv gone tree
    check 'its own, which does not need that tree' ends 0 cpu
    check 'for this kind of machine' grep -q "^Tag: py3-none-linux_$(uname -m)$" site/libreduction-*.dist-info/WHEEL
    check 'and says that it is typed' [ -e site/libreduction/py.typed ]
    check 'a wheel that pip knows again' [ -n "$(PYTHONPATH=$work/site python3 -m pip show -f libreduction | grep RECORD)" ]
    export PYTHONPATH=$work/site LIBREDUCTION=$work/none.so
    try python3 -c 'import libreduction'
    check 'another library, if it is named' ends 1 'none.so'
}

@test "Python: torch" {
    export PYTHONPATH=$work/tree/share/libreduction/python${PYTHONPATH:+:$PYTHONPATH}
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import torch' 2>/dev/null || continue
        try "$python" "$root/library/tests/check_python.py" torch
        check "the tensors of $python" ends 0 'all right'
        torch=yes
    done
    [ "$torch" = yes ] || skip 'no torch: apt install python3-torch (600 MB)'
}

# libreduction_mpi, installed under a path with a space.
has_mpi() { command -v mpicc >/dev/null && command -v mpirun >/dev/null || skip 'no MPI: ./install-deps.sh mpi'; }

@test "libreduction_mpi and its header" {
    has_mpi
    cd "$root"
    tree="$work/a tree"
    check 'it installs' make -j2 GPU=cpu install-mpi DESTDIR="$work" PREFIX='/a tree'
    grep -o '^LR_API [^(]*' "$tree/include/libreduction_mpi.h" | grep -o 'lr_[a-z0-9_]*$' | sort >"$work/declared"
    check 'the header declares functions' [ "$(wc -l <"$work/declared")" -ge 10 ]
    nm -D --defined-only "$tree/lib/libreduction_mpi.so" | awk '{ print $3 }' | sort >"$work/defined"
    check 'the symbols are those of the header' diff "$work/declared" "$work/defined"
    objdump -p "$tree/lib/libreduction_mpi.so" | awk '/NEEDED|SONAME/ { print $2 }' >"$work/needed"
    check 'it finds libreduction' grep -qx 'libreduction.so.0.1' "$work/needed"
    check 'the soname' grep -qx 'libreduction_mpi.so.0.1' "$work/needed"
    check 'pkg-config' env PKG_CONFIG_PATH="$tree/lib/pkgconfig" pkg-config --exists libreduction_mpi
    echo '#include <libreduction_mpi.h>' >"$work/alone.c"
    check 'C11' mpicc -std=c11 -Wall -Wextra -Wpedantic -Werror "-I$tree/include" -fsyntax-only "$work/alone.c"
}

@test "libreduction_mpi with one to four ranks" {
    has_mpi
    cd "$root"
    tree="$work/a tree"
    mpicc -std=c11 -Wall -Wextra -Werror "-I$tree/include" -Icommon -o "$work/ranks" library/tests/mpi_ranks.c \
        "-L$tree/lib" -lreduction_mpi -lreduction -lm
    mpi=mpirun
    case $(mpirun --version 2>&1) in
    *Open*MPI*) mpi='mpirun --oversubscribe --allow-run-as-root --bind-to none' ;;
    esac
    programs=ranks fortran=
    if mpifort --version >/dev/null 2>&1; then
        mpifort -J "$work" -Wall -Werror -o "$work/ranks_f" "$tree/include/libreduction.f90" "$tree/include/libreduction_mpi.f90" \
            library/tests/mpi_ranks.f90 "-L$tree/lib" -lreduction_mpi -lreduction
        programs='ranks ranks_f' fortran=1
        mpifort -J "$work" -std=f2018 -Wall -Werror -o "$work/residual" "$tree/include/libreduction.f90" \
            "$tree/include/libreduction_mpi.f90" library/examples/residual.f90 "-L$tree/lib" -lreduction_mpi -lreduction
    fi
    for program in $programs; do
        for ranks in 1 2 3 4; do
            LD_LIBRARY_PATH=$tree/lib try $mpi -n $ranks "$work/$program"
            check "$program with $ranks" ends 0 "all right with $ranks"
        done
    done
    [ -z "$fortran" ] || LD_LIBRARY_PATH=$tree/lib try $mpi -n 3 "$work/residual"
    check 'the example' [ -z "$fortran" -o "$status" -eq 0 ]
    [ -z "$fortran" ] || check "and converges" says "3 ranks, .* steps, residual"
}
