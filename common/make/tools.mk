# Measuring and looking closer: bench, plot, roofline, diff, asm, profile. Included by the Makefile; the
# scripts are in tools/.
#
#   CSV=FILE   the file that bench writes, and that plot and roofline read; their default is the newest in
#              results/

newest_csv = $(or $(CSV),$(shell ls -t results/*.csv 2>/dev/null | head -n 1))

# ------------------------------------------------------------------------------------------ bench
.PHONY: bench plot roofline diff asm profile
ifneq ($(builds),)

# Included only by bench.c, so that a new revision recompiles nothing else.
$(B)/common/compare/bench.o: private cppflags += -include $(B)/facts.h
$(B)/common/compare/bench.o: $(B)/facts.h
$(B)/facts.h: FORCE | $(B)/flags
	@revision=$$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown); \
	compiler=$$($(kernel_compiler) --version 2>/dev/null | \
	    awk '/release|HIP version/ { name = name $$0 "; " } /clang version|[(]GCC[)]|^(g|c)[+][+]/ { \
	         name = name $$0; exit } END { sub(/; $$/, "", name); print name ? name : "unknown" }'); \
	printf '#define REVISION "%s"\n#define COMPILER "%s"\n' "$$revision" "$$compiler" >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(B)/bench: $(B)/common/compare/bench.o $(B)/libcommon.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs)

benched := $(filter-out $(addprefix %,$(exercises)),$(programs))

bench: $(VARIANTS) $(B)/bench ## measure many sizes; SIZES=1K..8G VARIANTS=shfl,prim TYPES=float,int OPS=max TIME=600 COLD=0 CLOCK=kernel CSV=new.csv BASELINE=old.csv
	@$(B)/bench $(addprefix --sizes=,$(SIZES)) $(addprefix --types=,$(TYPES)) $(addprefix --ops=,$(OPS)) \
	    $(addprefix --time=,$(TIME)) $(addprefix --iterations=,$(ITERATIONS)) $(addprefix --rounds=,$(ROUNDS)) \
	    $(addprefix --clock=,$(CLOCK)) $(addprefix --output=,$(CSV)) $(addprefix --baseline=,$(BASELINE)) \
	    $(if $(filter 0,$(COLD)),--warm) $(BENCH_OPTIONS) $$(ls -U $(benched) 2>/dev/null)

# tests/test_bench.sh needs it.
check-build: $(B)/bench
check: export BENCH := $(abspath $(B)/bench)

endif # builds

# ------------------------------------------------------------------------------------------- plot
plot: ## figures of a benchmark; CSV=results/h200/sweep.csv PLOTS=folder CLOCK=kernel N=256M
	@sh tools/plot.sh '$(newest_csv)' '$(or $(PLOTS),$(patsubst %/,%,$(dir $(newest_csv))))' '$(or $(CLOCK),total)' '$(N)'

# ------------------------------------------------------------------------------------------- diff
diff: ## what changed between two variants; FROM=striding TO=shfl
	@sh tools/diff.sh '$(FROM)' '$(TO)'

# ------------------------------------------------------- machine code, resources, the profiler
ifneq ($(builds),)
ifneq ($(filter asm profile,$(builds)),)
override Q := @ # V= names a variant here
shown := $(filter $(variants),reduction_$(V:reduction_%=%))
ifeq ($(shown),)
$(error V=$(V): name a variant, make $(firstword $(builds)) V=shfl; there are $(variants:reduction_%=%))
endif
endif

# The compiler for one target, and for $1, a variant.
target := $(firstword $(targets))
compile_for_one = $(filter-out -gencode arch=% --offload-arch=%,$(compile_kernel)) \
    $(if $(filter nvidia,$(platform)),-arch=$(target))$(if $(filter amd,$(platform)),--offload-arch=$(target)) \
    -I$1 -DVARIANT_NAME='"$1"' -DVARIANT_SOURCE='"$(1:reduction_%=%).hip"' common/instantiate.hip
look_at = sh tools/kernels.sh $1 $(platform) $(or $(target),cpu) $(or $(TYPE),double) $(or $(OP),sum) \
    $2/$(2:reduction_%=%).hip $(call compile_for_one,$2)

asm: $(B)/openmp ## machine code of a variant's kernels with source lines; V=shfl GPU=gfx90a TYPE=double OP=sum
	@$(call look_at,asm,$(shown))

profile: $(shown) ## the profiler's counters of a variant, in words; V=shfl N=256M TYPE=float OP=max GPU=...
	@sh tools/profile.sh $(platform) $(shown) $(O)$(shown)/$(shown) $(addprefix --size=,$(N)) \
	    $(addprefix --type=,$(TYPE)) $(addprefix --op=,$(OP))

# -------------------------------------------------------------------------------------- roofline
# From a CSV; without one, measures one round at 1K elements, for the cost of a launch, and at N.
roofline_csv := $(newest_csv)
ifeq ($(roofline_csv),)
roofline_csv := $(B)/roofline.csv
ifneq ($(filter roofline,$(builds)),)
.PHONY: $(B)/roofline.csv # measured anew each time
endif
$(B)/roofline.csv: $(VARIANTS) $(B)/bench
	@rm -f $@
	@$(B)/bench --rounds=1 --output=$@ --sizes=1K,$(or $(N),$(if $(filter cpu,$(platform)),512K,256M)) $(addprefix --types=,$(TYPE)) \
	    $(addprefix --ops=,$(OP)) $$(ls -U $(benched)) >/dev/null
endif

instance := resources-$(or $(TYPE),double)-$(or $(OP),sum)

# Compiled again whenever the variant's object is.
$(B)/%.$(instance): $(B)/%.o tools/kernels.sh tools/resources.awk
	$(call say,LOOK,$(*F))
	$(Q)$(call look_at,resources,$(*F)) >$@

roofline: $(if $(newest_csv),,$(roofline_csv)) $(foreach v,$(filter-out $(exercises),$(VARIANTS)),$(B)/$v/$v.$(instance)) ## registers, barriers, occupancy and the time's lower bound; CSV=... N=256M TYPE=float
	@cat $(filter %.$(instance),$^) >$(B)/resources
	@sh tools/roofline.sh $(roofline_csv) $(or $(target),cpu) '$(or $(TYPE),double)' '$(or $(OP),sum)' '$(N)' $(B)/resources

endif # builds
