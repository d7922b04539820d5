/* Launches of the library, which return their error: hipGetLastError() may have an older one, of the program.
 * LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...) is for use in launch(), where r is the reduction.
 *
 * With LAUNCHES_OVERLAP kernels, which then call earlier_done(), may begin while earlier ones of the stream end:
 * programmatic dependent launch, sm_90 and newer. (CUDA C++ Programming Guide, Programmatic Dependent Launch and
 * Synchronization.)
 * SPDX-License-Identifier: MIT */
#ifndef NVIDIA_LAUNCH_H
#define NVIDIA_LAUNCH_H

#if defined(LAUNCHES_OVERLAP) && __CUDACC_VER_MAJOR__ >= 12
#define LAUNCH(kernel, ...) launch_overlapping(r->overlap, kernel, __VA_ARGS__)

template <typename... Parameter, typename... Argument>
static inline hipError_t launch_overlapping(bool overlap, void (*kernel)(Parameter...), dim3 grid, dim3 block,
                                            size_t shared_bytes, cudaStream_t stream, Argument... argument)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, &attribute, overlap ? 1u : 0u};

    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    return cudaLaunchKernelEx(&config, kernel, (Parameter)argument...);
}
#else
#define LAUNCH(kernel, ...) launch_kernel(kernel, __VA_ARGS__)

template <typename... Parameter>
static inline hipError_t launch_with(void (*kernel)(Parameter...), dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream, Parameter... parameter)
{
    void *addresses[] = {&parameter...};
    return cudaLaunchKernel((const void *)kernel, grid, block, addresses, shared_bytes, stream);
}

template <typename... Parameter, typename... Argument>
static inline hipError_t launch_kernel(void (*kernel)(Parameter...), dim3 grid, dim3 block, size_t shared_bytes,
                                       cudaStream_t stream, Argument... argument)
{
    return launch_with<Parameter...>(kernel, grid, block, shared_bytes, stream, (Parameter)argument...);
}
#endif

#endif
