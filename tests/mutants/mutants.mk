# Do the checks reject wrong variants? Included by the Makefile; tests/mutants/ has the list and the script.
#
#   SAMPLE=10           how many of them, spread over the list; all if not given
#   VARIANTS=shfl,prim  those of these variants

ifneq ($(builds),)
$(B)/mutants: $(B)/flags $(B)/openmp $(B)/check
	@printf '%s\n' 'mutant_kernel() { $(compile_kernel) "$$@"; }' \
	    'mutant_link() { $(CC) $(ldflags) @$(B)/openmp "$$@" $(B)/libcommon.a @$(B)/check $(libs); }' \
	    'mutant_main() { $(CC) $(cppflags) $(cflags) -DVARIANT_NAME="$$1" -c common/main.c -o "$$2"; }' \
	    'objects=$(B) OUT=$(abspath $(OUT))' >$@

run_mutants = MAKE='$(MAKE)' sh tests/mutants/run.sh $(abspath $(B)/mutants) $1 $(chosen:reduction_%=%)

.PHONY: mutants
mutants: all reduction_no_striding $(B)/mutants $(B)/tests/test_contract $(B)/tests/test_variants $(B)/tests/test_extras $(B)/tests/test_single_pass ## run the checks on wrong versions of the variants (many minutes); SAMPLE=10 VARIANTS=shfl,prim
	$(if $(filter cpu,$(platform)),,$(error mutants run on the CPU: make mutants GPU=cpu))
	+@$(call run_mutants,$(or $(SAMPLE),0))
endif
