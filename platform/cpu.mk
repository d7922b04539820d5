# SPDX-License-Identifier: MIT
# CPU: nogpu/ has the HIP runtime and the translator in front of the host's C++ compiler; nogpu/nogpu.mk builds them.
on_cpu        := yes
# Default sizes of measurements: one large array, and a range.
large         := 512K
range         := 4K..1M

nogpu      := nogpu/
override N  = $(H)/nogpu
nogpu_mode := $(if $(TRACE),traced,plain)
include nogpu/nogpu.mk

# -Og: most of the run time goes to coroutines, and compiling takes half as long as with -O2 (0.7 of -O1).
kernel_compiler := $(N)/hip_translate $(CXX)
kernel_word     := CXX
host_flags       = $(eval host_flags := $$(if $$(builds),$$(call nogpu_flags_of,$$(nogpu_mode))))$(host_flags)
kernel_flags     = -x c++ -std=c++17 -Wall -Wextra $(if $(WERROR),-Werror) -fno-exceptions -fno-rtti $(host_flags) -DHIP_CPU_OWN_KERNELS \
                   $(if $(TRACE),,-Og -g1) $(CXXFLAGS) $(sanitize) @$(H)/openmp -Inogpu/include
kernel_pic      := -fPIC -fvisibility=hidden
$(B)/flags: $(N)/hip_translate

platform_cppflags := -Iplatform/cpu $(nogpu_cppflags)

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

# TRACE=1, for race and explain.
ifdef TRACE
ifeq ($(libdw),)
$(error make race and make explain need libdw: $(get_libdw))
endif
trace_flags       := -DHIP_CPU_TRACE $(filter -I%,$(libdw))
platform_sources  := platform/cpu/folders.c
kernel_flags      += $(call quote,-fdebug-prefix-map=$(CURDIR)=.)
endif
platform_library  := $(nogpu_library)
platform_libs      = $(if $(TRACE),-Wl$(comma)--undefined=trace_client) $(nogpu_library) $(call nogpu_libs_of,$(nogpu_mode))

# The compilers and tools of nogpu/bin, for commands of this make.
export NOGPU_BUILD = $(abspath $(N))
.PHONY: driver
driver: nogpu-plain $(if $(filter driver,$(MAKECMDGOALS)),$(if $(libdw),nogpu-traced)) ## your own code | build what nogpu/bin/hipcc and nvcc need (else their first call does)
