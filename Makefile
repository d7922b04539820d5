# Builds every variant for one GPU, several, or the CPU: one graph, no recursion.
#
#   folders    $(O)reduction_x/reduction_x   the programs, where people look for them
#              $(B)                          everything else, one folder for each target: objects of two
#                                            targets, compilers or sanitizers never meet
#   vendors    platform/*.mk                 the only place that knows compilers and libraries of a GPU
#   rules      trace/, tools/, bench/ ... *.mk  measuring and looking closer, each in the room it belongs to
#
# Needs GNU make 4.0. Names in capitals are for the command line or the environment.

ifeq ($(filter output-sync,$(.FEATURES)),)
$(error This is make $(MAKE_VERSION); GNU make 4.0 or newer is needed)
endif
MAKEFLAGS += --no-builtin-rules
# All cores, unless the caller gave -j: what stands on the command line counts more than this.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(or $(shell nproc 2>/dev/null),1)
endif
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDEXPANSION: # $$ in a list of prerequisites is for when the target is known
.DEFAULT_GOAL := all
, := ,
space := $() $()

GPU    ?= auto
OUT    ?= .
SAN    ?=
WERROR ?=
ifeq ($(origin CC),default)
CC := cc
endif
ifeq ($(origin CXX),default)
CXX := c++
endif

# One word for each thing; the words after it mean the same. V=1 shows the commands, V=shfl is a variant.
SIZE    := $(or $(SIZE),$(SIZES),$(N))
TYPE    := $(or $(TYPE),$(TYPES))
OP      := $(or $(OP),$(OPS))
VARIANT := $(or $(VARIANT),$(VARIANTS),$(filter-out 0 1,$(V)))
verbose := $(filter 1,$(V))

# ---------------------------------------------------------------------------------- what there is
# The ladder, in the order in which it is taught; other variants come after it.
ladder := $(addprefix reduction_,global_memory interleaved bank_conflicts no_striding first_add \
              unroll_last_warp recursive striding two_kernel_calls two_kernels_unroll shfl atomic \
              cooperative statistics segmented head_flags custom single_pass reproducible prim)
exercises := reduction_to_fix
# Step 0 has a main() of its own: no harness, no options, nothing to compare. So has the last step, which uses other
# variants' kernels on many GPUs (reduction_multi_gpu/multi_gpu.mk).
standalone := reduction_hello reduction_multi_gpu

found       := $(patsubst %/,%,$(sort $(wildcard reduction_*/)))
found       := $(foreach v,$(found),$(if $(wildcard $v/$(v:reduction_%=%).hip),$v))
standalone  := $(filter $(standalone),$(found))
variants    := $(filter-out $(standalone),$(found))
variants    := $(filter $(variants),$(ladder)) $(filter-out $(ladder) $(exercises),$(variants)) \
               $(filter $(variants),$(exercises))

# Those that this make is about; the only one, where one is asked for.
chosen := $(foreach v,$(subst $(,), ,$(VARIANT)),reduction_$(v:reduction_%=%))
ifneq ($(filter-out $(variants) $(standalone),$(chosen)),)
$(error VARIANT=$(VARIANT): there is no $(filter-out $(variants) $(standalone),$(chosen)); there are \
    $(patsubst reduction_%,%,$(standalone) $(variants)))
endif
override VARIANTS := $(or $(chosen),$(standalone) $(variants))
compared := $(filter $(variants),$(VARIANTS))
one       = $(if $(filter 1,$(words $(filter $(variants),$(chosen)))),$(chosen),\
    $(error name a variant: make $1 VARIANT=shfl; there are $(variants:reduction_%=%)))

drivers     := common/main.c bench/run.c bench/bench.c
common      := $(filter-out $(drivers),$(wildcard common/*.c common/*/*.c common/harness/*/*.c bench/*.c))

# ------------------------------------------------------------------------------------- what for
# These look at kernels that are compiled for it, on the CPU whatever GPU there is.
traced := $(filter race traced explain,$(MAKECMDGOALS))
ifneq ($(traced),)
override GPU   := cpu
override TRACE := 1
endif

builds := $(filter-out grade exercise-check exercise-hint exercise-list exercise-watch exercise-explain help clean copy format \
    format-check check-amd rocm-matrix plot diff,$(or $(MAKECMDGOALS),all))
quote = '$(subst ','\'',$1)'
ifneq ($(builds),)

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
    $(error $c=$($c) is not there: ./install-deps.sh (packages gcc g++), or set $c)))

ifeq ($(MAKE_RESTARTS)$(filter-out auto,$(GPU)),)
ifeq ($(platform),cpu)
$(info GPU=auto: no GPU found here, building for the CPU. For another machine: make GPU=gfx90a (AMD), make GPU=sm_90 (NVIDIA))
else
$(info GPU=auto: building for $(targets))
endif
endif

# -------------------------------------------------------------------------------------- where to
ifneq ($(and $(filter environment%,$(origin OUT)),$(filter-out . ./,$(OUT))),)
$(info OUT=$(OUT) is in the environment: the programs go to $(OUT:%/=%)/reduction_*/)
endif
override OUT := $(patsubst ~/%,$(HOME)/%,$(OUT))
ifneq ($(words $(OUT)),1)
$(error OUT=$(OUT): one folder without spaces in its name is needed)
endif
O   := $(if $(filter-out . ./,$(OUT)),$(OUT:%/=%)/)
compilers := $(foreach c,CC CXX,$(if $(filter-out file default,$(origin $c)),$(notdir $(lastword $($c)))))
B   := $(O)build/$(subst $(space),-,$(strip $(word 2,$(meant)) $(if $(TRACE),trace) $(san) $(compilers)))

# --------------------------------------------------------------------------------------- and how
Q    := $(if $(verbose),,@)
say   = $(if $(Q),@printf '  %-5s %s\n' $1 $(patsubst $(B)/%,%,$2))
sanitize := $(if $(san),-fsanitize=$(subst $(space),$(,),$(san)) -fno-omit-frame-pointer)
colour   := $(if $(MAKE_TERMERR),$(if $(NO_COLOR)$(filter nvidia,$(platform)),,-fdiagnostics-color=always))

cppflags     := -D_GNU_SOURCE -I. -Icommon $(platform_cppflags)
cflags       := -std=c11 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) $(sanitize) $(CFLAGS)
ldflags      := $(sanitize) $(LDFLAGS)
libs         := $(platform_libs) -lm
kernel_flags += -I. -Icommon -Iplatform/$(platform) $(if $(filter cpu,$(platform)),$(platform_cppflags) $(sanitize) @$(B)/openmp)

