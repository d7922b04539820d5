# SPDX-License-Identifier: MIT
# What nogpu/bin/hipcc and nvcc need: the runtime as a library, and the words of their commands. Included by the
# Makefile.
ifneq ($(on_cpu),)
.PHONY: driver
driver: $(B)/driver ## build what nogpu/bin/hipcc and nvcc need (else their first call does)
	@touch $<

# A shared library that another compiler links has the runtime, too: CMake takes the C++ compiler if there are C++ sources.
$(call objects,$(platform_sources)): private cflags += -fPIC -ftls-model=initial-exec
$(B)/libhip.a: $(call objects,$(platform_sources))
	$(say) AR $(@F)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# The names of CUDA's and ROCm's libraries.
$(B)/nogpu/include: nogpu/headers.txt nogpu/headers.sh $(wildcard nogpu/include/*.h nogpu/include/hip/*.h)
	@mkdir -p $(@D)
	@sh nogpu/headers.sh $@ <$<

# A word in each line: the compiler's, and after an empty line the linker's. The program has all of the runtime, and
# shared libraries find it there. It names this folder, which may have moved.
ifneq ($(B),$(H))
$(B)/hip_translate: $(H)/hip_translate
	@cp $< $@.new && mv -f $@.new $@ # it may be running
endif
driver_compiler = $(CXX) -std=gnu++17 $(host_flags) $(foreach f,$(abspath $(compiled_folder) $(B)/nogpu/include),$(call quote,-I$f)) \
                      $(call quote,-I$(CURDIR)/nogpu/include)
# Every source begins with one of these (translate/driver.c). GCC reads it compiled, which saves 0.3 s, unless the flags of a
# project differ in what matters.
ifeq ($(findstring clang,$(CXX)),)
compiled_folder := $(B)/compiled/nogpu/include
compiled := $(compiled_folder)/hip_cpu/language.h.gch $(compiled_folder)/cuda_runtime.h.gch
driver: $(compiled)
$(firstword $(compiled)): private defines := -D__HIPCC__ -D__HIP_PLATFORM_AMD__ -D__HIP__
$(lastword $(compiled)): private defines := -D__CUDACC__ -D__NVCC__ -D__CUDACC_VER_MAJOR__=12 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=0
$(compiled): $(compiled_folder)/%.gch: $(B)/nogpu/include $(B)/flags
	@mkdir -p $(@D) && echo '#include_next <$*>' >$(@:.gch=) && rm -f $@
	$(Q)$(driver_compiler) $(defines) -include $* -x c++-header -MD -MP -MF $@.d -MT $@ -c /dev/null -o $@.$$$$ && mv $@.$$$$ $@
	@sed 's|$(subst $(space),\\ ,$(CURDIR))/||g' <$@.d >$(@:.gch=.d) && rm $@.d # relative: the tree may move
endif
$(B)/driver: $(B)/libhip.a $(B)/nogpu/include $(B)/hip_translate $(B)/flags FORCE
	@printf '%s\n' $(driver_compiler) \
	    '' -rdynamic -Wl,--whole-archive $(call quote,$(abspath $<)) -Wl,--no-whole-archive $(libs) | sh tools/build/keep.sh $@
endif
