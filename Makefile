# SPDX-License-Identifier: MIT
# Builds every variant for one GPU, several, or the CPU: one graph, no recursion. It reads from top to bottom.
#
#   config.mk            what a site edits: the default target, compilers, flags, libraries
#   platform/*.mk        the compilers and libraries of a vendor
#   bench/bench.mk ...   the goals of a room: run and bench, race and explain, check, exercises
#   $(B)                 build/TARGET, with all build output: targets, compilers and sanitizers never share a folder
#   $(H)                 where host objects are: $(B), or that of the plain build when kernels are traced
#   $(O)reduction_x/     the programs, copied from $(B)/reduction_x/ to where people look for them
#
# `make help` lists the goals, and the variables (capitals) that you can set on the command line.

# ------------------------------------------------------------------------------------------- make
ifeq ($(filter output-sync,$(.FEATURES)),)
$(error This is make $(MAKE_VERSION); GNU make 4.0 or newer is needed)
endif
MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL),0) # all cores; an explicit -j wins
cores     := $(or $(if $(words_are),$(cores)),$(shell nproc),1)
MAKEFLAGS += -j$(cores)
endif
# make's built-in CC, CXX and AR would override those of config.mk.
$(foreach v,CC CXX AR,$(if $(filter default,$(origin $v)),$(eval undefine $v)))
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
comma      := ,
space      := $() $()
quote       = '$(subst ','\'',$1)'
# Starts a script that calls make. (A recipe that contains $(MAKE) would run even with make -n.)
make       := $(MAKE)
calls_make  = export MAKE=$(call quote,$(make)) MAKEFLAGS=$(call quote, -- $(MAKEOVERRIDES)) MAKELEVEL=0 words_are=checked cores=$(cores) all_variants='$(all_variants)' && exec

# ------------------------------------------------------------------------------------------ words
include config.mk

# The first name is the one used below; the others are synonyms. V=1 shows the commands, V=shfl chooses a variant.
SIZE    := $(or $(SIZE),$(SIZES),$(N))
TYPE    := $(or $(TYPE),$(TYPES))
OP      := $(or $(OP),$(OPS))
VARIANT := $(or $(VARIANT),$(VARIANTS),$(filter-out 0 1,$(V)))
Q       := $(if $(filter 1,$(V)),,@)
silent  := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say     := @$(if $(Q),$(if $(silent),:,printf '  %-5s %s\n'),:)

rooms   := $(wildcard library/library.mk bench/bench.mk platform/cpu/trace.mk tools/tools.mk tests/check.mk tests/mutants/mutants.mk reduction_*/*.mk)
given   := $(foreach each,$(.VARIABLES),$(if $(findstring command,$(origin $(each))),$(each)))
refused := $(if $(words_are),,$(shell sh tools/build/check_goals.sh $(call quote,$(MAKECMDGOALS)) 'Makefile config.mk $(wildcard platform/*.mk) nogpu/nogpu.mk $(rooms)' '$(given)' $(wildcard reduction_to_fix) -- \
    $(foreach word,SIZE TYPE OP SAN OUT WARP SCHEDULE MEMORY MACHINE SUITES,$(word)=$(call quote,$($(word))))))
ifneq ($(refused),)
$(error $(refused))
endif

# --------------------------------------------------------------------------------------- variants
# In the order of the steps that their sources name; no list to maintain. Standalone programs have their own main() and
# do not share the common options: step 0, and the step that runs other variants on many GPUs.
all_variants := $(if $(words_are),$(all_variants),$(shell sh tools/build/variants.sh))
exercises    := $(filter reduction_to_fix,$(all_variants))
standalone   := $(filter reduction_hello reduction_multi_gpu,$(all_variants))
variants     := $(filter-out $(standalone) $(exercises),$(all_variants)) $(exercises)

# The variants chosen for this run: VARIANT=shfl,prim, or all.
chosen := $(subst $(comma), ,$(VARIANT))
chosen := $(patsubst %,reduction_%,$(chosen:reduction_%=%))
ifneq ($(filter-out $(all_variants),$(chosen)),)
$(error VARIANT=$(VARIANT): there is no $(filter-out $(all_variants),$(chosen)); there are $(all_variants:reduction_%=%))
endif
override VARIANTS := $(or $(chosen),$(all_variants))
compared := $(filter $(variants),$(VARIANTS))
# Few variants have types of two bytes or operations of bits; their prelude.h says so.
# $(call those_with,TYPE,TYPES,HAS_NARROW)
asked      = $(subst $(comma), ,$($1))
usual      = $(if $(asked),$(filter $(shell sh tools/build/words.sh $2 common),$(asked)))
able       = $(patsubst %/prelude.h,%,$(shell grep -ls $3 reduction_*/prelude.h))
those_with = $(if $(filter-out $(usual),$(asked)),$(if $(filter $(able),$(compared)),$(if $(usual),$(compared),$(filter $(able),$(compared))),$(error \
                 $1=$($1): $(VARIANTS:reduction_%=%) has none; $(able:reduction_%=%) does)),$(compared))
