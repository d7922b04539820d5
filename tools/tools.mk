# SPDX-License-Identifier: MIT
# Analysis of kernels: diff, asm, codegen, profile, rocm-matrix; the course as a kit and as a site. Included by the Makefile.
#
#   VARIANT=shfl TYPE=float OP=max   one instance of one variant, compiled for the first target of GPU=

# Tools that parse and join are Python, without packages; building and running do not need it.
need_python = @command -v $(PYTHON) >/dev/null || { echo 'make $@ needs Python 3.8 or newer, and $(PYTHON) is not found: ./install-deps.sh python, or PYTHON=path' >&2; exit 2; }

.PHONY: diff asm codegen profile rocm-matrix check-amd course one site
diff: ## learn | show the difference between two variants; FROM=striding TO=shfl
	@$(if $(shell command -v git),git --no-pager diff --no-index,diff -u) $(call source_of,FROM) $(call source_of,TO) || [ $$? -eq 1 ]
source_of = $(or $(wildcard $(patsubst %,reduction_%.hip,$(foreach v,$($1:reduction_%=%),$v/$v))),$(error diff: $(if $($1),$1=$($1): no \
    such variant; there are $(all_variants:reduction_%=%),$1= is missing; make diff FROM=striding TO=shfl)))

$(if $(filter asm codegen profile one,$(MAKECMDGOALS)),$(call need_one,$(filter asm codegen profile one,$(MAKECMDGOALS))))

# The compiler for one target and the variant $1.
target := $(firstword $(targets))
compile_for_one = $(filter-out -gencode arch=% --offload-arch=%,$(compile_kernel)) \
    $(if $(filter nvidia,$(platform)),-arch=$(target))$(if $(filter amd,$(platform)),--offload-arch=$(target)) \
    -I$1 -DVARIANT_NAME=$1 -DVARIANT_SOURCE='"$(1:reduction_%=%).hip"' common/instances/instantiate.hip
look_at = $(PYTHON) tools/code/$1.py $(platform) $(or $(target),cpu) $(or $(TYPE),double) $(or $(OP),sum) \
    $2/$(2:reduction_%=%).hip $(call compile_for_one,$2)

asm: $(B)/flags ## your own code | show a variant's machine code with its source; VARIANT=shfl TYPE=double OP=sum
	$(need_python)
	@$(call look_at,asm,$(one))

codegen: $(B)/$(one)/$(one).o ## your own code | show registers, loads and waits of each kernel; VARIANT=shfl FORMAT=json
	$(need_python)
	@$(PYTHON) tools/code/codegen.py $(if $(EXPECT),--expect) $(FORMAT:%=--format=%) \
	    $(TYPE:%=--type=%) $(OP:%=--op=%) $(platform) \
	    '$(lastword $(kernel_compiler))' $(one) $< $(targets)

profile: $(O)$(one)/$(one) ## your own code | show and explain the profiler's counters of a variant; VARIANT=shfl SIZE=256M
	$(need_python)
	@$(PYTHON) tools/profile/profiler.py $(platform) $(one) $< $(SIZE:%=--size=%) $(TYPE:%=--type=%) $(OP:%=--op=%)

course: ## teach | write an instructor's kit: a copy without answers, slides, handout, tests; TO=~/course
	$(need_python)
	@$(PYTHON) tools/course/course.py $(call quote,$(TO))

one: ## learn | print a step as one file that nvcc and hipcc take alone; VARIANT=shfl TYPE=float OP=sum >shfl.cu
	$(need_python)
	@$(PYTHON) tools/course/one.py $(one) $(or $(TYPE),float) $(or $(OP),sum)

site: ## teach | write the course as a static site that opens from disk; TO=site
	$(need_python)
	@$(calls_make) $(PYTHON) tools/site/site.py $(call quote,$(or $(TO),site))

# -------------------------------------------------------------------------------------------- AMD
rocm-matrix: ## develop | build every program with every ROCm of Debian, as root; RELEASES="bookworm sid"
	$(need_python)
	@$(PYTHON) tools/rocm/rocm_matrix.py $(if $(RELEASES),--releases="$(RELEASES)") \
	    $(if $(chosen),--variants="$(chosen:reduction_%=%)") $(if $(TARGETS),--targets="$(TARGETS)")
check-amd: ## develop | compile programs and library for AMD, look for spills; TARGETS="gfx90a gfx1030"
	@sh tests/build/check_amd.sh $(TARGETS)
