# SPDX-License-Identifier: MIT
# libreduction: the kernels of some variants behind functions in C. Included by the Makefile.
#
# Names that are not in libreduction.h are hidden: all objects are linked into one, in which these names become local.
library_version  = $(shell sed -n 's/^.define REDUCTION_VERSION "\(.*\)"$$/\1/p' common/version.h)
library_so       = libreduction.so.$(library_version)
# The soname has what calls depend on: 0.MINOR, and from 1.0 on MAJOR.
library_soname   = libreduction.so.$(if $(filter 0.%,$(library_version)),$(basename $(library_version)),$(firstword $(subst ., ,$(library_version))))
L               := $(B)/library

.PHONY: library
library: $(L)/libreduction.a $(L)/libreduction.so $(L)/fortran ## library | build libreduction, for C, Fortran and Python
	@echo "built $(L)/libreduction.a and .so for $(library_targets); install them: make install PREFIX=/usr/local"

# Position-independent; with its own hip_check(), which returns; without functions that only the harness calls, and
# optimized, so that no reference to them is left.
library_targets := $(if $(on_cpu),cpu,$(targets))
library_flags   := -DLIBRARY -Ilibrary
compile_pic      = $(compile_c) $(library_flags) -O2 -fPIC -fvisibility=hidden -DLIBRARY_TARGETS='"$(library_targets)"'
compile_pic_kernel = $(compile_kernel) $(library_flags) $(kernel_pic)

