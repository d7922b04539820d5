# What compilers make of the kernels, and for which compilers they are made: codegen, rocm-matrix. Included
# by the Makefile; the scripts are in tools/.

.PHONY: codegen rocm-matrix
ifneq ($(filter codegen,$(builds)),)
looked_at := $(call one,codegen)

codegen: $(B)/$(looked_at)/$(looked_at).o ## registers, loads and waits of each kernel, as compiled; VARIANT=shfl FORMAT=json
	@TYPE='$(TYPE)' OP='$(OP)' sh tools/code/codegen.sh $(if $(EXPECT),-e) $(addprefix -f ,$(FORMAT)) $(platform) '$(lastword $(kernel_compiler))' \
	    $(looked_at) $< $(targets)
endif

rocm-matrix: ## every program with every ROCm of Debian, as root; RELEASES="bookworm sid"
	@sh tools/rocm_matrix.sh $(if $(RELEASES),-r "$(RELEASES)") $(if $(chosen),-v "$(chosen:reduction_%=%)") $(if $(TARGETS),-t "$(TARGETS)")
