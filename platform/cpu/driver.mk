# SPDX-License-Identifier: MIT
# What platform/cpu/bin/hipcc and nvcc need: the runtime as a library, and the words of their commands. Included by the
# Makefile.
ifneq ($(on_cpu),)
.PHONY: driver
driver: $(B)/driver ## build what platform/cpu/bin/hipcc and nvcc need (else their first call does)
	@touch $<

# A shared library that another compiler links has the runtime, too: CMake takes the C++ compiler if there are C++ sources.
$(call objects,$(platform_sources)): cflags += -fPIC -ftls-model=initial-exec
$(B)/libhip.a: $(call objects,$(platform_sources))
	$(say) AR $(@F)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# The names of CUDA's and ROCm's libraries.
$(B)/platform/cpu/include: platform/cpu/headers.txt platform/cpu/headers.sh $(wildcard platform/cpu/include/*.h platform/cpu/include/hip/*.h)
	@mkdir -p $(@D)
	@sh platform/cpu/headers.sh $@ <$<

# A word in each line: the compiler's, and after an empty line the linker's. The program has all of the runtime, and
# shared libraries find it there. It names this folder, which may have moved.
ifneq ($(B),$(H))
$(B)/hip_translate: $(H)/hip_translate
	@cp $< $@.new && mv -f $@.new $@ # it may be running
endif
$(B)/driver: $(B)/libhip.a $(B)/platform/cpu/include $(B)/hip_translate $(B)/flags FORCE
	@printf '%s\n' $(CXX) -std=gnu++17 $(host_flags) $(call quote,-I$(abspath $(B)/platform/cpu/include)) \
	    $(call quote,-I$(CURDIR)/platform/cpu/include) \
	    '' -rdynamic -Wl,--whole-archive $(call quote,$(abspath $<)) -Wl,--no-whole-archive $(libs) | sh tools/build/keep.sh $@
endif