# Several functions are one compilation, because hipcc takes as long for HIP's headers as for some functions. PARTS=18: one each.
PARTS ?= 4
library_functions := $(addprefix functions_,$(wordlist 1,$(PARTS),0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19))
library_variants := single_pass magnitudes reproducible matrix segments softmax_rows keys ranks $(library_functions)
library_objects  := $(patsubst %,$(L)/%.o,$(library_variants) $(basename $(wildcard library/*.c) common/variant.c common/layout/matrix_of.c $(if $(on_cpu),$(nogpu_runtime))))

$(L)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(say) CC "$< (library)"
	$(Q)$(compile_pic) -c $< -o $@

# Kernels of single_pass wait for earlier ones, so their launches may overlap.
library_groups := $(library_functions:%=$(L)/%.o)
$(L)/single_pass.o $(L)/magnitudes.o $(L)/segments.o $(library_groups): library_flags += -DLAUNCHES_OVERLAP
$(L)/single_pass.o: library/kernels/variant.hip
$(L)/reproducible.o: library/kernels/sums.hip
$(L)/magnitudes.o: library/kernels/sums.hip
$(L)/magnitudes.o: library_flags += -DELEMENT='"kernels/magnitudes.h"'
$(L)/single_pass.o $(L)/magnitudes.o $(L)/reproducible.o: variant = $(patsubst magnitudes,single_pass,$*)
$(L)/single_pass.o $(L)/magnitudes.o $(L)/reproducible.o: $(L)/%.o: $(B)/flags
	@mkdir -p $(@D)
	$(say) $(kernel_word) "reduction_$(variant), for lr_$*"
	$(Q)$(compile_pic_kernel) -Ireduction_$(variant) -DVARIANT_NAME=lr_$* -DVARIANT_SOURCE='"$(variant).hip"' $(depends) \
	    -c library/kernels/$(if $(filter single_pass,$*),variant,sums).hip -o $@
$(L)/matrix.o: library_flags += -Ireduction_rows
$(L)/segments.o: library_flags += -Ireduction_segmented
$(L)/softmax_rows.o: library_flags += -Ireduction_softmax
$(library_groups:.o=.hip): $(L)/functions_%.hip: FORCE
	@mkdir -p $(@D)
	@ls library/functions/*.hip | awk 'NR % $(PARTS) == $* { print "#include \"" $$0 "\"" }' | sh tools/build/keep.sh $@
$(library_groups): $(L)/%.o: $(L)/%.hip $(B)/flags
	$(say) $(kernel_word) "library/functions: $$(sed -n 's,.*functions/\(.*\).hip.*,\1,p' $< | tr '\n' ' ')"
	$(Q)$(compile_pic_kernel) $(depends) -c $< -o $@
$(L)/matrix.o $(L)/segments.o $(L)/softmax_rows.o $(L)/keys.o $(L)/ranks.o: $(L)/%.o: library/kernels/%.hip $(B)/flags
	@mkdir -p $(@D)
	$(say) $(kernel_word) $<
	$(Q)$(compile_pic_kernel) $(depends) -c $< -o $@

$(L)/joined.o: $(library_objects)
	$(Q)$(CC) -r -nostdlib -o $@ $^
	$(Q)$(OBJCOPY) --localize-hidden --wildcard --keep-global-symbol='lr_*' $@

$(L)/libreduction.a: $(L)/joined.o
	$(say) AR $(@F)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(L)/libreduction.so: $(L)/joined.o library/package/symbols.map
	$(say) LINK $(@F)
	$(Q)$(CC) $(ldflags) -shared -Wl,-soname,$(library_soname) -Wl,--exclude-libs,ALL -Wl,--version-script=library/package/symbols.map $(if $(san),,-Wl,-z,defs) -o $(L)/$(library_so) $< $(filter-out $(platform_library),$(libs))
	@ln -sf $(library_so) $(L)/$(library_soname)
	@ln -sf $(library_soname) $@

# Where make install puts it; DESTDIR is for packagers.
PREFIX ?= /usr/local
$(L)/fortran: library/package/fortran.c $(H)/cflags
	@mkdir -p $(@D)
	$(Q)$(CC) $(cflags) $(ldflags) -o $@ $<
.PHONY: install
install: $(L)/fortran $(L)/libreduction.a $(L)/libreduction.so ## library | install libreduction; PREFIX=/usr/local DESTDIR=
	@sh library/package/install.sh $(L) $(call quote,$(DESTDIR)$(PREFIX:~/%=$(HOME)/%)) $(library_version) '$(library_targets)' $(call quote,$(strip $(filter-out $(platform_library),$(libs))))

# The same over MPI ranks, as a separate library; its compiler is MPICC, as for reduction_multi_gpu.
.PHONY: library-mpi install-mpi
library-mpi: $(L)/libreduction_mpi.so ## library | build libreduction_mpi, for arrays over all ranks of MPI
$(L)/libreduction_mpi.so: library/mpi/mpi.c library/mpi/libreduction_mpi.h library/libreduction.h $(L)/libreduction.so \
        $(B)/reduction_multi_gpu/mpicc
	@$(if $(MPICC),:,echo 'libreduction_mpi needs $(or $(no_mpicc),mpicc): ./install-deps.sh mpi, or name the compiler of MPI: make library-mpi MPICC=cc' >&2; exit 2)
	$(say) MPICC $(@F)
	$(Q)$(MPICC) $(filter-out -fsanitize=% -fno-omit-frame-pointer,$(cflags)) -Ilibrary -fPIC -fvisibility=hidden -shared \
	    -Wl,-soname,$(subst reduction,reduction_mpi,$(library_soname)) -o $@ $< -L$(L) -lreduction -lm
install-mpi: library-mpi install ## library | install libreduction and libreduction_mpi; PREFIX=/usr/local DESTDIR=
	@sh library/package/install.sh $(L) $(call quote,$(DESTDIR)$(PREFIX:~/%=$(HOME)/%)) $(library_version) '$(library_targets)' $(call quote,$(strip $(filter-out $(platform_library),$(libs)))) mpi

# The tests link the same objects, but with the programs' HIP runtime.
library_core := $(filter-out $(L)/platform/%,$(library_objects))
$(patsubst %.c,$(B)/tests/%,$(notdir $(wildcard library/tests/test_*.c))): $(library_core)

# Comparison with the vendor's library, on a GPU that has one.
.PHONY: library-speed
library-speed: $(L)/library-speed ## library | build a program that measures libreduction's small sums, on a GPU
	@echo "built $<: run it there"
speed_core := $(library_core) $(B)/reduction_single_pass/reduction_single_pass.o $(B)/reduction_prim/reduction_prim.o $(B)/libcommon.a
$(L)/library-speed: $(B)/library/speed/speed.o $(speed_core)
	$(say) LINK $(@F)
	$(Q)$(link)
$(B)/library/speed/%.o: library/speed/%.c $(B)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(compile_c) -c $< -o $@
$(B)/tests/test_library_devices_cpu: private ldflags += -Wl,--wrap=hipGetDevice,--wrap=hipSetDevice,--wrap=hipDeviceGetAttribute,--wrap=hipPointerGetAttributes,--wrap=hipMalloc,--wrap=hipHostMalloc
