# SPDX-License-Identifier: MIT
# The Makefile of a variant's folder: the goals of the Makefile above, for this variant alone. Words on the command line
# go along; a relative OUT, FILE, PAGE or CSV counts from this folder.
ifeq ($(MAKELEVEL),0) # all cores; an explicit -j wins
cores     := $(or $(shell nproc),1)
MAKEFLAGS += -j$(cores)
endif
variant := $(lastword $(subst /, ,$(CURDIR)))
quote    = '$(subst ','\'',$1)'

# The makefiles with the goals of this folder.
rules   ?= Makefile ../common/variant.mk
refused := $(shell sh ../tools/build/check_goals.sh $(call quote,$(filter-out $(variant),$(MAKECMDGOALS))) '$(rules)' '' .. ../reduction_to_fix)
ifneq ($(refused),)
$(error $(refused))
endif

# Where a word means a file: that file, seen from above.
from_above = $(if $($1),$1=$(call quote,$(if $(filter /% ~%,$($1)),,$(variant)/)$($1)))
above      = --no-print-directory -C .. $(call from_above,OUT) $(call from_above,FILE) $(call from_above,PAGE) \
                 $(call from_above,CSV) VARIANT=$(variant) INSIDE=$(variant)

.PHONY: $(variant) help
$(variant):
	@$(MAKE) $(above) $@

ifndef folder_goals # reduction_to_fix has others
.PHONY: run race explain check bench asm codegen profile clean
run: ## measure it; SIZE=256M TYPE=float OP=max
	@$(MAKE) $(above) $@
race: ## find races, without a GPU; MEMORY=weak:1, or FILE=mine.hip
	@$(MAKE) $(above) $@
explain: ## what the hardware would do, line by line; PAGE=explain.html, or FILE=mine.hip
	@$(MAKE) $(above) $@
check: ## all tests of this variant
	@$(MAKE) $(above) $@
bench: ## measure many sizes; SIZE=1K..8G TYPE=float,int CSV=new.csv
	@$(MAKE) $(above) $@
asm: ## machine code with its source; TYPE=double OP=sum
	@$(MAKE) $(above) $@
codegen: ## registers, loads and waits of each kernel, as compiled
	@$(MAKE) $(above) $@
profile: ## the profiler's counters, in words; SIZE=256M
	@$(MAKE) $(above) $@
clean: ## remove its build output, of all targets
	@$(MAKE) $(above) $@
endif

help: ## this list
	@echo '  make              build the program'
	@sh ../tools/build/help.sh $(rules)
	@echo 'More goals, and the variables: make -C .. help'
