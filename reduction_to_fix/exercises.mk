# SPDX-License-Identifier: MIT
# Builds the exercises and their checker. Included by the Makefile; `make` inside reduction_to_fix is the way in, and
# judge.sh builds what the checker needs.
#
#   EX=3                  exercise 3; else 1
#   SOURCE=FILE WORK=DIR  another file in its place, built there (tests, make grade)
#   NAME=NAME             of a new exercise
#
# The checker that decides is that of the CPU platform, also where there is a GPU; on a GPU it runs again.
.PHONY: grade exercise-new exercises-check
grade: ## teach | check the exercises of one attendee or of a folder of them; DIR=submissions GRADE_JOBS=8
	$(need_python)
	@$(calls_make) env BUILT='$(O)' $(PYTHON) reduction_to_fix/grade.py $(if $(filter no,$(SANDBOX)),--no-sandbox) \
	    $(GRADE_JOBS:%=--jobs=%) -- $(call quote,$(DIR))
exercise-new: ## teach | make the folder of a new exercise; NAME=lost_tail
	$(need_python)
	@$(PYTHON) reduction_to_fix/bank.py new $(call quote,$(NAME))
exercises-check: ## develop | each exercise is broken as shipped and solvable, its right and wrong fixes judged so; EX=3
	$(need_python)
	@$(calls_make) $(PYTHON) reduction_to_fix/bank.py check $(EX)

