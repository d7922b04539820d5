# SPDX-License-Identifier: MIT
# CPU: the kernels are C++ for the host compiler; platform/cpu brings the HIP runtime.
on_cpu        := yes
# What a measurement takes if SIZE= does not say it: one large array, and many.
large         := 512K
range         := 4K..1M

kernel_compiler := $(CXX)
kernel_word     := CXX
kernel_flags    := -x c++ -std=c++17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -pthread -fno-exceptions -fno-rtti \
                   -Wno-unknown-pragmas $(shell sh platform/cpu_flags.sh $(if $(TRACE),trace,plain) $(CXX)) $(CXXFLAGS) \
                   $(sanitize) @$(B)/openmp -D__HIP_PLATFORM_CPU__

platform_cppflags := -D__HIP_PLATFORM_CPU__ -Iplatform/cpu
platform_sources  := $(wildcard platform/cpu/*.c)

# clang's undefined behaviour sanitizer has a part of its own for C++, but the C compiler links.
platform_libs := -pthread -Wl,--as-needed -lstdc++ -Wl,--no-as-needed \
                 $(if $(filter undefined,$(san)),$(if $(findstring clang,$(CC)),-fsanitize-link-c++-runtime))

# TRACE=1, for race and explain: trace/ sees every access, and the copies that a compiler leaves to the library.
# elfutils' libdw reads the lines, names and types of the program; it may be in a folder of its own (conda).
ifdef TRACE
libdw := $(shell pkg-config --cflags --libs libdw 2>/dev/null || { \
    $(CC) $(CFLAGS) -include elfutils/libdw.h -fsyntax-only -x c /dev/null 2>/dev/null && echo '-ldw -lelf'; })
ifeq ($(libdw),)
$(error make race and make explain need libdw: apt install libdw-dev, dnf install elfutils-devel, or conda install elfutils)
endif
platform_cppflags += -DHIP_CPU_TRACE $(filter -I%,$(libdw))
platform_sources  += $(wildcard trace/*.c trace/*/*.c)
kernel_flags      += -DHIP_CPU_TRACE $(call quote,-fdebug-prefix-map=$(CURDIR)=.)
platform_libs     += -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset $(filter-out -I%,$(libdw)) \
                     $(patsubst -L%,-Wl$(comma)-rpath$(comma)%,$(filter -L%,$(libdw)))
endif
