# Measuring and looking closer: bench, plot, diff, asm, profile. Included by the Makefile; the scripts are
# in tools/.
#
#   CSV=FILE   the file that bench writes, and that plot and roofline read; their default is the newest in
#              results/

# The tools that parse and join are Python, without packages; building and running needs none.
PYTHON ?= python3
need_python = @command -v $(PYTHON) >/dev/null || { echo 'make $@ needs Python 3.8 or newer, and $(PYTHON) is not found: ./install-deps.sh python, or PYTHON=path' >&2; exit 2; }

newest_csv = $(or $(CSV),$(shell ls -t results/*.csv 2>/dev/null | head -n 1))

# ------------------------------------------------------------------------------------------ bench
.PHONY: bench plot diff asm profile
ifneq ($(builds),)

# Included only by bench.c, so that a new revision recompiles nothing else.
$(B)/bench/bench.o: private cppflags += -include $(B)/facts.h
$(B)/bench/bench.o: $(B)/facts.h
$(B)/facts.h: FORCE | $(B)/flags
	@revision=$$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown); \
	compiler=$$($(kernel_compiler) --version 2>/dev/null | \
	    awk '/release|HIP version/ { name = name $$0 "; " } /clang version|[(]GCC[)]|^(g|c)[+][+]/ { \
	         name = name $$0; exit } END { sub(/; $$/, "", name); print name ? name : "unknown" }'); \
	printf '#define REVISION "%s"\n#define COMPILER "%s"\n' "$$revision" "$$compiler" >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(B)/bin/bench: $(B)/bench/bench.o $(B)/libcommon.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs)

benched := $(filter-out $(exercises),$(compared))
benched_programs := $(filter-out $(addprefix %,$(exercises)),$(programs))

ifeq ($(VARIANTS),reduction_multi_gpu)
bench: scaling
else
bench: $(compared) $(B)/bin/bench ## measure many sizes; SIZE=1K..8G TYPE=float,int OP=max TIME=600 CSV=new.csv
	@$(B)/bin/bench $(launch) $(addprefix --sizes=,$(SIZE)) $(addprefix --types=,$(TYPE)) $(addprefix --ops=,$(OP)) \
	    $(addprefix --time=,$(TIME)) $(addprefix --iterations=,$(ITERATIONS)) $(addprefix --rounds=,$(ROUNDS)) \
	    $(addprefix --clock=,$(CLOCK)) $(addprefix --output=,$(CSV)) $(addprefix --baseline=,$(BASELINE)) \
	    $(if $(filter 0,$(COLD)),--warm) $(BENCH_OPTIONS) $$(ls -U $(benched_programs) 2>/dev/null)
endif

# tests/bench/test_bench.sh needs it.
check-build: $(B)/bin/bench
check: export BENCH := $(abspath $(B)/bin/bench)

endif # builds

# ------------------------------------------------------------------------------------------- plot
plot: ## draw a benchmark; CSV=results/h200/sweep/sweep.csv PLOTS=folder CLOCK=kernel SIZE=256M
	$(need_python)
	@$(PYTHON) bench/plot/plot.py '$(newest_csv)' $(if $(PLOTS),--to='$(PLOTS)') $(addprefix --clock=,$(CLOCK)) $(addprefix --size=,$(SIZE))

# ------------------------------------------------------------------------------------------- diff
diff: ## what changed between two variants; FROM=striding TO=shfl
	@sh tools/diff.sh '$(FROM)' '$(TO)'

# ------------------------------------------------------- machine code, resources, the profiler
ifneq ($(builds),)
# The compiler for one target, and for $1, a variant.
target := $(firstword $(targets))
compile_for_one = $(filter-out -gencode arch=% --offload-arch=%,$(compile_kernel)) \
    $(if $(filter nvidia,$(platform)),-arch=$(target))$(if $(filter amd,$(platform)),--offload-arch=$(target)) \
    -I$1 -DVARIANT_NAME=$1 -DVARIANT_SOURCE='"$(1:reduction_%=%).hip"' common/instantiate.hip
look_at = sh tools/code/kernels.sh $1 $(platform) $(or $(target),cpu) $(or $(TYPE),double) $(or $(OP),sum) \
    $2/$(2:reduction_%=%).hip $(call compile_for_one,$2)

asm: $(B)/openmp ## machine code of a variant with its source; VARIANT=shfl TYPE=double OP=sum
	@$(call look_at,asm,$(call one,asm))

profile: $(if $(filter profile,$(builds)),$(call one,profile)) ## the profiler's counters of a variant, in words; VARIANT=shfl SIZE=256M
	@sh tools/profile/profile.sh $(platform) $< $(O)$</$< $(addprefix --size=,$(SIZE)) \
	    $(addprefix --type=,$(TYPE)) $(addprefix --op=,$(OP))

endif # builds
