# SPDX-License-Identifier: MIT
# Many programs at once: run, bench, plot. Included by the Makefile.
#
#   SIZE=256M TYPE=float OP=max   what is reduced; bench takes lists and ranges: SIZE=1K..8G TYPE=float,int
#   CSV=FILE                      what bench writes, and what plot and roofline read: by default the newest in results/

# What starts a program: srun, numactl, an emulator.
launch := $(if $(LAUNCH),--launch=$(call quote,$(LAUNCH)))
# A program that was skipped is not there; ls -U keeps the order.
existing = $$(ls -U $1 2>/dev/null)
newest_csv = $(or $(CSV),$(shell ls -t results/*.csv 2>/dev/null | head -n 1))

$(B)/bin/run $(B)/bin/bench: $(B)/bin/%: $(B)/bench/%.o $(B)/libcommon.a
	@mkdir -p $(@D)
	$(say) LINK $(@F)
	$(Q)$(link)

# ------------------------------------------------------------------------------------------- run
compared_programs := $(foreach v,$(compared),$(O)$v/$v)
ifeq ($(filter run,$(MAKECMDGOALS)) $(compared),run )
$(error make run: $(if $(filter %multi_gpu,$(VARIANTS)),multi_gpu is for all GPUs at once$(comma) and is compared with one in its \
    own report: ./reduction_multi_gpu/reduction_multi_gpu; for a sweep make bench VARIANT=multi_gpu,$(VARIANTS:reduction_%=%) \
    has no options and no clock$(comma) and cannot be compared: ./$(VARIANTS)/$(VARIANTS)))
endif

.PHONY: run bench plot
run: $(compared_programs) $(B)/bin/run ## compare every variant in one table; SIZE=256M TYPE=float OP=max
	@$(B)/bin/run $(launch) $(SIZE:%=--size=%) $(TYPE:%=--type=%) \
	    $(OP:%=--op=%) $(addprefix ./,$(filter-out /%,$(compared_programs))) $(filter /%,$(compared_programs))

# ----------------------------------------------------------------------------------------- bench
# Revision and compiler, for bench.c alone: a new revision recompiles nothing else.
$(B)/bench/bench.o: private cppflags += -include $(B)/facts.h
$(B)/bench/bench.o: $(B)/facts.h
$(B)/facts.h: FORCE | $(B)/flags
	@sh bench/facts.sh $@ $(kernel_compiler)

benched          := $(filter-out $(exercises),$(compared))
benched_programs := $(foreach v,$(benched),$(O)$v/$v)
ifeq ($(VARIANTS),reduction_multi_gpu)
bench: scaling
else
bench: $(benched_programs) $(B)/bin/bench ## measure many sizes; SIZE=1K..8G TYPE=float,int OP=max TIME=600 CSV=new.csv
	@$(B)/bin/bench $(launch) $(SIZE:%=--sizes=%) $(TYPE:%=--types=%) $(OP:%=--ops=%) \
	    $(TIME:%=--time=%) $(ITERATIONS:%=--iterations=%) $(ROUNDS:%=--rounds=%) \
	    $(CLOCK:%=--clock=%) $(CSV:%=--output=%) $(BASELINE:%=--baseline=%) \
	    $(if $(filter 0,$(COLD)),--warm) $(BENCH_OPTIONS) $(call existing,$(benched_programs))
endif

plot: ## draw a benchmark; CSV=results/h200/sweep/sweep.csv PLOTS=folder CLOCK=kernel SIZE=256M
	$(need_python)
	@$(PYTHON) bench/plot/plot.py '$(newest_csv)' $(if $(PLOTS),--to='$(PLOTS)') $(CLOCK:%=--clock=%) $(SIZE:%=--size=%)
