# Registers, barriers, occupancy and the time's lower bound of every variant beside its time. Included by the
# Makefile; tools/code/kernels.sh asks the compiler, tools/roofline.sh makes the table.
.PHONY: roofline
ifneq ($(builds),)

# The times: from a CSV, or else from one round at 1K elements, for the cost of a launch, and at SIZE.
measured := $(newest_csv)
ifeq ($(measured),)
measured := $(B)/roofline.csv
.PHONY: $(measured) # anew each time
$(measured): $(benched) $(B)/bin/bench
	@rm -f $@
	@$(B)/bin/bench $(launch) --rounds=1 --output=$@ --sizes=1K,$(or $(SIZE),$(if $(filter cpu,$(platform)),512K,256M)) \
	    $(addprefix --types=,$(TYPE)) $(addprefix --ops=,$(OP)) $$(ls -U $(benched_programs)) >/dev/null
endif

# What the compiler says, a file for each variant: made again when the variant's object is.
instance  := $(or $(TYPE),double)-$(or $(OP),sum)
resources := $(foreach v,$(benched),$(B)/$v/$v.resources-$(instance))

$(resources): %.resources-$(instance): %.o tools/code/kernels.sh tools/code/resources.awk
	$(call say,LOOK,$(*F))
	$(Q)$(call look_at,resources,$(*F)) >$@

roofline: $(resources) $(if $(newest_csv),,$(measured)) ## the bound of each kernel beside its time; CSV=... SIZE=256M TYPE=float
	@cat $(resources) >$(B)/resources
	@sh tools/roofline.sh $(measured) $(or $(target),cpu) '$(or $(TYPE),double)' '$(or $(OP),sum)' '$(SIZE)' $(B)/resources

endif # builds
