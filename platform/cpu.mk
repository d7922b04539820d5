# CPU: the kernels are C++ for the host compiler; platform/cpu brings the HIP runtime.
# pass_failed: a loop that clang does not vectorize is no mistake; GCC, which does not know the option, would
# mention it with every error.
# no_unfolding: GCC inlines combine_pairwise() into itself, which takes half of the time to compile most variants.
platform_name := CPU

pass_failed := $(if $(shell $(CXX) --version 2>/dev/null | grep clang),-Wno-pass-failed)

no_unfolding := --param max-inline-recursive-depth=0
no_unfolding := $(shell $(CXX) -Werror $(no_unfolding) -E -x c++ /dev/null >/dev/null 2>&1 && echo '$(no_unfolding)')

kernel_compiler := $(CXX)
kernel_word     := CXX
kernel_flags    := -x c++ -std=c++17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -pthread \
                   -fno-exceptions -fno-rtti -Wno-unknown-pragmas $(no_unfolding) $(pass_failed) $(CXXFLAGS)

platform_cppflags := -D__HIP_PLATFORM_CPU__ -Iplatform/cpu
platform_sources  := $(wildcard platform/cpu/*.c)

# TRACE=1: every access of a kernel is seen (trace). The compiler calls for each; the runtime of that
# sanitizer is not linked. Accesses stay as they are in the source: none put together, none left out, no loop made a copy;
# and calls stay calls, because an atomic at the end of a kernel would be on the line of the caller. GCC would take a
# float4 apart and load its parts one by one, and both of two neighbours where the source takes one; and it does not move
# a load into the branch that uses it where it has merged the ends of branches. clang does not show what a call copies as
# its arguments, so it inlines what it can; two loads that it moves before a branch as one have no line. It does take
# structs apart, and explain/copies.c puts them together: therefore unrolled loops stay loops, and the parts of a macro
# have columns of their own (-no-integrated-cpp).
# elfutils' libdw reads the lines, names and types of the program; its library may be in a folder of its own (conda).
ifdef TRACE
libdw := $(shell pkg-config --cflags --libs libdw 2>/dev/null || { \
    $(CC) $(CFLAGS) -include elfutils/libdw.h -fsyntax-only -x c /dev/null 2>/dev/null && echo '-ldw -lelf'; })
ifeq ($(libdw),)
$(error make race and make explain need libdw: apt install libdw-dev, dnf install elfutils-devel, or conda install elfutils)
endif
platform_cppflags += -DHIP_CPU_TRACE $(filter -I%,$(libdw))
platform_sources  += $(wildcard trace/*.c trace/*/*.c)
knows = $(shell $(CXX) -Werror -fsanitize=thread $1 -c -o /dev/null -x c++ /dev/null >/dev/null 2>&1 && echo '$1')
kernel_flags += -fsanitize=thread -gdwarf-4 -fno-optimize-sibling-calls -fno-tree-vectorize \
    -fno-tree-slp-vectorize -fdebug-prefix-map=$(CURDIR)=. \
    $(or $(call knows,--param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0 -Wno-tsan \
                      -fno-tree-sra -fno-ipa-sra -fno-tree-tail-merge -fno-tree-loop-distribute-patterns \
                      -fno-hoist-adjacent-loads -fno-ipa-icf),\
         $(call knows,-mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-instrument-func-entry-exit=0 \
                      -mllvm -tsan-instrument-read-before-write=1 -mllvm -inline-threshold=5000 \
                      -mllvm -hoist-common-insts=false -mllvm -simplifycfg-hoist-common=false \
                      -mllvm -sink-common-insts=false -fno-unroll-loops -mllvm -unroll-count=1 \
                      -mllvm -disable-loop-idiom-all -no-integrated-cpp))
endif
# clang's undefined behaviour sanitizer has a part of its own for C++, but the C compiler links.
platform_libs     := -pthread -Wl,--as-needed -lstdc++ -Wl,--no-as-needed \
                     $(if $(and $(san),$(findstring clang,$(CC))),-fsanitize-link-c++-runtime)
ifdef TRACE # copies that a compiler leaves to the library
platform_libs += -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset $(filter-out -I%,$(libdw)) \
    $(patsubst -L%,-Wl$(,)-rpath$(,)%,$(filter -L%,$(libdw)))
endif