compile_c      = $(CC) $(cppflags) $(cflags) $(colour) @$(B)/openmp -MMD -MP
compile_kernel = $(kernel_compiler) $(kernel_flags) $(colour)
depends        = -MMD -MP -MF $(@:.o=.d) -MT $@

# Everything that affects an object; $(B)/flags is newer than objects that were built with other flags.
flags := $(foreach c,$(CC) / $(CXX) / $(kernel_compiler),$(or $(realpath $(call find_program,$c)),$c)) \
         $(cppflags) / $(cflags) / $(ldflags) / $(libs) / $(kernel_flags)

# ---------------------------------------------------------------------------------------- programs
objects   = $(patsubst %,$(B)/%.o,$(basename $1))
programs := $(foreach v,$(compared),$(O)$v/$v)

.PHONY: all $(variants) $(standalone) FORCE
all: $(VARIANTS) $(B)/bin/run ## build every variant (the default), or VARIANT=shfl
$(variants) $(standalone): %: $(O)$$*/$$*

# A program is copied to its folder whenever it differs: after a change of GPU= nothing may need to be
# built, but the other program has to be there.
$(foreach v,$(variants) $(standalone),$(O)$v/$v): $(O)%: $(B)/% FORCE
	@if test -s $<; then \
	    cmp -s $< $@ || { mkdir -p $(@D) && cp $< $@; }; \
	else \
	    rm -f $@; \
	    echo "  SKIP  $(@F): $(library_name) does not compile for $(targets):" \
	        "$$(sed -n '/error: /{s/.*error: //p;q;}' $<.o.log) ($<.o.log)"; \
	fi

# A variant that was skipped has no object, so it is tried again next time.
variant_objects := $(foreach v,$(variants),$(B)/$v/$v.o)
variant_mains := $(foreach v,$(variants),$(B)/$v/main.o)
$(variant_mains): $(B)/%/main.o: common/main.c $(B)/flags $(B)/openmp
	$(Q)$(compile_c) -DVARIANT_NAME=$* -c $< -o $@

$(variant_objects:.o=): %: %.o $$(*D)/main.o $(B)/libcommon.a
	$(call say,LINK,$(@F))
	$(Q)if test -s $<; then $(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs); else rm -f $@; fi

# Variants that need the vendor's library are skipped where the library itself does not compile; all others
# must compile. In a recipe, $(*D) is the variant's folder.
library_users := $(if $(library_probe),$(patsubst %/prelude.h,%,$(shell grep -ls rocprim/ reduction_*/prelude.h)))
probe          = $(if $(filter $(*D),$(library_users)),$(compile_kernel) -Wno-error -c $(library_probe))

