# SPDX-License-Identifier: MIT
# Many programs at once: run, bench, plot. Included by the Makefile.
#
#   SIZE=256M TYPE=float OP=max   what to reduce; bench takes lists and ranges: SIZE=1K..8G TYPE=float,int
#   FORMAT=wide                   run's table with all columns
#   CSV=FILE                      bench writes it, plot reads it; default: the newest in results/
#   BENCH_OPTIONS="--warm"        more options of bench: bench/sweep/bench.py --help

# What programs are started with: srun, numactl, an emulator.
launch := $(if $(LAUNCH),--launch=$(call quote,$(LAUNCH)))
# Skipped programs do not exist; ls -U keeps the order.
existing = $$(ls -U $1 2>/dev/null)
newest_csv := $(or $(CSV),$(if $(filter plot,$(MAKECMDGOALS)),$(shell ls -t results/*.csv 2>/dev/null | head -n 1)))

$(B)/bin/run: $(H)/bench/main.o $(B)/libcommon.a
$(B)/bin/device: $(H)/bench/device.o $(B)/libcommon.a
$(B)/bin/run $(B)/bin/device:
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

# On the CPU run shows what a GPU would do. It counts with the programs of make explain, each with one type and operation,
# while the next ones are built; times are for FORMAT=wide.
ifneq ($(filter run counted,$(MAKECMDGOALS)),)
counted := $(or $(counted_in),$(call folder_of,trace)/instances/$(shell sh platform/cpu/instances.sh $(call quote,$(TYPE) $(OP)) ''))
endif
.PHONY: counter counted $(compared:%=counted-%)
counter: $(B)/flags $(B)/bin/run
	@$(info built $(B)/bin/run)
# Kernels wait for the translator and for their compiled header: make -j would begin that last.
ifneq ($(filter counter,$(MAKECMDGOALS)),)
$(call nogpu_objects,$(nogpu_mode),$(nogpu_runtime) $(nogpu_trace)): | $(patsubst %.h,%.h.gch,$(filter-out -include,$(hip_header)))
endif
counted: $(compared:%=counted-%)
$(compared:%=counted-%): counted-%: $(counted)/% | counter # counted.sh drops what comes before that is said
	@$(info built $<)

.PHONY: run bench plot
run_options = $(launch) $(SIZE:%=--size=%) $(TYPE:%=--type=%) $(OP:%=--op=%) $(FORMAT:%=--format=%)
counts     := $(if $(on_cpu)$(filter run,$(MAKECMDGOALS)),$(if $(libdw),$(if $(san)$(filter-out table,$(FORMAT)),,yes)))
ifdef counts
leaves_building := $(if $(filter-out run,$(or $(MAKECMDGOALS),all)),,yes)
run: ## learn | compare every variant in one table; SIZE=256M TYPE=float OP=max FORMAT=wide; on the CPU WARP=64 MACHINE=gfx942
	@export libdw_is='$(libdw)' counted_in=$(counted); $(calls_make) sh bench/run/counted.sh '$(if $(silent),-s)' '$(Q)' $(call folder_of,trace)/bin/run $(run_options) --count \
	    $(patsubst %,--warp=%,$(or $(firstword $(WARP)),$(if $(MACHINE),$(if $(filter gfx9%,$(MACHINE)),64,32)))) $(MACHINE:%=--machine=%) \
	    $(compared:%=$(counted)/%)
else
run: $(compared_programs) $(B)/bin/run
	$(if $(on_cpu),$(if $(filter-out table,$(FORMAT)),,@echo '# only times: what a GPU would do is counted $(if $(san),without SAN=,with libdw: $(get_libdw))'))
	@$(B)/bin/run $(run_options) $(addprefix ./,$(filter-out /%,$(compared_programs))) $(filter /%,$(compared_programs))
endif

# ----------------------------------------------------------------------------------------- bench
# bench is Python. bin/device describes the device for it; the file next to it has this build's revision and compiler.
bench = $(PYTHON) bench/sweep/bench.py --run=$(B)/bin/run $(launch)
$(B)/bin/facts: FORCE | $(B)/flags
	@mkdir -p $(@D)
	@$(PYTHON) bench/sweep/facts.py $@ $(kernel_compiler)

benched          := $(filter-out $(exercises),$(compared))
benched_programs := $(foreach v,$(benched),$(O)$v/$v)
ifeq ($(VARIANTS),reduction_multi_gpu)
bench: scaling
else
bench: $(benched_programs) $(B)/bin/run $(B)/bin/device $(B)/bin/facts ## measure | measure many sizes; SIZE=1K..8G TYPE=float,int OP=max TIME=600 CSV=new.csv
	$(need_python)
	@$(bench) $(SIZE:%=--sizes=%) $(TYPE:%=--types=%) $(OP:%=--ops=%) \
	    $(TIME:%=--time=%) $(CLOCK:%=--clock=%) $(CSV:%=--output=%) $(BENCH_OPTIONS) $(call existing,$(benched_programs))
endif

plot: ## measure | plot a benchmark; CSV=results/h200/sweep/sweep.csv PLOTS=folder CLOCK=kernel SIZE=256M
	$(need_python)
	@$(PYTHON) bench/plot/plot.py '$(newest_csv)' $(if $(PLOTS),--to='$(PLOTS)') $(CLOCK:%=--clock=%) $(SIZE:%=--size=%) $(if $(chosen),--only='$(chosen:reduction_%=%)')
