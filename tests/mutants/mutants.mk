# Do the checks reject wrong variants? Included by the Makefile; tests/mutants/ has the list and the script.
#
#   SAMPLE=10           how many of them, spread over the list; all if not given
#   VARIANTS=shfl,prim  those of these variants

ifneq ($(filter mutants,$(MAKECMDGOALS)),)
ifneq ($(platform),cpu)
$(error mutants run on the CPU: make mutants GPU=cpu)
endif
$(B)/mutants: $(B)/flags $(B)/openmp $(B)/check
	@printf '%s\n' 'mutant_kernel() { $(compile_kernel) "$$@"; }' \
	    'mutant_link() { $(CC) $(ldflags) @$(B)/openmp "$$@" $(B)/libcommon.a @$(B)/check $(libs); }' \
	    'mutant_main() { $(CC) $(cppflags) $(cflags) -DVARIANT_NAME="$$1" -c common/main.c -o "$$2"; }' \
	    'objects=$(B) OUT=$(abspath $(OUT))' >$@

.PHONY: mutants
mutants: all reduction_no_striding $(B)/mutants $(B)/tests/test_contract $(B)/tests/test_variants $(B)/tests/test_extras $(B)/tests/test_single_pass ## run the checks on wrong versions of the variants (many minutes); SAMPLE=10 VARIANTS=shfl,prim
	+@MAKE='$(MAKE)' sh tests/mutants/run.sh $(abspath $(B)/mutants) $(or $(SAMPLE),0) $(if $(filter-out $(VARIANTS),$(variants)),$(VARIANTS:reduction_%=%))
endif