$(variant_objects) $(B)/reduction_multi_gpu/reduction_multi_gpu.o: $(B)/%.o: common/instantiate.hip $$(wildcard $$(*D)/*.hip $$(*D)/*.h) $(B)/flags $(B)/openmp
	$(call say,$(kernel_word),$(*D))
	$(Q)sh tools/build/compile_variant.sh $@ '$(probe)' $(compile_kernel) -I$(*D) \
	    -DVARIANT_NAME=$(*D) -DVARIANT_SOURCE='"$(*D:reduction_%=%).hip"' $(depends) -c $<

# A program with a main() of its own. On the CPU it needs the HIP runtime, which is in libcommon.a.
$(foreach v,$(filter-out reduction_multi_gpu,$(standalone)),$(B)/$v/$v): %: $$(*D)/$$(subst reduction_,,$$(*F)).o \
        $(if $(filter cpu,$(platform)),$(B)/libcommon.a)
	$(call say,LINK,$(@F))
	$(Q)$(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs)

$(B)/libcommon.a: $(call objects,$(common) $(platform_sources) $(wildcard common/harness/device/device_kernels.hip))
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(B)/bin/run: $(B)/bench/run.o $(B)/libcommon.a
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
	@mkdir -p $(addprefix $(B)/,common bench bin trace $(wildcard common/*/ common/*/*/ trace/*/ platform/*/ platform/*/*/ platform/*/*/*/ tests/ tests/*/ tests/*/*/ \
	    reduction_*/ reduction_*/*/)) 2>/dev/null || { echo 'Cannot write to $(or $(O),$(CURDIR)):' \
	    'for a copy to work in: make copy TO=~/reduction; for the programs alone: make OUT=~/reduction' >&2; exit 1; }
	@printf '%s\n' $(call quote,$(flags)) | cmp -s - $@ || printf '%s\n' $(call quote,$(flags)) >$@

# A file of compiler options: OpenMP where the compiler has it.
$(B)/openmp: $(B)/flags
	@echo 'int main(void) { return 0; }' >$@.c
	@if $(CC) $(ldflags) -fopenmp -o $@.tmp $@.c 2>/dev/null; \
	    then echo -fopenmp >$@; else echo -Wno-unknown-pragmas >$@; fi
	@rm -f $@.tmp $@.c

# "make clean run" cleans first, although all cores are at work.
$(B)/flags: | $(filter clean,$(MAKECMDGOALS))

# -------------------------------------------------------------------------------------------- run
.PHONY: run
ifneq ($(filter run,$(builds)),)
ifneq ($(or $(findstring ..,$(SIZE)),$(findstring $(,),$(SIZE)$(TYPE)$(OP)),$(word 2,$(SIZE)),$(word 2,$(TYPE)),$(word 2,$(OP))),)
$(error make run compares at one SIZE=, TYPE= and OP=; many are for make bench \
    $(addprefix SIZE=,$(SIZE)) $(addprefix TYPE=,$(TYPE)) $(addprefix OP=,$(OP)))
endif
ifeq ($(compared),)
$(if $(filter %multi_gpu,$(VARIANTS)),$(error make run: multi_gpu is for all GPUs at once, and is compared with one in its own \
    report: ./reduction_multi_gpu/reduction_multi_gpu; for a sweep make bench VARIANT=multi_gpu))
$(error make run: $(VARIANTS:reduction_%=%) has no options and no clock, and cannot be compared: ./$(VARIANTS)/$(VARIANTS))
endif
endif

# What starts a program: srun, numactl, an emulator.
launch := $(if $(LAUNCH),--launch=$(call quote,$(LAUNCH)))

run: $(compared) $(B)/bin/run ## compare every variant in one table; SIZE=256M TYPE=float OP=max
	@$(B)/bin/run $(launch) $(addprefix --size=,$(SIZE)) $(addprefix --type=,$(TYPE)) \
	    $(addprefix --op=,$(OP)) $(addprefix ./,$(filter-out /%,$(programs))) $(filter /%,$(programs))

include $(wildcard tests/check.mk)

-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d)
endif # builds

rules := tests/check.mk tools/tools.mk tools/roofline.mk tools/code/codegen.mk trace/trace.mk tests/mutants/mutants.mk reduction_multi_gpu/multi_gpu.mk
include $(filter tools/tools.mk,$(rules)) $(filter-out tools/tools.mk tests/check.mk,$(wildcard $(rules)))
-include reduction_to_fix/exercises.mk

# ------------------------------------------------------------------------------------ other things
.PHONY: copy check-amd format format-check clean help
copy: ## a copy to edit and build in; TO=~/reduction VARIANT=shfl (else all)
	@sh tools/build/copy.sh $(call quote,$(TO)) $(chosen)

check-amd: ## compile all programs for AMD and look for spills; TARGETS="gfx90a gfx1030"
	@sh tests/build/check_amd.sh $(TARGETS)

CLANG_FORMAT ?= clang-format
formatted = $(wildcard */*.[ch] */*.hip reduction_to_fix/*/*.[ch] reduction_to_fix/*/*.hip tests/*/*.[ch] tests/*/*.hip tests/*/*/*.h tests/*/*/*.hip common/*/*.[ch] common/*/*/*.[ch] common/*/*.hip platform/*/*.[ch] platform/*/*/*.[ch] platform/*/*/*/*.[ch] platform/*/*.hip platform/*/hip/*.h)
format: ## format all C and HIP files
	@$(CLANG_FORMAT) -i $(formatted)
format-check: ## list files that are not formatted
	@$(CLANG_FORMAT) --dry-run -Werror $(formatted) && echo 'clang-format: $(words $(formatted)) files are formatted'

clean: ## remove everything that was built, for all targets
	@rm -rf $(OUT)/build
	@rm -f $(foreach v,$(VARIANTS),$(OUT)/$v/$v)

help: ## this list
	@sh tools/build/help.sh Makefile $(wildcard $(rules) reduction_to_fix/exercises.mk)
	@echo
	@echo 'Variants: $(standalone:reduction_%=%) $(variants:reduction_%=%)' | fold -s -w 80
