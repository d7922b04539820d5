# SPDX-License-Identifier: MIT
# The tests: check, check-build. Included by the Makefile for goals that build something.
#
#   SAN=address,undefined CC=clang CXX=clang++   other builds of what is tested
#   LAUNCH='srun -n1'                            starts programs that use a device
#   V=mine                                       everything about one variant
#   SUITES=verify,options                        only these: test_NAME.c and NAME.bats of any room

# Each room has its tests beside its code.
test_folders := $(sort $(dir $(wildcard tests/*/. nogpu/tests/. nogpu/tests/*/. library/tests/. reduction_to_fix/tests/.)))
tests_named   = $(wildcard $(foreach folder,$(test_folders),$(addprefix $(folder),$1)))

# A suite whose name ends in _cpu, _amd or _nvidia is only for that platform; those in bats are for the CPU.
for_others   := $(addprefix %_,$(filter-out $(platform),cpu amd nvidia))
suite_name    = $(patsubst test_%,%,$(basename $(notdir $1)))
suite_files  := $(filter-out $(addsuffix .c,$(for_others)),$(sort $(call tests_named,test_*.c $(on_cpu:yes=*.bats))))
suites       := $(call suite_name,$(filter %.c,$(suite_files)))
suite_programs := $(suites:%=$(B)/tests/test_%)
file_of       = $(filter $(foreach n,$1,%/test_$n.c %/$n.bats),$(suite_files))

# The words of their lines "Suite: ..." (tests/README.md): FILE:WORD for each.
suite_words  := $(if $(filter check%,$(MAKECMDGOALS)),$(shell awk 'sub(/^( \*|#) Suite: /, "") { for (i = 1; i <= NF; i++) print FILENAME ":" $$i }' $(suite_files)))
files_with    = $(patsubst %:$1,%,$(filter %:$1,$(suite_words)))
words_of      = $(patsubst $1:%,%,$(filter $1:%,$(suite_words)))
unknown_words := $(filter-out $(addprefix %:,warps kernels slow long tree lessons variants program programs traced),$(suite_words))
$(if $(unknown_words),$(error $(firstword $(unknown_words)): tests/README.md does not have this word))

# For one variant: suites about all folders, and unless it is standalone those about all variants, and those with its name.
wanted_files := $(if $(SUITES),$(call file_of,$(subst $(comma), ,$(SUITES))),$(if $(chosen),$(sort $(call files_with,lessons) \
    $(if $(filter $(standalone),$(chosen)),,$(call files_with,variants)) $(call file_of,$(chosen:reduction_%=%))), \
    $(filter-out $(if $(filter check-fast,$(MAKECMDGOALS)),$(call files_with,slow)),$(suite_files))))
needs        := $(sort $(foreach f,$(wanted_files),$(call words_of,$f)))
needs_program = reduction_no_striding $(filter $(addprefix reduction_,$(call suite_name,$(wanted_files))),$(variants))

# tests/README.md says what each of them runs and leaves out.
.PHONY: check-fast check check-all check-build
check-fast: check-build ## develop | about a minute: the quick suites, and each variant with both warp sizes
	@$(run_suites)
check: check-build ## develop | build and run the tests; SUITES=verify,options, V=mine for one variant; SAN=address,undefined CC=clang CXX=clang++
	@$(run_suites)
check-all: check-build $(B)/commands ## develop | every suite in full, clang's deep analysis and all mutants: hours
	@$(run_suites)
	$(if $(SUITES),,@! command -v clang-tidy >/dev/null || $(PYTHON) tools/build/lint.py deep)
	$(if $(SUITES),,@$(call run_mutants,0))

run_suites = REDUCTION_BIN=$(out) REDUCTION_RUN=$(out)/$(B:$(O)%=%)/bin/run REDUCTION_LAUNCH=$(call quote,$(LAUNCH)) \
    REDUCTION_VARIANT='$(chosen)' REDUCTION_CHECK=$(or $(patsubst check-%,%,$(filter check-%,$@)),usual) \
    $(PYTHON) tests/run_suites.py $(platform) $(B)/tests $(or $(subst $(comma), ,$(SUITES)),$(if $(chosen),$(call suite_name,$(wanted_files))))

