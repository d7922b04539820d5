# Builds every variant for one GPU, several, or the CPU: one graph, no recursion.
#
#   folders    $(O)reduction_x/reduction_x   the programs, where people look for them
#              $(B)                          everything else, one folder for each target: objects of two
#                                            targets, compilers or sanitizers never meet
#   vendors    platform/*.mk                 the only place that knows compilers and libraries of a GPU
#
# Needs GNU make 4.0. Names in capitals are for the command line or the environment.

ifeq ($(filter output-sync,$(.FEATURES)),)
$(error This is make $(MAKE_VERSION); GNU make 4.0 or newer is needed)
endif
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
, := ,
space := $() $()

GPU    ?= auto
OUT    ?= .
V      ?=
SAN    ?=
WERROR ?=
ifeq ($(origin CC),default)
CC := cc
endif
ifeq ($(origin CXX),default)
CXX := c++
endif

# ---------------------------------------------------------------------------------- what there is
# The ladder, in the order in which it is taught; other variants come after it.
ladder := $(addprefix reduction_,global_memory interleaved bank_conflicts no_striding first_add \
              unroll_last_warp recursive striding two_kernel_calls two_kernels_unroll shfl atomic \
              cooperative statistics segmented head_flags custom single_pass reproducible prim)
exercises := reduction_to_fix

found       := $(patsubst %/,%,$(sort $(wildcard reduction_*/)))
variants    := $(foreach v,$(found),$(if $(wildcard $v/$(v:reduction_%=%).hip),$v))
variants    := $(filter $(variants),$(ladder)) $(filter-out $(ladder) $(exercises),$(variants)) \
               $(filter $(variants),$(exercises))
VARIANTS    ?= $(variants)
override VARIANTS := $(foreach v,$(subst $(,), ,$(VARIANTS)),reduction_$(v:reduction_%=%))

drivers     := common/harness/main.c common/compare/compare.c common/compare/bench.c
common      := $(filter-out $(drivers),$(wildcard common/*.c common/harness/*.c common/compare/*.c))
all_suites  := $(sort $(patsubst tests/test_%.c,%,$(wildcard tests/test_*.c)))

# ------------------------------------------------------------------------------------- what for
# These look at kernels that are compiled for it, on the CPU whatever GPU there is.
traced := $(filter race traced explain,$(MAKECMDGOALS))
ifneq ($(traced),)
override GPU   := cpu
override TRACE := 1
endif

builds := $(filter-out grade exercise-check exercise-hint exercise-list exercise-watch help clean format format-check check-amd plot diff rocm-matrix,$(or $(MAKECMDGOALS),all))
ifneq ($(builds),)

quote = '$(subst ','\'',$1)'
meant := $(shell sh platform/target.sh $(call quote,$(GPU)))
ifneq ($(filter error,$(firstword $(meant))),)
$(error $(wordlist 2,999,$(meant)))
endif
platform := $(word 1,$(meant))
targets  := $(wordlist 3,999,$(meant))
san      := $(subst $(,), ,$(SAN))
ifneq ($(filter-out address undefined leak thread,$(san)),)
$(error SAN=$(SAN): it takes address, undefined, leak, thread, or several with commas)
endif

# The first program of this name in PATH, or the file itself if it is a path.
find_program = $(firstword $(foreach name,$(lastword $1),\
    $(if $(findstring /,$(name)),$(wildcard $(name)),$(wildcard $(addsuffix /$(name),$(subst :, ,$(PATH)))))))

include platform/$(platform).mk

ifdef kernel_needs
ifeq ($($(kernel_needs)),)
$(error GPU=$(GPU)$(if $(filter auto,$(GPU)), found $(targets)): $(strip $(kernel_missing))$(if \
    $(filter auto,$(GPU)),; or build for the CPU: make GPU=cpu))
endif
endif
$(foreach c,CC $(if $(filter cpu,$(platform)),CXX),$(if $(call find_program,$($c)),,\
    $(error $c=$($c) is not there: ./install-deps.sh base (packages gcc g++), or set $c)))

ifeq ($(MAKE_RESTARTS)$(filter-out auto,$(GPU)),)
ifeq ($(platform),cpu)
$(info GPU=auto: no GPU found here, building for the CPU. For another machine: make GPU=gfx90a (AMD), make GPU=sm_90 (NVIDIA))
else
$(info GPU=auto: building for $(targets))
endif
endif

# -------------------------------------------------------------------------------------- where to
override OUT := $(patsubst ~/%,$(HOME)/%,$(OUT))
ifneq ($(words $(OUT)),1)
$(error OUT=$(OUT): one folder without spaces in its name is needed)
endif
O   := $(if $(filter-out . ./,$(OUT)),$(OUT:%/=%)/)
compilers := $(foreach c,CC CXX,$(if $(filter-out file default,$(origin $c)),$(notdir $(lastword $($c)))))
B   := $(O)build/$(subst $(space),-,$(strip $(word 2,$(meant)) $(if $(TRACE),trace) $(san) $(compilers)))

# --------------------------------------------------------------------------------------- and how
Q    := $(if $(filter-out 0,$(V)),,@)
say   = $(if $(Q),@printf '  %-5s %s\n' $1 $(patsubst $(B)/%,%,$2))
sanitize := $(if $(san),-fsanitize=$(subst $(space),$(,),$(san)) -fno-omit-frame-pointer)
colour   := $(if $(MAKE_TERMERR),$(if $(NO_COLOR)$(filter nvidia,$(platform)),,-fdiagnostics-color=always))

cppflags     := -D_GNU_SOURCE -Icommon $(platform_cppflags)
cflags       := -std=c11 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) $(sanitize) $(CFLAGS)
ldflags      := $(sanitize) $(LDFLAGS)
libs         := $(platform_libs) -lm
kernel_flags += -Icommon -Iplatform/$(platform) $(if $(filter cpu,$(platform)),$(platform_cppflags) $(sanitize) @$(B)/openmp)

compile_c      = $(CC) $(cppflags) $(cflags) $(colour) @$(B)/openmp -MMD -MP
compile_kernel = $(kernel_compiler) $(kernel_flags) $(colour)
depends        = -MMD -MP -MF $(@:.o=.d) -MT $@

# Everything that affects an object; $(B)/flags is newer than objects that were built with other flags.
flags := $(foreach c,$(CC) / $(CXX) / $(kernel_compiler),$(or $(realpath $(call find_program,$c)),$c)) \
         $(cppflags) / $(cflags) / $(ldflags) / $(libs) / $(kernel_flags)

# ---------------------------------------------------------------------------------------- programs
objects   = $(patsubst %,$(B)/%.o,$(basename $1))
programs := $(foreach v,$(VARIANTS),$(O)$v/$v)

.PHONY: all $(variants) FORCE
all: $(VARIANTS) $(B)/compare ## build every variant (the default); GPU=auto|cpu|gfx90a|"gfx90a gfx942"|sm_90
$(foreach v,$(variants),$(eval $v: $(O)$v/$v))

# A program is copied to its folder whenever it differs: after a change of GPU= nothing may need to be
# built, but the other program has to be there.
$(foreach v,$(variants),$(O)$v/$v): $(O)%: $(B)/% FORCE
	@if test -s $<; then \
	    cmp -s $< $@ || { mkdir -p $(@D) && cp $< $@; }; \
	else \
	    rm -f $@; \
	    echo "  SKIP  $(@F): $(library_name) does not compile for $(targets):" \
	        "$$(sed -n '/error: /{s/.*error: //p;q;}' $<.o.log) ($<.o.log)"; \
	fi

# A variant that was skipped has no object, so it is tried again next time.
$(foreach v,$(variants),$(B)/$v/$v): %: %.o $(B)/common/harness/main.o $(B)/libcommon.a
	$(call say,LINK,$(@F))
	$(Q)if test -s $<; then $(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs); else rm -f $@; fi

# Variants that need the vendor's library; all others must compile.
library_users := $(if $(library_probe),$(shell grep -ls rocprim/ reduction_*/prelude.h))