compared  := $(call those_with,TYPE,TYPES,HAS_NARROW)
compared  := $(call those_with,OP,OPERATIONS,HAS_BITWISE)
# For goals that need exactly one variant.
one      := $(filter $(variants),$(chosen))
need_one  = $(if $(filter 1,$(words $(one))),,$(error name a variant: make $1 VARIANT=shfl; there are $(variants:reduction_%=%)))

# --------------------------------------------------------------------------------- target, folder
# race and explain need instrumented kernels, which run on the CPU even if there is a GPU.
traced := $(filter race traced explain counter counted,$(MAKECMDGOALS))
ifneq ($(traced),)
override GPU   := cpu
override TRACE := 1
endif

# These goals need no compiler, nor a GPU.
builds := $(filter-out help clean copy format format-check diff plot check-amd rocm-matrix grade exercise-new exercises-check \
    course one site,$(or $(MAKECMDGOALS),all))
meant  := $(if $(and $(builds),$(filter-out cpu,$(or $(strip $(GPU)),none))),$(shell sh platform/target.sh $(call quote,$(GPU))),cpu cpu)
ifeq ($(firstword $(meant)),error)
$(error $(wordlist 2,999,$(meant)))
endif
platform := $(word 1,$(meant))
targets  := $(wordlist 3,999,$(meant))
san      := $(subst $(comma), ,$(SAN))

# Parts of error messages: what GPU= stands for, and what to do instead.
meaning := GPU=$(GPU)$(if $(filter auto,$(GPU)), found $(targets))
instead := $(if $(filter auto,$(GPU)),; or build for the CPU: make GPU=cpu)
ifeq ($(GPU)$(if $(builds),,none),auto)
$(info GPU=auto: $(if $(targets),building for $(targets),no GPU found here$(comma) building for the CPU. For another \
    machine: make GPU=gfx90a (AMD)$(comma) make GPU=sm_90 (NVIDIA)))
endif
$(if $(filter environment%,$(origin OUT)),$(if $(filter-out . ./,$(OUT)),$(info OUT=$(OUT) from the environment: the programs \
    go to $(OUT:%/=%)/reduction_*/)))
override OUT := $(patsubst ~/%,$(HOME)/%,$(OUT:%/=%))
override OUT := $(if $(filter $(CURDIR),$(OUT)),.,$(OUT))
O     := $(if $(filter-out .,$(OUT)),$(OUT)/)
folder_of = $(O)build/$(subst $(space),-,$(strip $(word 2,$(meant)) $1 $(san) \
            $(filter-out cc c++,$(notdir $(lastword $(filter-out -%,$(CC))) $(lastword $(filter-out -%,$(CXX)))))))
B        := $(call folder_of,$(if $(TRACE),trace))
H        := $(call folder_of)
# A build folder knows where it was made: place.mk, written by tools/build/flags.sh.
$(foreach f,$(sort $(H) $(B)),$(eval made_in := $$(CURDIR))$(eval -include $f/place.mk)$(if \
    $(subst x$(made_in),,x$(CURDIR)),$(shell sh tools/build/moved.sh $f)))
# Absolute, and quoted for the shell.
out   := $(call quote,$(if $(filter /%,$(OUT)),$(OUT),$(CURDIR)/$(OUT)))

