# What compilers make of the kernels, and for which compilers they are made: codegen, rocm-matrix. Included
# by the Makefile; the scripts are in tools/.

.PHONY: codegen rocm-matrix
ifneq ($(filter codegen,$(builds)),)
override Q := @ # V= names a variant here
looked_at := $(filter $(variants),reduction_$(V:reduction_%=%))
ifeq ($(looked_at),)
$(error V=$(V): name a variant, make codegen V=single_pass; there are $(variants:reduction_%=%))
endif

codegen: $(B)/$(looked_at)/$(looked_at).o ## what the compiler made of each kernel: registers, loads, waits; V=single_pass GPU="gfx90a gfx942" TYPE=double OP=sum FORMAT=json EXPECT=1
	@TYPE='$(TYPE)' OP='$(OP)' sh tools/codegen.sh $(if $(EXPECT),-e) $(addprefix -f ,$(FORMAT)) $(platform) '$(lastword $(kernel_compiler))' \
	    $(looked_at) $< $(targets)
endif

rocm-matrix: ## every program with every ROCm that Debian has, for every target; RELEASES="bookworm trixie sid" VARIANTS=shfl TARGETS=gfx90a; needs root
	@sh tools/rocm_matrix.sh $(if $(RELEASES),-r "$(RELEASES)") $(if $(filter command line environment,$(origin VARIANTS)),-v "$(VARIANTS:reduction_%=%)") $(if $(TARGETS),-t "$(TARGETS)")
