# SPDX-License-Identifier: MIT
# Do the tests reject wrong variants, and a wrong library? Included by the Makefile; tests/mutants/ has the list and the
# script.
#
#   SAMPLE=10           how many, spread over the list; default: all
#   VARIANTS=shfl,prim  only those of these variants
#   ONLY='121 194-203'  only these numbers of the list

define run_mutants
$(need_python)
@$(calls_make) $(PYTHON) tests/mutants/run.py $(B)/commands $(out) $1 $(chosen:reduction_%=%)
endef

.PHONY: mutants
mutants: programs reduction_no_striding $(B)/commands $(B)/check $(patsubst %,$(B)/tests/test_%,contract variants extras far_cpu single_pass reproducible $(filter library%,$(suites))) ## develop | run the checks on wrong versions of the variants (many minutes); SAMPLE=10 VARIANTS=shfl,prim
	$(if $(on_cpu),,$(error mutants run on the CPU: make mutants GPU=cpu))
	@$(call run_mutants,$(or $(SAMPLE),0))