define variant_rule
$(B)/$1/$1.o: common/instantiate.hip $1/$(1:reduction_%=%).hip $(wildcard $1/*.h) $(B)/flags $(B)/openmp
	$$(call say,$$(kernel_word),$1)
	$$(Q)sh common/make/compile_variant.sh $$@ '$(and $(library_probe),$(filter $1/prelude.h,$(library_users)),\
	    $$(compile_kernel) -Wno-error -c $$(library_probe))' $$(compile_kernel) -I$1 \
	    -DVARIANT_NAME='"$1"' -DVARIANT_SOURCE='"$(1:reduction_%=%).hip"' $$(depends) -c $$<
endef
$(foreach v,$(variants),$(eval $(call variant_rule,$v)))

$(B)/libcommon.a: $(call objects,$(common) $(platform_sources) $(wildcard common/harness/device_kernels.hip))
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(B)/compare: $(B)/common/compare/compare.o $(B)/libcommon.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs)

$(B)/%.o: %.c $(B)/flags $(B)/openmp
	$(call say,CC,$<)
	$(Q)$(compile_c) -c $< -o $@

$(B)/%.o: %.hip $(B)/flags $(B)/openmp
	$(call say,$(kernel_word),$<)
	$(Q)$(compile_kernel) $(depends) -c $< -o $@

# Written only when the flags have changed. It also makes the folders, since every object depends on it.
$(B)/flags: FORCE
	@mkdir -p $(addprefix $(B)/,common common/harness common/compare tests tests/contract platform/cpu platform/cpu/trace reduction_to_fix/checker $(variants)) || { \
	    echo 'Cannot write to $(or $(O),$(CURDIR)): name a folder of yours, make OUT=~/reduction' >&2; exit 1; }
	@printf '%s\n' $(call quote,$(flags)) | cmp -s - $@ || printf '%s\n' $(call quote,$(flags)) >$@

# A file of compiler options: OpenMP where the compiler has it.
$(B)/openmp: $(B)/flags
	@echo 'int main(void) { return 0; }' >$@.c
	@if $(CC) $(ldflags) -fopenmp -o $@.tmp $@.c 2>/dev/null; \
	    then echo -fopenmp >$@; else echo -Wno-unknown-pragmas >$@; fi
	@rm -f $@.tmp $@.c

# -------------------------------------------------------------------------------------------- run
.PHONY: run
run: $(VARIANTS) $(B)/compare ## compare every variant in one table; SIZE=256M TYPE=float OP=max GPU=...
	@$(B)/compare $(addprefix --size=,$(SIZE)) $(addprefix --type=,$(TYPE)) \
	    $(addprefix --op=,$(OP)) $(addprefix ./,$(filter-out /%,$(programs))) $(filter /%,$(programs))

# ------------------------------------------------------------------------------------------ check
.PHONY: check check-build
check: check-build ## build and run all tests; SAN=address,undefined CC=clang CXX=clang++ GPU=sm_90
	@REDUCTION_BIN=$(abspath $(OUT)) sh tests/run_suites.sh $(platform) $(B)/tests

# A suite whose name ends in _cpu, _amd or _nvidia is for that platform alone.
suites := $(filter-out $(addprefix %_,$(filter-out $(platform),cpu amd nvidia)),$(all_suites))

check-build: all $(B)/compare $(foreach s,$(suites),$(B)/tests/test_$s) ## build the tests only, to copy them elsewhere

# test_contract is linked with every variant as contract/instances.hip has it, but for those whose library may
# not compile for this target.
contracted := $(filter-out $(exercises) $(library_users:/prelude.h=),$(variants))
define contract_rule
$(B)/tests/contract/$1.o: tests/contract/instances.hip $1/$(1:reduction_%=%).hip $(wildcard $1/*.h) $(B)/flags $(B)/openmp
	$$(call say,$$(kernel_word),tests/contract/$1)
	$$(Q)$$(compile_kernel) -I$1 -Itests -DVARIANT_NAME='"$1"' -DVARIANT_SOURCE='"$(1:reduction_%=%).hip"' \
	    -DSPACE=$1 $$(depends) -c $$< -o $$@
endef
$(foreach v,$(contracted),$(eval $(call contract_rule,$v)))

# A suite that is named after a variant is linked with it, and calls it through variant_get().
define suite_rule
$(B)/tests/test_$1: $(call objects,tests/test_$1.c $(wildcard tests/$1_kernels.hip)) \
        $(patsubst %,$(B)/%.o,$(foreach v,$(filter reduction_$1,$(variants)),$v/$v)) \
        $(if $(filter contract,$1),$(patsubst %,$(B)/tests/contract/%.o,$(contracted))) $(B)/libcommon.a $(B)/check
	$$(call say,LINK,$$(@F))
	$$(Q)$$(CC) $$(ldflags) @$$(B)/openmp -o $$@ $$(filter-out %/check,$$^) @$(B)/check $$(libs)
endef
$(foreach s,$(suites),$(eval $(call suite_rule,$s)))

# The libraries of Check: static ones if available, so that tests can be copied to another machine.
$(B)/check: $(B)/flags
	@printf '#include <check.h>\nint main(void) { return check_major_version < 0; }\n' >$@.c
	@for libs in '-l:libcheck.a -l:libsubunit.a' -l:libcheck.a -lcheck; do \
	    libs="$$libs -lm -lrt -pthread"; \
	    $(CC) -o $@.tmp $@.c $$libs 2>/dev/null && { echo "$$libs" >$@; break; }; \
	done; rm -f $@.c $@.tmp; \
	test -s $@ || { rm -f $@; echo 'Check is not there: ./install-deps.sh test (package check)' >&2; exit 1; }

-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d)
endif # builds

include common/make/tools.mk
-include reduction_to_fix/exercises.mk
include common/make/trace.mk
include common/make/codegen.mk

# ------------------------------------------------------------------------------------ other things
.PHONY: check-amd format format-check clean help
check-amd: ## compile all programs for AMD and look for spills; TARGETS="gfx90a gfx1030"
	@sh tests/check_amd.sh $(TARGETS)

CLANG_FORMAT ?= clang-format
formatted = $(wildcard */*.[ch] */*.hip reduction_to_fix/*/*.[ch] reduction_to_fix/*/*.hip tests/contract/* common/*/*.[ch] common/*/*.hip platform/*/*.[ch] platform/*/*/*.[ch] platform/*/*.hip platform/*/hip/*.h)
format: ## format all C and HIP files
	@$(CLANG_FORMAT) -i $(formatted)
format-check: ## list files that are not formatted
	@$(CLANG_FORMAT) --dry-run -Werror $(formatted) && echo 'clang-format: $(words $(formatted)) files are formatted'

clean: ## remove everything that was built, for all targets
	@rm -rf $(OUT)/build
	@rm -f $(foreach v,$(VARIANTS),$(OUT)/$v/$v)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile common/make/tools.mk common/make/trace.mk common/make/codegen.mk reduction_to_fix/exercises.mk | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'
	@echo '  make reduction_shfl  one variant of: $(VARIANTS:reduction_%=%)'
	@echo '  V=1 shows the commands, OUT=dir builds there, -j builds in parallel'