# -------------------------------------------------------------------------------- compilers, flags
sanitize := $(if $(san),-fsanitize=$(subst $(space),$(comma),$(san)) -fno-omit-frame-pointer)
include platform/$(platform).mk
colour   := $(if $(MAKE_TERMERR),$(if $(NO_COLOR)$(filter nvidia,$(platform)),,-fdiagnostics-color=always))
cppflags := -D_GNU_SOURCE -I. -Icommon $(platform_cppflags)
cflags   := -std=c11 -O2 -g -Wall -Wextra -Werror=switch $(if $(WERROR),-Werror) $(sanitize) $(CFLAGS)
ldflags  := $(sanitize) $(LDFLAGS)
libs     := $(platform_libs) -lm $(LDLIBS)
kernel_flags += -I. -Icommon -Iplatform/$(platform)

# @$(H)/openmp: the compiler's OpenMP flag, if it has one (tools/build/flags.sh).
compile_c      = $(CC) $(cppflags) $(cflags) $(colour) @$(H)/openmp -MMD -MP
compile_kernel = $(kernel_compiler) $(hip_header) $(kernel_flags) $(colour)
depends        = -MMD -MP -MF $(@:.o=.d) -MT $@
link           = $(CC) $(ldflags) @$(H)/openmp -o $@ $(filter %.o %.a,$^) $(libs)
# All variants share $(main); the linker flag says which variant it runs.
main           = $(H)/bench/reduction.o
of_variant     = -Wl,--defsym=linked_variant=$1
# The same for scripts, as shell functions: compile_kernel ... -c, link_program ... -o, link_variant NAME OBJECT PROGRAM
headers_of_cpu = $(if $(on_cpu),$(N)/include)
$(B)/commands: $(B)/flags $(main) $(B)/libcommon.a $(headers_of_cpu) FORCE
	@printf '%s\n' $(call quote,compile_kernel() { $(compile_kernel) $(headers_of_cpu:%=-I%) "$$@"; }) \
	    $(call quote,link_program() { $(CC) $(ldflags) @$(H)/openmp "$$@" $(B)/libcommon.a $(libs); }) \
	    'link_variant() { link_program $(call of_variant,"$$1") -o "$$3" "$$2" $(main); }' | sh tools/build/keep.sh $@

# Objects depend on cflags or flags, which are touched when the settings change (or something that a platform adds: the
# CPU's translator, which is built once the compilers have been found). `make clean run` cleans first.
$(B)/flags: $(B)/settings $(H)/cflags
	@$(if $(targets),sh platform/try_targets.sh $(B) '$(targets)' $(compile_kernel))
	@touch $@
$(B)/settings: FORCE | $(H)/cflags
	@sh tools/build/flags.sh $@ $(call quote,$(subst $(CURDIR),,$(subst $(H),,$(subst $(B),,$(ldflags) / $(libs) / $(kernel_flags))))) \
	    '$(ldflags)' '$(CC)' $(if $(filter cpu,$(platform)),'$(CXX)') '$(kernel_compiler)'
$(H)/cflags: FORCE | $(filter clean,$(MAKECMDGOALS))
	@sh tools/build/flags.sh $@ $(call quote,$(subst $(CURDIR),,$(cppflags) / $(cflags))) '$(ldflags)' '$(CC)'
.PHONY: FORCE

# ---------------------------------------------------------------------------------------- programs
all_programs := $(foreach v,$(all_variants),$(O)$v/$v)
programs     := $(foreach v,$(VARIANTS),$(O)$v/$v)
objects       = $(patsubst %,$(B)/%.o,$(basename $1))

.PHONY: all programs $(all_variants)
all: programs $(B)/bin/run $(B)/bin/device ## learn | build every variant (the default), or VARIANT=shfl
	@$(if $(silent),,sh tools/build/built.sh $(call quote,$(MAKEOVERRIDES)) '' $(programs))
programs: $(programs)
$(foreach v,$(all_variants),$(eval $v: $(O)$v/$v))
$(all_variants):
	@$(if $(silent),,sh tools/build/built.sh '' '$(INSIDE)' $<)

$(all_programs): $(O)%: $(B)/% FORCE
	@sh tools/build/install.sh $< $@ '$(library_name) does not compile for $(targets)'

