/* What the CPU platform has not: a row for each construct, and what to do instead. The compiler drivers, the headers and the
 * runtime take their messages from here; nogpu/headers.txt has a line for headers that are refused. C and C++.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_REFUSED_H
#define HIP_CPU_REFUSED_H

#define HIP_CPU_HAS_NO    "the CPU platform has no "
#define HIP_CPU_ELSEWHERE "build for a GPU, or leave this part of the program out"

// clang-format off

/* Types: whoever names one reads "the CPU platform has no textures: ...". */
#define HIP_CPU_REFUSED_TYPES(row)                               \
    row(hipMipmappedArray_t,    "mipmaps")                      \
    row(hipModule_t,            "modules")                       \
    row(hipFunction_t,          "modules")                       \
    row(hipCtx_t,               "driver interface (contexts)")   \
    row(hipIpcMemHandle_t,      "memory of other processes (IPC)") \
    row(hipIpcEventHandle_t,    "events of other processes (IPC)") \
    row(hipGraphicsResource_t,  "graphics interop")              \
    row(hipExternalMemory_t,    "graphics interop")              \
    row(hipExternalSemaphore_t, "graphics interop")
/* In programs with CUDA's headers. */
#define HIP_CPU_REFUSED_CUDA_TYPES(row)                          \
    row(cudaMipmappedArray_t,    "mipmaps")                      \
    row(CUmemAllocationProp,     "driver interface of CUDA (cu...)") \
    row(cudaIpcMemHandle_t,      "memory of other processes (IPC)") \
    row(cudaIpcEventHandle_t,    "events of other processes (IPC)") \
    row(cudaExternalMemory_t,    "graphics interop")             \
    row(cudaExternalSemaphore_t, "graphics interop")             \
    row(cudaGraphicsResource_t,  "graphics interop")

/* Functions of CUDA's driver interface, whose types headers name. */
#define HIP_CPU_DRIVER_FUNCTIONS(row)                                                                                \
    row(cuInit) row(cuDriverGetVersion) row(cuGetErrorName) row(cuGetErrorString) row(cuDeviceGet)                   \
    row(cuDeviceGetCount) row(cuDeviceGetName) row(cuDeviceGetAttribute) row(cuDevicePrimaryCtxRetain)               \
    row(cuDevicePrimaryCtxRelease) row(cuCtxCreate) row(cuCtxDestroy) row(cuCtxGetCurrent) row(cuCtxSetCurrent)      \
    row(cuCtxSynchronize) row(cuCtxPushCurrent) row(cuCtxPopCurrent) row(cuModuleLoad) row(cuModuleLoadData)         \
    row(cuModuleLoadDataEx) row(cuModuleGetFunction) row(cuModuleGetGlobal) row(cuModuleUnload) row(cuLaunchKernel)  \
    row(cuMemAlloc) row(cuMemFree) row(cuMemGetInfo) row(cuMemcpyHtoD) row(cuMemcpyDtoH) row(cuMemCreate)            \
    row(cuPointerGetAttribute) row(cuStreamSynchronize) row(cuFuncSetAttribute) row(cuTensorMapEncodeTiled)

/* What the translator finds: it writes HIP_CPU_NO_... there (language.h). */
#define HIP_CPU_TEXT_ASSEMBLY HIP_CPU_HAS_NO "inline assembly of GPUs: write this line in C, or build for a GPU"
#define HIP_CPU_TEXT_MEMBER   HIP_CPU_HAS_NO "kernels that are members: make it static, or a function outside of the class"
#define HIP_CPU_TEXT_LAUNCH   "HIP has no launches from kernels: launch this one from the host"

/* What a compiler's error line tells: the words that it has both, and what is said in its place. */
#define HIP_CPU_REFUSED_ERRORS(row)                                                                              \
    row("constant", "warpSize",             HIP_CPU_HAS_NO "warpSize that is a constant: compile with -DHIP_CPU_WARP_SIZE=64")

/* Functions of GPUs' compilers that nobody has declared: what their names begin with. */
#define HIP_CPU_REFUSED_FUNCTIONS(row)                                           \
    row("__builtin_amdgcn_", "instruction", "write this line in HIP or CUDA")    \
    row("__ockl_",           "instruction", "write this line in HIP or CUDA")    \
    row("__ocml_",           "instruction", "write this line in HIP or CUDA")    \
    row("__nvvm_",           "instruction", "write this line in HIP or CUDA")    \
    row("cudaGraph",         "graph call",  HIP_CPU_ELSEWHERE)                   \
    row("hipGraph",          "graph call",  HIP_CPU_ELSEWHERE)

/* Options of hipcc and nvcc; * is any text. */
#define HIP_CPU_REFUSED_OPTIONS(row)                                                 \
    row("--genco",               "there is no code for a GPU here: build for one")   \
    row("-ptx",                  "there is no code for a GPU here: build for one")   \
    row("-cubin",                "there is no code for a GPU here: build for one")   \
    row("-fatbin",               "there is no code for a GPU here: build for one")   \
    row("-optix*",               "there is no code for a GPU here: build for one")   \
    row("-ltoir",                "there is no code for a GPU here: build for one")   \
    row("--cuda-device-only",    "there is no code for a GPU here: build for one")   \
    row("-emit-llvm",            "there is no code for a GPU here: build for one")   \
    row("--offload-device-only", "there is no code for a GPU here: build for one")   \
    row("-fsanitize=memory*",    "its runtime does not know what kernels write: nogpu memory, or valgrind") \
    row("-fsanitize=thread*",    "its runtime takes threads of a block for one: nogpu race")               \
    row("-run",                  "build the program, and run it")                    \
    row("-clean",                "remove what was built by hand")                    \
    row("-clean-targets",        "remove what was built by hand")

// clang-format on

#endif
