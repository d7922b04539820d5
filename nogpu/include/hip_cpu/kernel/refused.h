/* What this platform has not, so that the compiler says which: textures and surfaces, modules, the driver interface.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_REFUSED_H
#define HIP_CPU_REFUSED_H

#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define HIP_CPU_REFUSED(name, what)                                                                \
    typedef struct hip_cpu_no_##name *name                                                         \
        __attribute__((unavailable("the CPU platform has no " what                                 \
                                   ": build for a GPU, or leave this part of the program out")));
HIP_CPU_REFUSED(hipTextureObject_t, "textures")
HIP_CPU_REFUSED(textureReference, "textures")
HIP_CPU_REFUSED(hipArray_t, "textures")
HIP_CPU_REFUSED(hipArray, "textures")
HIP_CPU_REFUSED(hipChannelFormatDesc, "textures")
HIP_CPU_REFUSED(hipMipmappedArray_t, "textures")
HIP_CPU_REFUSED(hipSurfaceObject_t, "surfaces")
HIP_CPU_REFUSED(hipModule_t, "modules")
HIP_CPU_REFUSED(hipFunction_t, "modules")
HIP_CPU_REFUSED(hipCtx_t, "driver interface (contexts)")
HIP_CPU_REFUSED(hipIpcMemHandle_t, "memory of other processes (IPC)")
HIP_CPU_REFUSED(hipIpcEventHandle_t, "events of other processes (IPC)")
HIP_CPU_REFUSED(hipGraphicsResource_t, "graphics interop")
HIP_CPU_REFUSED(hipExternalMemory_t, "graphics interop")
HIP_CPU_REFUSED(hipExternalSemaphore_t, "graphics interop")
#if defined(__CUDACC__) || defined(HIP_CPU_CUDA_H)
HIP_CPU_REFUSED(cudaTextureObject_t, "textures")
HIP_CPU_REFUSED(cudaArray_t, "textures")
HIP_CPU_REFUSED(cudaArray, "textures")
HIP_CPU_REFUSED(cudaChannelFormatDesc, "textures")
HIP_CPU_REFUSED(cudaSurfaceObject_t, "surfaces")
HIP_CPU_REFUSED(CUresult, "driver interface of CUDA (cu...)")
HIP_CPU_REFUSED(CUdevice, "driver interface of CUDA (cu...)")
HIP_CPU_REFUSED(CUcontext, "driver interface of CUDA (cu...)")
HIP_CPU_REFUSED(CUdeviceptr, "driver interface of CUDA (cu...)")
HIP_CPU_REFUSED(CUmemAllocationProp, "driver interface of CUDA (cu...)")
HIP_CPU_REFUSED(CUmodule, "modules")
HIP_CPU_REFUSED(CUfunction, "modules")
HIP_CPU_REFUSED(cudaIpcMemHandle_t, "memory of other processes (IPC)")
HIP_CPU_REFUSED(cudaIpcEventHandle_t, "events of other processes (IPC)")
HIP_CPU_REFUSED(cudaExternalMemory_t, "graphics interop")
HIP_CPU_REFUSED(cudaExternalSemaphore_t, "graphics interop")
HIP_CPU_REFUSED(cudaGraphicsResource_t, "graphics interop")
#endif
#endif
#endif

#endif
