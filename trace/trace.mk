# SPDX-License-Identifier: MIT
# Seeing every access of a kernel, on the CPU: race, explain. Included by the Makefile; trace has the tools.
#
#   V=striding          a variant, with TYPE=float OP=max SIZE=100003 OPTIONS="--block 96"
#   FILE=mine.hip       a HIP program with a main() of its own, with OPTIONS="its arguments"
#   WARP="32 64"        lanes of a warp, one run for each
#   SCHEDULE=reverse    order of blocks and threads: forward, reverse, random:SEED
#   MEMORY=weak:SEED    stores become visible to other blocks as late as HIP allows
#   MACHINE=gfx942      what explain counts for; see trace/explain/machines.h
#   FORMAT=json         explain: the numbers; PAGE=explain.html: a page for a browser
#   FROM=interleaved TO=bank_conflicts   explain: two variants side by side

ifneq ($(traced),)
ifneq ($(SAN),)
$(error SAN=$(SAN): a traced kernel cannot be checked by a sanitizer, too: leave SAN= out)
endif

# What scripts need to compile and link kernels that are traced: traced_kernel ... -c, traced_link ... -o, and
# traced_variant NAME OBJECT PROGRAM
$(B)/traced: $(B)/flags $(B)/libcommon.a
	@printf '%s\n' $(call quote,traced_kernel() { $(compile_kernel) "$$@"; }) \
	    $(call quote,traced_link() { $(CC) $(ldflags) @$(B)/openmp "$$@" $(B)/libcommon.a $(libs); }) \
	    $(call quote,traced_variant() { $(CC) $(cppflags) $(cflags) -DVARIANT_NAME="$$1" -c common/main.c -o "$$3.main.o" &&) \
	    'traced_link -o "$$3" "$$2" "$$3.main.o"; }' >$@

# Step 0 is a program like anybody's.
ifneq ($(filter reduction_hello,$(chosen)),)
override FILE := reduction_hello/hello.hip
endif

ifdef FILE
# A folder for each path: two files may have one name.
file_folder := $(shell [ -f $(call quote,$(FILE)) ] && printf %s $(call quote,$(FILE)) | cksum | cut -d " " -f 1)
ifeq ($(file_folder),)
$(error FILE=$(FILE): no such file)
endif
traced_program := $(B)/files/$(file_folder)/$(shell basename $(call quote,$(FILE)) .hip | tr -c "A-Za-z0-9_.\\n-" _)
.PHONY: $(traced_program)
$(traced_program): $(B)/traced
	@mkdir -p $(@D)
	@sh trace/standalone.sh $(B)/traced $(call quote,$(FILE)) $@
else
traced_variant := $(or $(filter reduction_multi_gpu,$(chosen)),$(one))
$(if $(filter reduction_multi_gpu,$(traced_variant))$(if $(filter explain,$(traced)),$(FROM))$(filter-out race explain,$(traced)),,\
    $(call need_one,$(firstword $(traced))))
# Its own kernel reduces the share of one of several ranks; here they are threads, which launch one after the other.
traced_options := $(if $(filter reduction_multi_gpu,$(traced_variant)),--gpus=3 --share --method=tree)
traced_program := $(B)/$(traced_variant)/$(traced_variant)
endif

# WARP, SCHEDULE, MEMORY, MACHINE, FORMAT and PAGE reach the scripts through the environment.
.PHONY: race traced
race: $(traced_program) ## find races of a variant, with no GPU; VARIANT=shfl MEMORY=weak:1, or FILE=mine.hip
	@sh trace/race/race.sh $< $(if $(FILE),,--quiet --iterations=1 --warmup=0 --size=$(or $(SIZE),10007) \
	    $(TYPE:%=--type=%) $(OP:%=--op=%)) $(traced_options) $(OPTIONS)

# Two variants side by side, each by its name.
ifneq ($(FROM)$(TO),)
unknown := $(filter-out $(variants:reduction_%=%),$(FROM:reduction_%=%) $(TO:reduction_%=%))
ifneq ($(words $(FROM)) $(words $(TO)) $(FORMAT)$(unknown),1 1 )
$(error FROM=$(FROM) TO=$(TO)$(if $(FORMAT), FORMAT=$(FORMAT)): name two variants, and no FORMAT: make explain \
    FROM=interleaved TO=bank_conflicts; there are $(variants:reduction_%=%))
endif
endif

# The program's own report would stand between the tables.
explained := $(if $(FROM),$(foreach v,$(FROM:reduction_%=%) $(TO:reduction_%=%),$(B)/reduction_$v/reduction_$v),$(traced_program))

# The numbers stand alone on stdout.
ifneq ($(FORMAT),)
say := @$(if $(Q),>&2 printf '  %-5s %s\n',:)
endif

.PHONY: explain
explain: $(explained) ## what the hardware would do, line by line; VARIANT=shfl, or FROM=striding TO=shfl; PAGE=explain.html
	@sh trace/explain/explain.sh $^ -- $(if $(FILE),,--quiet --iterations=1 --warmup=0 --ceiling=1 --size=$(or $(SIZE),64K) \
	    $(TYPE:%=--type=%) $(OP:%=--op=%)) $(traced_options) $(OPTIONS)

# Programs too, for tests/trace/races.bats; its last line is the file to read.
traced: $(B)/traced $(if $(filter all,$(TRACED)),$(foreach v,$(variants) $(filter reduction_multi_gpu,$(standalone)),$(B)/$v/$v))
	@echo $<

endif # traced

.PHONY: check-races
check-races: ## plant mistakes and find them all; some minutes (make check has a sample)
	@REDUCTION_BIN=$(out) REDUCTION_CHECK=all bats tests/trace/races.bats