# Several suites use the drivers and traced programs: build these before suites run at the same time.
to_build = $(if $(filter programs,$(needs)),programs $(B)/bin/run $(B)/bin/device $(B)/bin/facts) \
    $(if $(filter program programs,$(needs)),$(foreach v,$(needs_program),$(O)$v/$v)) \
    $(patsubst %,$(B)/tests/test_%,$(call suite_name,$(filter %.c,$(wanted_files))))
check-build: $(to_build) ## develop | build the tests only, to copy them elsewhere
	$(need_python)
	@mkdir -p $(B)/tests && rm -f $(filter-out $(suite_programs),$(wildcard $(B)/tests/test_*)) # of suites that have gone
	@printf '%s\n' $(foreach f,$(suite_files),'$(call suite_name,$f) $f $(call words_of,$f)') >$(B)/tests/suites
	$(if $(if $(san),,$(filter traced,$(needs))),@echo '  MAKE  drivers and traced programs' && \
	    ($(calls_make) sh -c '$(if $(chosen),$$MAKE $(N)/traced/words traced,$$MAKE driver && $$MAKE TRACED=all traced driver)') >$(B)/tests/shared.log || :)

# Suites share tests/lib; -Og compiles them in half the time.
test_objects := $(foreach folder,$(test_folders),$(B)/$(folder)%)
$(addsuffix .o,$(test_objects)): private cppflags += -Itests/lib $(on_cpu:yes=-Inogpu)
$(addsuffix .o,$(test_objects)): private cflags += -Og
$(addsuffix _kernels.o,$(test_objects)): private kernel_flags += -Itests/lib

# A suite may have more files in NAME/, and kernels in NAME_kernels.hip next to it or in NAME/. A suite named after a variant
# is linked with it.
$(foreach s,$(suites),$(eval $(B)/tests/test_$s: $(call objects,$(call tests_named,test_$s.c $s/*.c $s/*_kernels.hip $s_kernels.hip)) \
    $(filter $(B)/reduction_$s/reduction_$s.o,$(variant_objects))))
# The translator is a separate program: link its objects.
$(filter %/test_translate_cpu,$(suite_programs)): $(call objects,$(wildcard nogpu/translate/source/*.c nogpu/translate/changes/*.c))
$(suite_programs): $(B)/tests/lib/suite.o $(B)/libcommon.a $(B)/check
	@mkdir -p $(@D)
	$(say) LINK $(@F)
	$(Q)$(CC) $(ldflags) @$(H)/openmp -o $@ $(filter %.o,$^) $(filter %.a,$^) @$(B)/check $(libs)
$(call objects,tests/lib/suite.c $(call tests_named,test_*.c $(suites:%=%/*.c))): | $(B)/check # says how to get Check before the compiler misses it

# test_contract and test_far_cpu are linked with every chosen variant, compiled by contract/instances.hip, except those whose
# library may not compile for this target.
contract_objects := $(patsubst %,$(B)/tests/variants/contract/%.o,$(filter-out $(exercises) $(library_users),$(compared)))
$(filter %/test_contract %/test_far_cpu,$(suite_programs)): $(contract_objects) $(B)/tests/variants/contract/linked
$(B)/tests/variants/contract/linked: FORCE
	@mkdir -p $(@D)
	@echo $(contract_objects) | sh tools/build/keep.sh $@
$(contract_objects): $(B)/tests/variants/contract/%.o: tests/variants/contract/instances.hip $(B)/flags
	@mkdir -p $(@D)
	$(say) $(kernel_word) tests/variants/contract/$*
	$(Q)$(compile_kernel) -I$* -Itests/variants -DVARIANT_NAME=$* -DVARIANT_SOURCE='"$(*:reduction_%=%).hip"' \
	    $(depends) -c $< -o $@

$(B)/check: $(B)/flags
	@sh tests/lib/find_check.sh $@ $(CC)
