/* Launches of the library, which return their error: hipGetLastError() may have an older one, of the program.
 * LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...).
 * SPDX-License-Identifier: MIT */
#ifndef AMD_LAUNCH_H
#define AMD_LAUNCH_H

#define LAUNCH(kernel, ...) launch_kernel(kernel, __VA_ARGS__)

template <typename... Parameter>
static inline hipError_t launch_with(void (*kernel)(Parameter...), dim3 grid, dim3 block, size_t shared_bytes,
                                     hipStream_t stream, Parameter... parameter)
{
    void *addresses[] = {&parameter...};
    return hipLaunchKernel((const void *)kernel, grid, block, addresses, shared_bytes, stream);
}

template <typename... Parameter, typename... Argument>
static inline hipError_t launch_kernel(void (*kernel)(Parameter...), dim3 grid, dim3 block, size_t shared_bytes,
                                       hipStream_t stream, Argument... argument)
{
    return launch_with<Parameter...>(kernel, grid, block, shared_bytes, stream, (Parameter)argument...);
}

#endif
