# The exercises and their checker. Included by the Makefile; `make` inside reduction_to_fix is the way in.
#
#   EX=3                  exercise 3; else 1
#   SOURCE=FILE WORK=DIR  another file in its place, built there (tests, make grade)
#
# The checker that decides is that of the CPU platform, also where there is a GPU; on a GPU it runs again.

ex         := $(or $(EX),1)
ex_field    = $(shell awk -F'|' '!/^\#/ && $$1 + 0 == "$(ex)" + 0 { print $$$1; exit }' reduction_to_fix/exercises.txt)
ex_goals   := exercise exercise-checker exercise-traced exercise-compiles
ifneq ($(filter $(ex_goals),$(builds)),)

ex_folder  := $(call ex_field,2)
ifeq ($(ex_folder),)
$(error EX=$(EX): give the number of an exercise; make list in reduction_to_fix shows them)
endif
ex_file    := $(call ex_field,3)
ex_name    := reduction_$(basename $(ex_file))
ex_source  := $(or $(SOURCE),reduction_to_fix/$(if $(filter-out .,$(ex_folder)),$(ex_folder)/)$(ex_file))
ex_work    := $(or $(WORK),$(B)/exercises/$(ex))
ex_compile  = $1 -I. -DVARIANT_NAME=$(ex_name) -DVARIANT_SOURCE='"$(ex_source)"'
ex_checker := $(call objects,$(filter-out %/variant.c,$(wildcard reduction_to_fix/checker/*.c)))

# What the checker sees of the host and delays on the device; platform/cpu alone.
ex_wraps   := $(if $(filter cpu,$(platform)),$(addprefix -Wl$(comma)--wrap=,hip_cpu_run hipMemcpy hipMemcpyAsync \
    hipMemset hipMemsetAsync hipStreamSynchronize hipStreamQuery hipDeviceSynchronize hipEventSynchronize))

$(ex_checker): cppflags += -I.

# Compiled whenever the source differs from the one compiled last: SOURCE may be another file with an older date.
$(ex_work)/exercise.o: ex_instances := common/instantiate.hip
$(ex_work)/few.o: ex_instances := reduction_to_fix/checker/instances.hip
$(ex_work)/exercise.o $(ex_work)/few.o: FORCE $(B)/flags $(B)/openmp | $(ex_work)
	@test -s $@ && test $@ -nt $(B)/flags && cmp -s $(ex_source) $(@:.o=.hip) && \
	    test -z "$$(find common platform -name '*.h' -newer $@ | head -n 1)" || { \
	    $(if $(Q),printf '  %-5s %s\n' $(kernel_word) $(ex_source);) cp $(ex_source) $(@:.o=.hip) && \
	    sh tools/build/compile_variant.sh $@ '' $(call ex_compile,$(compile_kernel)) -c $(ex_instances); }

$(ex_work):
	@mkdir -p $@

# The two C files that name the exercise.
$(ex_work)/main.o: common/main.c
$(ex_work)/variant.o: reduction_to_fix/checker/variant.c
$(ex_work)/main.o $(ex_work)/variant.o: $(B)/flags $(B)/openmp | $(ex_work)
	$(Q)$(compile_c) -DVARIANT_NAME=$(ex_name) -c $(filter %.c,$^) -o $@

$(ex_work)/$(ex_name): $(ex_work)/exercise.o $(ex_work)/main.o $(B)/libcommon.a
	$(Q)$(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs)

$(ex_work)/checker: $(ex_work)/$(if $(ex_wraps),exercise,few).o $(ex_work)/variant.o $(ex_checker) $(B)/libcommon.a
	$(Q)$(CC) $(ldflags) @$(B)/openmp -o $@ $(ex_wraps) $^ $(libs)

# The same source once more, so that every access is seen: $(B) is the folder of TRACE=1 here.
$(ex_work)/traced: $(ex_work)/exercise.o $(ex_work)/main.o $(B)/libcommon.a
	$(Q)$(CC) $(ldflags) @$(B)/openmp -o $@ $^ $(libs)

.PHONY: $(ex_goals)
exercise: $(ex_work)/$(ex_name)
	@mkdir -p $(O)reduction_to_fix/$(ex_folder) && cp $< $(O)reduction_to_fix/$(ex_folder)/$(ex_name)
exercise-checker: $(ex_work)/checker
exercise-traced: $(ex_work)/traced

# SOURCE alone, for the GPU that is named: whether its compiler takes it.
exercise-compiles: | $(B)/flags $(B)/openmp $(ex_work)
	$(Q)$(compile_kernel) -I. -o $(ex_work)/compiled.o -c $(SOURCE)

endif # ex_goals

ex_out := $(if $(filter-out . ./,$(OUT)),$(patsubst ~/%,$(HOME)/%,$(OUT:%/=%))/)
.PHONY: exercise-check exercise-hint exercise-list exercise-watch exercise-explain grade
exercise-check exercise-hint exercise-list exercise-watch exercise-explain:
	@export MAKE='$(MAKE)' BUILT='$(ex_out)'; exec sh reduction_to_fix/exercise.sh $(@:exercise-%=%) $(ex)

grade: ## check the exercises of one attendee or of a folder of them; DIR=submissions
	@export MAKE='$(MAKE)' BUILT='$(ex_out)'; exec sh reduction_to_fix/grade.sh '$(DIR)'
