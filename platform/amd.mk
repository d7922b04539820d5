# AMD: hipcc compiles the kernels, the C compiler everything else.
platform_name := AMD
# hipcc 5 uses nvcc if it finds CUDA, unless told otherwise.
export HIP_PLATFORM := amd

# ROCM_PATH comes first, then the hipcc in PATH, then /opt/rocm. In Debian, hipcc and the headers are in /usr.
ifeq ($(origin HIPCC),undefined)
HIPCC := $(firstword $(if $(ROCM_PATH),$(wildcard $(ROCM_PATH)/bin/hipcc)) \
                     $(call find_program,hipcc) $(wildcard /opt/rocm/bin/hipcc) hipcc)
endif
hipcc_path := $(call find_program,$(HIPCC))
ROCM_PATH  ?= $(firstword $(patsubst %/include/hip/hip_runtime_api.h,%,$(wildcard \
                  $(addsuffix /include/hip/hip_runtime_api.h, \
                  $(patsubst %/bin/hipcc,%,$(hipcc_path) $(realpath $(hipcc_path))) /opt/rocm /usr))))

kernel_compiler := $(HIPCC)
kernel_word     := HIP
kernel_needs    := hipcc_path
kernel_missing  := hipcc is not there: ./install-deps.sh amd (packages hipcc libamdhip64-dev \
                   rocm-device-libs), or module load rocm, or set HIPCC or ROCM_PATH
kernel_flags    := $(addprefix --offload-arch=,$(targets)) -std=c++17 -O3 -gline-tables-only -D__HIP_PLATFORM_AMD__ \
                   -Wall -Wextra $(if $(WERROR),-Werror) $(HIPFLAGS)

# /usr is searched anyway; naming it again would change the order.
rocm_elsewhere := $(filter-out /usr,$(ROCM_PATH))

platform_cppflags := -D__HIP_PLATFORM_AMD__ -Iplatform/amd $(addprefix -isystem ,$(rocm_elsewhere:%=%/include))
platform_libs     := $(foreach dir,$(rocm_elsewhere:%=%/lib),-L$(dir) -Wl,-rpath,$(dir)) -lamdhip64 \
                     -lstdc++

# Variants that include rocPRIM need it. Where rocPRIM itself does not compile for a target (6.4 for
# gfx950), or is not installed, this small program shows it and those variants are skipped.
library_probe := platform/amd/rocprim_probe.hip
library_name  := rocPRIM (package librocprim-dev)
