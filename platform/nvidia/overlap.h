/* Launches that may overlap earlier kernels of the stream: programmatic dependent launch, sm_90 and newer. The kernels
 * call earlier_done(). For use in launch(), where r is the reduction. (CUDA C++ Programming Guide, Programmatic
 * Dependent Launch and Synchronization.)
 * SPDX-License-Identifier: MIT */
#ifndef NVIDIA_OVERLAP_H
#define NVIDIA_OVERLAP_H

#if __CUDACC_VER_MAJOR__ >= 12
#undef hipLaunchKernelGGL
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)                         \
    launch_overlapping(r->overlap, kernel, grid, block, shared_bytes, stream, __VA_ARGS__)

template <typename... Parameter, typename... Argument>
static inline void launch_overlapping(bool overlap, void (*kernel)(Parameter...), dim3 grid,
                                      dim3 block, size_t shared_bytes, cudaStream_t stream,
                                      Argument... argument)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, &attribute, overlap ? 1u : 0u};

    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    (void)cudaLaunchKernelEx(&config, kernel,
                             (Parameter)argument...); /* HIP_CHECK_LAUNCH() has its error */
}
#endif

#endif
