# SPDX-License-Identifier: MIT
# NVIDIA: nvcc compiles the kernels; the C compiler, everything else; platform/nvidia/hip defines HIP's names.
large         := 256M
range         := 4K..1G

sdk := $(shell sh platform/find_sdk.sh nvcc include/cuda_runtime_api.h /usr/local/cuda '$(NVCC)' '$(CUDA_HOME)')
ifeq ($(sdk),)
$(error $(meaning): $(or $(NVCC),nvcc) not found: install the CUDA toolkit (package cuda-toolkit of NVIDIA, \
    nvidia-cuda-toolkit of Debian), or module load cuda, or set NVCC or CUDA_HOME$(instead))
endif
ifeq ($(firstword $(sdk)),-)
$(error $(meaning): no cuda_runtime_api.h beside $(wordlist 2,99,$(sdk)): set CUDA_HOME to the CUDA toolkit)
endif
cuda := $(filter-out /usr,$(firstword $(sdk))) # compilers search /usr anyway

# Machine code for each target, and PTX of the newest one for later GPUs.
newest := $(patsubst sm_%,compute_%,$(lastword $(targets)))

kernel_compiler := $(wordlist 2,99,$(sdk))
kernel_word     := CUDA
kernel_flags    := -x cu -std=c++17 $(if $(filter -O%,$(NVCCFLAGS)),,-O3) -lineinfo -D__HIP_PLATFORM_NVIDIA__ -Iplatform/nvidia \
                   $(foreach sm,$(targets),-gencode arch=$(sm:sm_%=compute_%),code=$(sm)) \
                   -gencode arch=$(newest),code=$(newest) \
                   -Xcompiler -Wall,-Wextra $(if $(WERROR),-Werror all-warnings -Xcompiler -Werror) \
                   $(addprefix -ccbin ,$(filter-out c++,$(lastword $(filter-out -%,$(CXX))))) $(NVCCFLAGS)

kernel_pic := -Xcompiler -fPIC,-fvisibility=hidden

# The static runtime: programs built on a login node run on nodes that have only a driver.
platform_cppflags := -D__HIP_PLATFORM_NVIDIA__ -Iplatform/nvidia $(cuda:%=-isystem %/include)
platform_libs     := $(cuda:%=-L%/lib64) -lcudart_static -ldl -lrt -pthread -lstdc++
