# The Makefile of a variant's folder: it calls the Makefile above, for this variant only. Variables on the
# command line are passed on; a relative OUT is relative to this folder. All cores, unless -j is given.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(or $(shell nproc 2>/dev/null),1)
endif
variant := $(lastword $(subst /, ,$(CURDIR)))
above   := ..

out_from_above = $(if $(OUT),OUT=$(if $(filter /% ~%,$(OUT)),$(OUT),$(variant)/$(OUT)))
# A file beside the variant, instead of the variant.
traced_here = V=$(variant)$(if $(FILE), FILE="$(if $(filter /%,$(FILE)),,$(CURDIR)/)$(FILE)")

.PHONY: $(variant) run race explain clean help
$(variant):
	@$(MAKE) --no-print-directory -C $(above) $(out_from_above) $(variant)
run:
	@$(MAKE) --no-print-directory -C $(above) $(out_from_above) run VARIANT=$(variant)
race:
	@$(MAKE) --no-print-directory -C $(above) $(out_from_above) race $(traced_here)
ifneq ($(variant),reduction_to_fix) # explains an exercise
explain:
	@$(MAKE) --no-print-directory -C $(above) $(out_from_above) explain $(traced_here) $(if $(PAGE),PAGE=$(abspath $(PAGE)))
endif
clean:
	@$(MAKE) --no-print-directory -C $(above) $(out_from_above) clean VARIANT=$(variant)
help:
	@$(MAKE) --no-print-directory -C $(above) help
