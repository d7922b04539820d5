# SPDX-License-Identifier: MIT
# Seeing every access of a kernel, on the CPU: race, explain. Included by the Makefile; trace has the tools.
#
#   V=striding          a variant, with TYPE=float OP=max SIZE=100003 OPTIONS="--block 96"
#   FILE=mine.hip       a program with a main() of its own, HIP or CUDA, with OPTIONS="its arguments"; several files:
#                       FILE="a.hip b.cpp" INCLUDE="folders of headers" CPPFLAGS="-DN=3" LDLIBS="-lfftw3"
#   RUN="./program 3"   a program that nogpu/bin/hipcc has built with HIP_CPU_TRACE=races, and its arguments
#   WARP="32 64"        lanes of a warp, one run for each; FILE=mine.cu: 32 alone, as CUDA has it
#   SCHEDULE=reverse    order of blocks and threads: forward, reverse, random:SEED; race has one run for each
#   JOBS=1              race: runs at once; default: one for each core
#   RACES=volatile      race takes volatile accesses to global memory for atomic ones
#   OUTPUT=varies       race: the output may depend on the warp size and the schedule
#   REPORT="--format sarif --log race.sarif"   race: options of its report, as of nogpu race
#   GRID_BARRIER=release   race takes a grid barrier for AMD's: behind it a reader needs a fence; variants always
#   MEMORY=weak:SEED    stores become visible to other blocks as late as HIP allows
#   MACHINE=gfx942      what explain counts for; see nogpu/trace/explain/machines.h
#   FORMAT=json         explain: the numbers; PAGE=explain.html: a page for a browser
#   FROM=interleaved TO=bank_conflicts   explain: two variants side by side

ifneq ($(traced),)
ifneq ($(SAN),)
$(error SAN=$(SAN): a traced kernel cannot be checked by a sanitizer, too: leave SAN= out)
endif

# A program has only the types and operations of its runs, in most cases one, and compiles in a tenth of the time of all. For
# race of a variant without OPTIONS these include the runs in options.txt.
# $(call traced_for,VARIANT[,race])
traced_for = $(B)/instances/$(shell sh platform/cpu/instances.sh $(call quote,$(TYPE) $(OP) $(OPTIONS)) \
             $(call quote,$(if $(OPTIONS),,$(if $2,; $(if $(and $(more),$(filter $1,$(traced_variant))),$(more),$(call more_runs,$1))))))/$1
more_runs  = $(shell sed -n 's/^$(1:reduction_%=%): *//p' platform/cpu/race_options.txt)

# Step 0 is a program like anybody's.
ifneq ($(filter reduction_hello,$(chosen)),)
override FILE := reduction_hello/hello.hip
endif

ifdef FILE
# One file, also with blanks in its name, or several. A folder for each: two files may have one name.
file_found := $(shell if [ -f $(call quote,$(FILE)) ]; then echo one; \
                      else for f in $(FILE); do [ -f "$$f" ] || { echo "$$f"; exit; }; done; echo all; fi)
ifeq ($(filter one all,$(file_found)),)
$(error FILE=$(FILE): no such file$(if $(word 2,$(FILE)), as $(file_found)))
endif
file_words  := $(if $(filter one,$(file_found)),$(call quote,$(FILE)),$(FILE))
file_folder := $(shell printf %s $(call quote,$(FILE)) | cksum | cut -d " " -f 1)
traced_program := $(B)/files/$(file_folder)/$(shell set -- $(file_words); basename "$$1" | sed 's/[.][^.]*$$//' | tr -c "A-Za-z0-9_.\\n-" _)
.PHONY: $(traced_program)
$(traced_program): nogpu-traced
	@mkdir -p $(@D)
	@sh nogpu/trace/standalone.sh traced $@ $(if $(shell [ ! -d $(call quote,$(INCLUDE)) ] || echo one),-I$(call quote,$(INCLUDE)),$(INCLUDE:%=-I%)) $(CPPFLAGS) $(file_words) $(LDLIBS)
traced_arguments = $(OPTIONS)
ifneq ($(if $(WARP)$(MACHINE),,$(filter %.cu,$(FILE))),)
export WARP := 32
endif
else ifneq ($(RUN),)
traced_program := $(firstword $(RUN))
$(if $(shell [ -f $(traced_program) ] && [ -x $(traced_program) ] && echo yes),,$(error RUN=$(RUN): no program $(traced_program)))
.PHONY: $(traced_program)
traced_arguments = $(wordlist 2,999,$(RUN)) $(OPTIONS)
else
traced_variant := $(or $(filter reduction_multi_gpu,$(chosen)),$(one))
$(if $(filter reduction_multi_gpu,$(traced_variant))$(if $(filter explain,$(traced)),$(FROM))$(filter-out race explain,$(traced)),,\
    $(call need_one,$(firstword $(traced))))
