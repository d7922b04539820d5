# SPDX-License-Identifier: MIT
# reduction_multi_gpu: a program of C files, its own kernels, and those of other variants. Processes of MPI need a
# module that the compiler of MPI makes; without one, everything else is built.
#
#   MPICC=cc   the compiler of MPI: mpicc, or that of a Cray (cc); MPICC= builds without MPI
multi      := reduction_multi_gpu
multi_c    := $(filter-out %/mpi.c,$(wildcard $(multi)/*.c $(multi)/*/*.c))
# Those who build one variant or an exercise need not look for it: each process costs a millisecond of every make.
find_program = $(if $(filter $(multi),$(VARIANTS)),$(if $(filter-out exercise% counted,$(builds)),$(shell command -v $1 2>/dev/null)))
ifeq ($(origin MPICC),undefined)
MPICC := $(call find_program,mpicc)
ifeq ($(MPICC),)
MPICC := $(if $(CRAY_MPICH_DIR)$(MPICH_DIR),$(call find_program,cc))
endif
else ifeq ($(call find_program,$(firstword $(MPICC))),)
no_mpicc := $(MPICC)
override MPICC :=
endif
# A name that does not compile for MPI: no module is loaded.
ifneq ($(if $(builds),$(MPICC)),)
ifeq ($(shell printf '\043include <mpi.h>\n' | $(MPICC) -E -x c - >/dev/null 2>&1 && echo there),)
no_mpicc := mpi.h for $(MPICC)
override MPICC :=
endif
endif

# prim has no object where the vendor's library does not compile.
engines    := reduction_single_pass reduction_reproducible reduction_prim
link_multi  = $(CC) $(ldflags) @$(H)/openmp -o $@ $$(ls -U $(filter %.o %.a,$^) 2>/dev/null) $(libs) -ldl -pthread

$(B)/$(multi)/$(multi): $(B)/$(multi)/$(multi).o $(call objects,$(multi_c)) $(foreach v,$(engines),$(B)/$v/$v.o) $(B)/libcommon.a \
        $(B)/$(multi)/mpicc $(if $(MPICC),$(B)/$(multi)/multi_gpu_mpi.so)
	$(say) LINK $(@F)
	$(Q)$(link_multi)
	@$(if $(MPICC),,rm -f $(O)$(multi)/multi_gpu_mpi.so; echo '  NOTE  $(multi): no $(or $(no_mpicc),mpicc), so its ranks are threads of one process; with MPI:' \
	    './install-deps.sh mpi, or name its compiler, MPICC=cc')

# For race, with few types and operations (platform/cpu/trace.mk).
$(filter %/$(multi),$(alone)): %/$(multi): %/$(multi).o $(engines:%=\%/%.o) $(call objects,$(multi_c)) $(B)/libcommon.a
	$(say) LINK "$(@F), traced"
	$(Q)$(link_multi)

# Another compiler is another MPI.
$(B)/$(multi)/mpicc: FORCE | $(B)/flags
	@mkdir -p $(@D)
	@echo '$(MPICC)' | sh tools/build/keep.sh $@

$(B)/$(multi)/multi_gpu_mpi.so: $(multi)/ranks/mpi.c $(multi)/ranks/ranks.h $(B)/flags $(B)/$(multi)/mpicc
	$(say) MPICC $(@F)
	$(Q)$(MPICC) -D_GNU_SOURCE -Icommon $(filter-out -fsanitize=% -fno-omit-frame-pointer,$(cflags)) -fPIC -shared -o $@ $<

# Beside the program, where it looks for it.
ifneq ($(MPICC),)
$(O)$(multi)/$(multi): $(O)$(multi)/multi_gpu_mpi.so
$(O)$(multi)/multi_gpu_mpi.so: $(B)/$(multi)/multi_gpu_mpi.so FORCE
	@cmp -s $< $@ || { mkdir -p $(@D) && cp $< $@; }
endif

# A sweep over numbers of ranks. MPIRUN=srun starts processes; else ranks are threads.
.PHONY: scaling
scaling: $(multi) ## measure | strong and weak scaling over GPUs; RANKS=1,2,4 SIZE=4K..1G TYPE=float MPIRUN=srun CSV=new.csv OPTIONS=--share
	$(need_python)
	@MPIRUN=$(call quote,$(MPIRUN)) LAUNCH=$(call quote,$(LAUNCH)) $(PYTHON) bench/scaling/scaling.py $(out)/$(multi)/$(multi) '$(or $(CSV),results/scaling.csv)' \
	    '$(or $(SIZE),$(range))' '$(or $(RANKS),1$(comma)2$(comma)4$(comma)8)' \
	    $(TYPE:%=--type=%) $(OP:%=--op=%) $(ITERATIONS:%=--iterations=%) $(OPTIONS)

