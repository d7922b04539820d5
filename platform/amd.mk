# SPDX-License-Identifier: MIT
# AMD: hipcc compiles the kernels; the C compiler, everything else.
large         := 256M
range         := 4K..1G
# Otherwise hipcc 5 uses nvcc if it finds CUDA.
export HIP_PLATFORM := amd

sdk := $(shell sh platform/find_sdk.sh hipcc include/hip/hip_runtime_api.h /opt/rocm '$(HIPCC)' '$(ROCM_PATH)')
ifeq ($(sdk),)
$(error $(meaning): $(or $(HIPCC),hipcc) not found: ./install-deps.sh amd (packages hipcc libamdhip64-dev \
    rocm-device-libs), or module load rocm, or set HIPCC or ROCM_PATH$(instead))
endif
rocm := $(filter-out - /usr,$(firstword $(sdk))) # compilers search /usr anyway

kernel_compiler := sh platform/amd/hipcc.sh $(wordlist 2,99,$(sdk))
kernel_word     := HIP
kernel_flags    := $(targets:%=--offload-arch=%) -std=c++17 -O3 -gline-tables-only -D__HIP_PLATFORM_AMD__ \
                   -Wall -Wextra $(if $(WERROR),-Werror) $(HIPFLAGS)

# Without tables of lines, which take a sixth of the time.
kernel_pic := -fPIC -fvisibility=hidden -g0

platform_cppflags := -D__HIP_PLATFORM_AMD__ -Iplatform/amd $(rocm:%=-isystem %/include)
platform_libs     := $(rocm:%=-L%/lib -Wl,-rpath,%/lib) -lamdhip64 -lstdc++

# If this small program does not compile, rocPRIM is not installed or does not support the target (6.4 lacks gfx950):
# the variants that include it are skipped.
library_probe := platform/amd/rocprim_probe.hip
library_name  := rocPRIM (package librocprim-dev)
