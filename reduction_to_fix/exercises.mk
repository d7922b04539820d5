# SPDX-License-Identifier: MIT
# The exercises and their checker. Included by the Makefile; `make` inside reduction_to_fix is the way in.
#
#   EX=3                  exercise 3; else 1
#   STATUS=FILE           the exit code goes there: the make that called this one fails, and says so once
#   SOURCE=FILE WORK=DIR  another file in its place, built there (tests, make grade)
#
# The checker that decides is that of the CPU platform, also where there is a GPU; on a GPU it runs again.
ex := $(or $(EX),1)

# What the scripts do: they build what they need.
.PHONY: exercise-check exercise-hint exercise-list exercise-watch exercise-explain exercise-race grade
exercise-check exercise-hint exercise-list exercise-explain exercise-race:
	@$(calls_make) BUILT='$(O)' STATUS=$(call quote,$(STATUS)) sh reduction_to_fix/exercise.sh $(@:exercise-%=%) $(call quote,$(ex))
exercise-watch:
	@$(calls_make) BUILT='$(O)' SOURCE=$(call quote,$(SOURCE)) sh reduction_to_fix/watch.sh $(call quote,$(ex))
grade: ## check the exercises of one attendee or of a folder of them; DIR=submissions GRADE_JOBS=8 SAMPLE=1
	$(need_python)
	@$(calls_make) BUILT='$(O)' $(PYTHON) reduction_to_fix/grade.py $(if $(filter no,$(SANDBOX)),--no-sandbox) $(if $(SAMPLE),--sample) \
	    $(GRADE_JOBS:%=--jobs=%) -- $(call quote,$(DIR))

ex_goals := exercise exercise-judge exercise-runner exercise-program exercise-commands \
    exercise-compiles exercise-macros
.PHONY: $(ex_goals)
ifneq ($(filter $(ex_goals),$(MAKECMDGOALS)),)
ex_fields := $(shell awk -F'|' -v ex=$(call quote,$(ex)) '!/^\#/ && $$1 + 0 == ex + 0 { print $$2, $$3 }' reduction_to_fix/exercises.txt)
hip_header := # exercises have a compiled header of their own
ifeq ($(ex_fields),)
$(error EX=$(EX): give the number of an exercise; make list in reduction_to_fix shows them)
endif
ex_folder := reduction_to_fix/$(filter-out .,$(firstword $(ex_fields)))
ex_name   := reduction_$(basename $(lastword $(ex_fields)))
ex_source := $(or $(SOURCE),$(ex_folder:%/=%)/$(lastword $(ex_fields)))
ex_work   := $(or $(WORK),$(B)/exercises/$(ex))
# For those that are no reduction --op has no effect: a third of the instances does.
ex_names  := -DVARIANT_NAME=$(ex_name) $(if $(filter 21 22,$(ex)),-DHAS_OWN_OPERATION)

# Headers are read before the namespaces of the types begin; on the CPU an exercise cannot see that it is traced; it calls
# memcpy() by that name, which the tools know; and two calls of a barrier stay two.
ex_headers := $(B)/exercises/headers.h
ex_cpu     := -U__SANITIZE_THREAD__ -U_FORTIFY_SOURCE -fwrapv $(if $(findstring clang,$(CXX)),,-fno-crossjumping -fno-code-hoisting -fno-var-tracking)
ex_flags   := $(if $(on_cpu),-Wno-error -include $(ex_headers) -include reduction_to_fix/checker/runner/prelude.h $(ex_cpu), \
                  -include hip/hip_runtime.h -include hip/hip_cooperative_groups.h -include common/verdict/extras.h)
# GCC takes the compiled one, by its name.
$(ex_headers): reduction_to_fix/checker/runner/headers.h $(B)/flags reduction_to_fix/exercises.mk
	@mkdir -p $(@D) && cp $< $@
	$(if $(findstring clang,$(CXX)),,$(Q)$(CXX) $(kernel_flags) $(ex_cpu) -I. -x c++-header \
	    -MMD -MP -MF $(@:.h=.d) -MT $@ -c -o $@.$$$$ $< && mv $@.$$$$ $@.gch)
-include $(wildcard $(ex_headers:.h=.d))
# All macros that an exercise can see.
exercise-macros: $(B)/exercises/macros
$(B)/exercises/macros: $(ex_headers) reduction_to_fix/checker/runner/prelude.h
	$(Q)$(CXX) $(kernel_flags) $(ex_flags) -I. -x c++ -dM -E /dev/null | sort >$@

# Compiled when the source differs from the one compiled last: SOURCE may be another file with an older date.
$(ex_work)/exercise.o: ex_instances := common/instantiate.hip
$(ex_work)/few.o: ex_instances := reduction_to_fix/checker/runner/instances.hip
$(ex_work)/exercise.o $(ex_work)/few.o: FORCE $(B)/flags $(if $(on_cpu),$(ex_headers))
	@sh reduction_to_fix/compile.sh $@ $(ex_source) $(B)/flags '$(if $(Q),$(kernel_word))' $(compile_kernel) -I. \
	    $(ex_names) -DVARIANT_SOURCE='"$(ex_source)"' $(ex_flags) -MMD -MF $(@:.o=.d) -c $(ex_instances)

