# SPDX-License-Identifier: MIT
# CPU: once kernel<<<...>>>() and extern __shared__ are translated, the host's C++ compiler compiles the kernels;
# nogpu has the HIP runtime.
on_cpu        := yes
# Default sizes of measurements: one large array, and a range.
large         := 512K
range         := 4K..1M

# -Og: most of the run time goes to coroutines, and compiling takes half as long as with -O2 (0.7 of -O1).
kernel_compiler := $(H)/hip_translate $(CXX)
kernel_word     := CXX
host_flags      := -O2 -g -pthread -Wno-unknown-pragmas -D__HIP_PLATFORM_CPU__ $(if $(TRACE),-DHIP_CPU_TRACE) \
                   $(if $(builds),$(shell sh nogpu/flags.sh $(if $(TRACE),trace,plain) $(CXX)))
kernel_flags    := -x c++ -std=c++17 -Wall -Wextra $(if $(WERROR),-Werror) -fno-exceptions -fno-rtti $(host_flags) -DHIP_CPU_OWN_KERNELS \
                   $(if $(TRACE),,-Og -g1) $(CXXFLAGS) $(sanitize) @$(H)/openmp -Inogpu/include

kernel_pic := -fPIC -fvisibility=hidden

platform_cppflags := -D__HIP_PLATFORM_CPU__ -Iplatform/cpu -Inogpu/include
platform_sources  := $(wildcard nogpu/runtime/*.c nogpu/runtime/*/*.c)

# clang's undefined behaviour sanitizer has a separate C++ runtime, which the C compiler does not link.
platform_libs := -pthread -Wl,--as-needed -lstdc++ -Wl,--no-as-needed \
                 $(if $(filter undefined,$(san)),$(if $(findstring clang,$(CC)),-fsanitize-link-c++-runtime))

translator := $(wildcard nogpu/translate/*.c)
$(B)/flags: $(H)/hip_translate
$(H)/hip_translate: $(translator) $(wildcard nogpu/translate/*.h) $(H)/cflags
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -Og -g -Wall -Wextra $(if $(WERROR),-Werror) $(CFLAGS) $(translator) -o $@

# Every kernel begins with HIP's headers: GCC reads them once, and saves 0.3 s for each. (ccache accepts such a header only if
# it may assume that no macro changes it.)
ifeq ($(if $(builds),$(findstring clang,$(CXX)),none),)
hip_header := -include $(B)/hip_header.h
export CCACHE_SLOPPINESS ?= pch_defines,time_macros
$(B)/flags: $(B)/hip_header.h.gch
$(B)/hip_header.h.gch: $(B)/settings
	@echo '#include <hip/hip_runtime.h>' | sh tools/build/keep.sh $(@:.gch=)
	$(Q)$(CXX) $(kernel_flags) -x c++-header -MMD -MP -MF $(@:.h.gch=.d) -MT $@ -c $(@:.gch=) -o $@.$$$$ && mv $@.$$$$ $@
endif

# elfutils' libdw reads the lines, names and types of a traced program; with conda it is in a folder of its own.
ifneq ($(TRACE)$(filter run,$(MAKECMDGOALS)),)
libdw := $(shell pkg-config --cflags --libs libdw 2>/dev/null || { \
    $(CC) $(CFLAGS) -include elfutils/libdw.h -fsyntax-only -x c /dev/null 2>/dev/null && echo '-ldw -lelf'; })
get_libdw := apt install libdw-dev, dnf install elfutils-devel, or conda install elfutils
endif

# TRACE=1, for race and explain: nogpu/trace/ sees every access, including copies that the compiler leaves to libc.
ifdef TRACE
ifeq ($(libdw),)
$(error make race and make explain need libdw: $(get_libdw))
endif
trace_flags       := -DHIP_CPU_TRACE $(filter -I%,$(libdw))
platform_sources  += $(wildcard nogpu/trace/*.c nogpu/trace/*/*.c nogpu/trace/*/*/*.c)
kernel_flags      += $(call quote,-fdebug-prefix-map=$(CURDIR)=.)
platform_libs     += -Wl,--undefined=trace_observer,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=pthread_mutex_unlock $(filter-out -I%,$(libdw)) \
                     $(patsubst -L%,-Wl$(comma)-rpath$(comma)%,$(filter -L%,$(libdw)))
endif