# Its own kernel reduces the share of one of several ranks; here they are threads, which launch one after the other.
traced_options := $(if $(filter reduction_multi_gpu,$(traced_variant)),--gpus=3 --share --method=tree)
more           := $(if $(filter race,$(traced)),$(call more_runs,$(traced_variant)))
traced_program := $(if $(filter race explain,$(traced)),$(call traced_for,$(traced_variant),$(filter race,$(traced))))
traced_plainly = --quiet --iterations=1 --warmup=0 $(if $(filter explain,$(traced)),--ceiling=1)
traced_arguments = $(traced_plainly) \
    --size=$(or $(SIZE),$(if $(filter explain,$(traced)),64K,10007)) $(TYPE:%=--type=%) $(OP:%=--op=%) $(traced_options) $(OPTIONS)
endif

no_kernel := $(if $(filter reduction_prim,$(traced_variant)), || \
    { status=$$?; echo "$(traced_variant) launches no kernel of its own here: look at single_pass"; exit $$status; })
# WARP, SCHEDULE, MEMORY, MACHINE, FORMAT and PAGE reach the scripts through the environment.
.PHONY: race traced
race: $(traced_program) $(N)/nogpu_report ## your own code | find races in a variant, without a GPU; VARIANT=shfl MEMORY=weak:1, or FILE=mine.hip
	@$(if $(FILE)$(RUN)$(OPTIONS),,MORE=$(call quote,$(more))) \
	    $(if $(FILE)$(RUN),,GRID_BARRIER=release) $(N)/nogpu_report run race $< $(traced_arguments)$(no_kernel)

# Two variants side by side, each by its name.
ifneq ($(FROM)$(TO),)
unknown := $(filter-out $(variants:reduction_%=%),$(FROM:reduction_%=%) $(TO:reduction_%=%))
ifneq ($(words $(FROM)) $(words $(TO)) $(FORMAT)$(unknown),1 1 )
$(error FROM=$(FROM) TO=$(TO)$(if $(FORMAT), FORMAT=$(FORMAT)): name two variants, and no FORMAT: make explain \
    FROM=interleaved TO=bank_conflicts; there are $(variants:reduction_%=%))
endif
endif

# The program's own report would stand between the tables.
explained := $(if $(FROM),$(foreach v,$(FROM:reduction_%=%) $(TO:reduction_%=%),$(call traced_for,reduction_$v)),$(traced_program))

# The numbers stand alone on stdout, with V=1 too.
ifneq ($(FORMAT),)
Q   := @
say := @>&2 printf '  %-5s %s\n'
endif

.PHONY: explain
explain: $(explained) $(N)/nogpu_report ## your own code | what the hardware would do, line by line; VARIANT=shfl, or FROM=striding TO=shfl; PAGE=explain.html
	@LEFT_OUT="reduction_ $(traced_plainly)" $(N)/nogpu_report run explain $(explained) -- $(traced_arguments)

# TRACED=all: the programs of the commands above, without options. Tests name theirs: TRACED=instances/float_max/reduction_shfl.
# Its last line is the file that tests read.
traced_usual  := $(filter $(VARIANTS),$(variants) $(filter reduction_multi_gpu,$(standalone)))
traced_wanted := $(if $(filter all,$(TRACED)),$(foreach v,$(traced_usual),$(call traced_for,$v) $(call traced_for,$v,race)),$(TRACED:%=$(B)/%))
traced: $(B)/commands $(traced_wanted) $(N)/nogpu_report
	@echo $<

alone         := $(sort $(filter $(B)/instances/%,$(traced_wanted) $(explained) $(traced_program) $(if $(filter counted,$(traced)),$(compared:%=$(counted)/%))))
# In one recipe: make would start the link of the first one after the compiler of the last. counted.sh waits for the word.
$(filter-out %/reduction_multi_gpu,$(alone)): common/instances/instantiate.hip $(B)/flags $(main) $(B)/libcommon.a
	@mkdir -p $(@D)
	$(say) $(kernel_word) "$(@F), traced"
	$(Q)$(call compile_instance,$(@F),$(notdir $(@D)),$@.o) -MMD -MP -MF $@.d -MT $@ -c $<
	$(Q)$(CC) $(ldflags) @$(H)/openmp -o $@ $@.o $(filter-out $<,$(filter %.o %.a,$^)) $(libs) $(call of_variant,$(@F))
	@$(if $(filter counted,$(MAKECMDGOALS)),echo built $@)
# multi_gpu links these objects, and must not compile one at the same time.
$(addsuffix .o,$(filter-out %/reduction_multi_gpu,$(alone))): %.o: %
	@:
# $(call compile_instance,VARIANT,INSTANCES,OBJECT)
compile_instance = sh tools/build/compile_variant.sh $3 '' $(compile_kernel) -I$1 -DVARIANT_NAME=$1 \
    -DVARIANT_SOURCE='"$(1:reduction_%=%).hip"' "$$(sh tools/build/only.sh $2)"
$(B)/instances/%.o: common/instances/instantiate.hip $(B)/flags
	@mkdir -p $(@D)
	$(say) $(kernel_word) "$(*F), traced"
	$(Q)$(call compile_instance,$(*F),$(*D),$@) $(depends) -c $<

endif # traced

.PHONY: check-races
check-races: ## develop | check that race finds every planted mistake; some minutes (make check has a sample)
	@REDUCTION_BIN=$(out) REDUCTION_CHECK=all bats tests/trace/races.bats