# A variant: its kernels for all types and operations, and the program around them.
variant_objects := $(foreach v,$(variants),$(B)/$v/$v.o)
$(variant_objects:.o=): %: %.o $(main) $(B)/libcommon.a
	$(say) LINK $(@F)
	$(Q)if test -s $<; then $(link) $(call of_variant,$(@F)); else rm -f $@; fi

# Variants that need the vendor's library are skipped if the library itself does not compile; all others must compile.
library_users := $(if $(library_probe),$(patsubst %/prelude.h,%,$(shell grep -ls rocprim/ reduction_*/prelude.h)))
$(variant_objects) $(B)/reduction_multi_gpu/reduction_multi_gpu.o: $(B)/%.o: common/instances/instantiate.hip $(B)/flags
	@mkdir -p $(@D)
	$(say) $(kernel_word) $(*D)
	$(Q)sh tools/build/compile_variant.sh $@ $(call quote,$(if $(filter $(*D),$(library_users)),$(compile_kernel) -Wno-error -c $(library_probe))) \
	    $(compile_kernel) -I$(*D) -DVARIANT_NAME=$(*D) -DVARIANT_SOURCE='"$(*D:reduction_%=%).hip"' $(depends) -c $<

# Step 0 has its own main(); on the CPU it takes the HIP runtime from libcommon.a.
$(B)/reduction_hello/reduction_hello: $(B)/reduction_hello/hello.o $(B)/libcommon.a
	$(say) LINK $(@F)
	$(Q)$(link)

$(B)/libcommon.a: $(platform_library) $(call objects,$(platform_sources) $(wildcard common/*/*/*.hip)) $(patsubst %.c,$(H)/%.o, \
        $(wildcard common/*.c common/*/*.c common/*/*/*.c bench/*/*.c))
	$(say) AR $(@F)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(H)/%.o: %.c $(H)/cflags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(compile_c) -c $< -o $@
ifdef TRACE
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(say) CC "$<, traced"
	$(Q)$(compile_c) $(trace_flags) -c $< -o $@
endif

$(B)/%.o: %.hip $(B)/flags
	@mkdir -p $(@D)
	$(say) $(kernel_word) $<
	$(Q)$(compile_kernel) $(depends) -c $< -o $@

# A *.d may name a source that has moved since: its object is compiled again.
.DEFAULT:
	@case "$@" in *.c | *.hip | *.mk | *.d | *Makefile) ;; *) echo "make: no rule for $@" >&2; exit 2 ;; esac

# ------------------------------------------------------------------------------------------- rooms
include $(rooms)

-include $(if $(wildcard $(if $(leaves_building),,$(B))),$(shell find $(wildcard $(B) $(H)/common $(H)/bench) -path $(B)/exercises -prune -o -name '*.d' -print))

# ------------------------------------------------------------------------------------ other things
.PHONY: copy format format-check clean help
copy: ## your own code | copy the tree, or only VARIANT=shfl, to edit and build there; TO=~/reduction
	$(need_python)
	@$(PYTHON) tools/build/copy.py $(call quote,$(TO)) $(chosen)

format: ## develop | format all C and HIP files
	$(need_python)
	@$(PYTHON) tools/build/lint.py format $(CLANG_FORMAT) -i
format-check: ## develop | list files that are not formatted
	$(need_python)
	@$(PYTHON) tools/build/lint.py format $(CLANG_FORMAT) --dry-run -Werror

ifndef on_cpu # nogpu.mk has them
.PHONY: install-nogpu uninstall-nogpu
install-nogpu uninstall-nogpu:
	@$(calls_make) sh -c '$$MAKE -C nogpu $(@:%-nogpu=%)'
endif

clean: ## develop | remove the build output of all targets, or only of VARIANT=shfl
	@rm -rf $(if $(chosen),$(chosen:%=$(O)build/*/%) $(chosen:%=$(O)build/*/instances/*/%*),$(O)build $(O)reduction_*/*.so $(O)reduction_to_fix/[0-9]*/reduction_*)
	@rm -f $(programs) $(VARIANTS:%=$(O)bin/%)
	@rmdir $(O)bin 2>/dev/null || :

help: ## develop | this list
	@sh tools/build/help.sh --all Makefile nogpu/nogpu.mk $(rooms)
	@echo
	@echo 'Variants: $(all_variants:reduction_%=%)' | fold -s -w 80
