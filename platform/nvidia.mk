# NVIDIA: nvcc compiles the kernels, the C compiler everything else; platform/nvidia/hip has the HIP names.
platform_name := NVIDIA

# CUDA_HOME or CUDA_PATH come first, then the nvcc in PATH, then /usr/local/cuda.
cuda_given := $(firstword $(CUDA_HOME) $(CUDA_PATH) $(NVHPC_CUDA_HOME))
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(if $(cuda_given),$(wildcard $(cuda_given)/bin/nvcc)) \
                    $(call find_program,nvcc) $(wildcard /usr/local/cuda/bin/nvcc) nvcc)
endif
nvcc_path := $(call find_program,$(NVCC))
cuda_dir  := $(firstword $(patsubst %/include/cuda_runtime_api.h,%,$(wildcard \
                 $(addsuffix /include/cuda_runtime_api.h, \
                 $(cuda_given) $(patsubst %/bin/nvcc,%,$(realpath $(nvcc_path)) $(nvcc_path)) /usr))))
ifneq ($(nvcc_path),)
ifeq ($(cuda_dir),)
$(error GPU=$(GPU): cuda_runtime_api.h is not beside $(nvcc_path); set CUDA_HOME to the CUDA toolkit)
endif
endif

newest := $(lastword $(targets)) # target.sh sorts them

kernel_compiler := $(NVCC)
kernel_word     := CUDA
kernel_needs    := nvcc_path
kernel_missing  := nvcc is not there: install the CUDA toolkit (package cuda-toolkit of NVIDIA, \
                   nvidia-cuda-toolkit of Debian), or module load cuda, or set NVCC or CUDA_HOME
kernel_flags    := -x cu -std=c++17 -O3 -lineinfo -D__HIP_PLATFORM_NVIDIA__ -Iplatform/nvidia \
                   $(foreach sm,$(targets),-gencode arch=$(sm:sm_%=compute_%),code=$(sm)) \
                   -gencode arch=$(newest:sm_%=compute_%),code=$(newest:sm_%=compute_%) \
                   -Xcompiler -Wall,-Wextra $(if $(WERROR),-Werror all-warnings -Xcompiler -Werror) \
                   $(if $(filter default file,$(origin CXX)),,-ccbin $(lastword $(CXX))) $(NVCCFLAGS)

cuda_elsewhere := $(filter-out /usr,$(cuda_dir))

# Link the static runtime, so that programs built on a login node run on nodes that have only a driver.
platform_cppflags := -D__HIP_PLATFORM_NVIDIA__ -Iplatform/nvidia \
                     $(addprefix -isystem ,$(cuda_elsewhere:%=%/include))
platform_libs     := $(foreach dir,$(wildcard $(cuda_elsewhere:%=%/lib64)),-L$(dir)) -lcudart_static \
                     -ldl -lrt -pthread -lstdc++