# The judge is one for all exercises, and on the CPU so is all of a runner but the exercise, linked once. TRACE=1 builds a
# runner and a program whose every access is seen.
$(B)/exercises/judge: $(call objects,$(filter-out reduction_to_fix/checker/runner/%,$(wildcard reduction_to_fix/checker/*.c reduction_to_fix/checker/*/*.c))) $(B)/libcommon.a
	@mkdir -p $(@D)
	$(Q)$(link) -pthread
$(ex_work)/$(ex_name): $(ex_work)/exercise.o $(main) $(B)/libcommon.a
	$(Q)$(link) $(call of_variant,$(ex_name))

# On the CPU the runner sees what the host calls.
ex_runner := $(call objects,$(filter-out %/first.c %/last.c,$(wildcard reduction_to_fix/checker/runner/*.c)))
ex_first  := $(call objects,reduction_to_fix/checker/runner/first.c)
ex_last   := $(call objects,reduction_to_fix/checker/runner/last.c)
ex_wraps  := hip_cpu_run hipMalloc hipFree hipFreeAsync hipHostMalloc hipHostFree hipMemcpy hipMemcpyAsync hipMemset hipMemsetAsync \
                 hipMemsetD8 hipMemsetD16 hipMemsetD32 hipMemsetD32Async \
                 hipStreamSynchronize hipStreamQuery hipStreamWaitEvent hipDeviceSynchronize \
                 hipEventSynchronize hipEventQuery hipStreamDestroy hipEventDestroy \
                 hipGetDeviceProperties hipDeviceGetAttribute
ex_wrapped := $(if $(on_cpu),$(ex_wraps:%=-Wl$(comma)--wrap=%))
ex_rest   := $(if $(on_cpu),$(B)/exercises/rest.o,$(ex_runner) $(B)/libcommon.a)
$(B)/exercises/rest.o: $(ex_runner) $(B)/libcommon.a reduction_to_fix/exercises.mk
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib -o $@ $(ex_wrapped) $(ex_runner) -Wl,--whole-archive $(B)/libcommon.a $(platform_library) -Wl,--no-whole-archive
$(ex_work)/runner: $(ex_first) $(ex_work)/$(if $(on_cpu),exercise,few).o $(ex_last) $(ex_rest)
	$(Q)$(link) $(call of_variant,$(ex_name)) $(ex_wrapped)
$(ex_work)/symbols: $(ex_work)/runner $(B)/exercises/macros reduction_to_fix/symbols.sh reduction_to_fix/host_functions.awk
	@sh reduction_to_fix/symbols.sh $(ex_work)/exercise $(ex_source) $(B)/exercises/macros >$@

exercise: $(ex_work)/$(ex_name)
	@mkdir -p $(O)$(ex_folder) && cp $< $(O)$(ex_folder:%/=%)/$(ex_name)
	@sh tools/build/built.sh '' '$(INSIDE)' $(O)$(ex_folder:%/=%)/$(ex_name)
exercise-judge: $(B)/exercises/judge
	@mkdir -p $(ex_work) && ln -sf $(call quote,$(if $(filter /%,$<),,$(CURDIR)/)$<) $(ex_work)/judge
exercise-program: $(ex_work)/$(ex_name)
	@ln -sf $(<F) $(ex_work)/program
exercise-runner: $(ex_work)/runner $(if $(on_cpu),$(ex_work)/symbols)

# For make grade: all that is built once, and how a submission is compiled and linked where nothing else may be written: as
# a runner (TRACE=1), and as a program.
exercise-commands: $(if $(TRACE),$(ex_first) $(ex_last) $(ex_rest) $(B)/exercises/macros,$(main) $(B)/libcommon.a) $(ex_headers)
	@mkdir -p $(ex_work) && printf '%s\n' $(call quote,kernel() { sh tools/build/compile_variant.sh "$$1.o" "" $(compile_kernel) -I. $(ex_flags) \
	    $(ex_names) -DVARIANT_SOURCE="\"$$2\"" -MMD -MF "$$1.d" -c common/instantiate.hip; }) \
	    'runner() { $(CC) $(ldflags) @$(H)/openmp -o "$$2" $(ex_first) "$$1" $(ex_last) $(ex_rest) \
	    $(libs) $(call of_variant,$(ex_name)) $(ex_wrapped); }' \
	    'program() { $(CC) $(ldflags) @$(H)/openmp -o "$$2" "$$1" $(main) $(B)/libcommon.a $(libs) $(call of_variant,$(ex_name)); }' macros=$(B)/exercises/macros >$(ex_work)/commands

# SOURCE alone, for the GPU that is named: whether its compiler takes it.
exercise-compiles: $(B)/flags
	@mkdir -p $(ex_work)
	$(Q)$(compile_kernel) $(ex_flags) -I. -o $(ex_work)/compiled.o -c $(SOURCE)
endif