ex_goals := exercise exercise-judge exercise-gpu exercise-runner exercise-program exercise-compiles
.PHONY: $(ex_goals)
ifneq ($(filter $(ex_goals),$(MAKECMDGOALS)),)
hip_header := # exercises have a compiled header of their own
ex         := $(or $(EX),1)
ex_folder  := $(patsubst %/exercise.txt,%,$(firstword $(wildcard reduction_to_fix/$(ex)_*/exercise.txt reduction_to_fix/0$(ex)_*/exercise.txt)))
ifeq ($(ex_folder),)
$(error EX=$(EX): give the number of an exercise; make list in reduction_to_fix shows them)
endif
ex_number := $(firstword $(subst _, ,$(notdir $(ex_folder))))
ex_file   := $(firstword $(wildcard $(ex_folder)/*.hip $(ex_folder:reduction_to_fix/$(ex_number)_%=reduction_to_fix/%.hip)))
ex_name   := reduction_$(notdir $(basename $(ex_file)))
ex_source := $(or $(SOURCE),$(ex_file))
ex_work   := $(or $(WORK),$(B)/exercises/$(ex_number))
ex_words  := $(shell sed -n '/^defines: /{s///;s/[^ ][^ ]*/-D&/g;p;}; s/^kinds: /kinds=/p' $(ex_folder)/exercise.txt)
ex_names  := -DVARIANT_NAME=$(ex_name) $(filter -D%,$(ex_words))
ex_kinds  := $(if $(TRACE),$(patsubst kinds=%,%,$(filter kinds=%,$(ex_words))))
ex_only   := $(if $(ex_kinds),$(call quote,$(shell sh tools/build/only.sh $(ex_kinds))))

# Passes after those that instrument accesses: without them GCC takes an eighth less time, and the code does the same.
ex_quick   := -fno-if-conversion -fno-if-conversion2 -fno-move-loop-invariants -fno-forward-propagate -fno-cprop-registers -fno-dce \
                  -fno-shrink-wrap -fno-reorder-blocks -fno-compare-elim -fno-combine-stack-adjustments -fno-branch-count-reg -fno-split-wide-types

# Headers are read before the namespaces of the types begin. On the CPU an exercise calls memcpy() by that name, which the
# tools know; and two calls of a barrier stay two. CUDA's names are made when nogpu is built.
ex_headers := $(B)/exercises/headers.h
ex_cpu     := -idirafter $(N)/include -U_FORTIFY_SOURCE -fwrapv $(if $(findstring clang,$(CXX)),,-fno-crossjumping -fno-code-hoisting -fno-var-tracking \
                  $(ex_quick))
ex_flags   := $(if $(on_cpu),-Wno-error -include $(ex_headers) $(ex_cpu), \
                  -include hip/hip_runtime.h -include hip/hip_cooperative_groups.h -include common/verdict/extras.h)
# GCC takes the compiled one, by its name.
$(ex_headers): reduction_to_fix/checker/runner/headers.h $(B)/flags reduction_to_fix/exercises.mk | $(N)/include
	@mkdir -p $(@D) && cp $< $@
	$(if $(findstring clang,$(CXX)),,$(Q)$(CXX) $(kernel_flags) $(ex_cpu) -I. -x c++-header \
	    -MMD -MP -MF $(@:.h=.d) -MT $@ -c -o $@.$$$$ $< && mv $@.$$$$ $@.gch)
-include $(wildcard $(ex_headers:.h=.d))
# Compiled when the source differs from the one compiled last: SOURCE may be another file with an older date.
$(ex_work)/exercise.o: ex_instances := common/instances/instantiate.hip
$(ex_work)/few.o: ex_instances := reduction_to_fix/checker/runner/instances.hip
$(ex_work)/exercise.o $(ex_work)/few.o: FORCE $(B)/flags $(if $(on_cpu),$(ex_headers))
	@sh reduction_to_fix/compile.sh $@ $(ex_source) $(B)/flags '$(if $(Q),$(if $(silent),,$(kernel_word)))' $(compile_kernel) -I. \
	    $(ex_names) $(ex_only) -DVARIANT_SOURCE='"$(ex_source)"' $(ex_flags) -MMD -MF $(@:.o=.d) -c $(ex_instances)

# The judge is one for all exercises, and on the CPU so is all of a runner but the exercise, linked once. TRACE=1 builds a
# runner and a program whose every access is seen.
$(B)/exercises/judge: $(call objects,$(filter-out reduction_to_fix/checker/runner/%,$(wildcard reduction_to_fix/checker/*.c reduction_to_fix/checker/*/*.c))) $(B)/libcommon.a
	@mkdir -p $(@D)
	$(Q)$(link) -pthread
$(ex_work)/$(ex_name): $(ex_work)/exercise.o $(main) $(B)/libcommon.a
	$(Q)$(link) $(call of_variant,$(ex_name))

# On the CPU the runner sees what the host calls.
ex_runner := $(call objects,$(wildcard reduction_to_fix/checker/runner/*.c))
ex_wraps  := hip_cpu_run hipMalloc hipMallocAsync hipMallocFromPoolAsync hipMallocManaged \
                 hipFree hipFreeAsync hipHostMalloc hipHostFree hipMemcpy hipMemcpyAsync hipMemset hipMemsetAsync \
                 hipMemsetD8 hipMemsetD16 hipMemsetD32 hipMemsetD32Async \
                 hipStreamSynchronize hipStreamQuery hipStreamWaitEvent hipDeviceSynchronize \
                 hipEventSynchronize hipEventQuery hipStreamDestroy hipEventDestroy
ex_wrapped := $(if $(on_cpu),$(ex_wraps:%=-Wl$(comma)--wrap=%))
ex_rest   := $(if $(on_cpu),$(B)/exercises/rest.o,$(ex_runner) $(B)/libcommon.a)
$(B)/exercises/rest.o: $(ex_runner) $(B)/libcommon.a reduction_to_fix/exercises.mk
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib -o $@ $(ex_wrapped) $(ex_runner) -Wl,--whole-archive $(B)/libcommon.a $(platform_library) -Wl,--no-whole-archive
$(ex_work)/runner: $(ex_work)/$(if $(on_cpu),exercise,few).o $(ex_rest)
	$(Q)$(link) $(call of_variant,$(ex_name)) $(ex_wrapped)

exercise: $(ex_work)/$(ex_name)
	@mkdir -p $(O)$(dir $(ex_file)) && cp $< $(O)$(dir $(ex_file))$(ex_name)
	@sh tools/build/built.sh '' '$(INSIDE)' $(O)$(dir $(ex_file))$(ex_name)
exercise-judge: $(B)/exercises/judge
	@[ $(ex_work)/judge -ef $< ] || { mkdir -p $(ex_work) && ln -sf $(call quote,$(if $(filter /%,$<),,$(CURDIR)/)$<) $(ex_work)/judge; }
exercise-program: $(ex_work)/$(ex_name) $(if $(TRACE),$(N)/nogpu_report)
	@ln -sf $(<F) $(ex_work)/program$(if $(TRACE), && ln -sf $(abspath $(N))/nogpu_report $(ex_work))
exercise-runner: $(ex_work)/runner
exercise-gpu: | $(N)/include
	@[ -d $(ex_work) ] && [ -d $(B)/exercises ] || mkdir -p $(ex_work) $(B)/exercises; NAMES=$(N)/include PCH=$(B)/exercises/front_end.pch sh reduction_to_fix/front_end.sh $(ex_work)/gpu $(ex_source) $(ex_names)

# SOURCE alone, for the GPU that is named: whether its compiler takes it.
exercise-compiles: $(B)/flags
	@mkdir -p $(ex_work)
	$(Q)$(compile_kernel) $(ex_flags) -I. -o $(ex_work)/compiled.o -c $(SOURCE)
endif
