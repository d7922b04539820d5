/* Launches that name the kernel by its address: hipLaunchKernel, hipLaunchCooperativeKernel. The address has no types, and
 * the types of a kernel's parameters are needed; so a cast before its name is taken off, and where the address goes into
 * a variable, nogpu/translate writes HIP_CPU_ADDRESS(kernel), which notes them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_LAUNCH_ADDRESS_H
#define HIP_CPU_LAUNCH_ADDRESS_H

#include <string.h>

#include "hip_cpu/kernel/launch.h"

/* (kernel, grid, block, void **arguments, shared_bytes, stream); a cast before the kernel: (void *)kernel. */
#define hipLaunchKernel(...)            hip_cpu_launch_at(#__VA_ARGS__, 0, HIP_CPU_UNCAST(__VA_ARGS__, ~)(__VA_ARGS__))
#define hipLaunchCooperativeKernel(...) hip_cpu_launch_at(#__VA_ARGS__, 1, HIP_CPU_UNCAST(__VA_ARGS__, ~)(__VA_ARGS__))

/* What begins with a parenthesis makes a call of HIP_CPU_PROBE, and so a second argument. */
#define HIP_CPU_UNCAST(first, ...)          HIP_CPU_SECOND(HIP_CPU_PROBE first, HIP_CPU_KEEP, ~)
#define HIP_CPU_PROBE(...)                  ~, HIP_CPU_DROP,
#define HIP_CPU_SECOND(...)                 HIP_CPU_SECOND_(__VA_ARGS__, ~)
#define HIP_CPU_SECOND_(first, second, ...) second
#define HIP_CPU_KEEP(...)                   __VA_ARGS__
#define HIP_CPU_DROP(...)                   HIP_CPU_NOTHING __VA_ARGS__
#define HIP_CPU_NOTHING(...)

/* The kernel in the text of a launch: from behind a cast up to the comma that ends it. It is kept for the program's
 * life, as the kernels are. */
static inline const char *hip_cpu_kernel_name(const char *text)
{
    const char *end = text;
    int depth = 0;

    if (*text == '(') {
        text = strchr(text, ')');
        text += text != NULL;
    }
    while (text && (*text == ' ' || *text == '&'))
        text++;
    if (text && strncmp(text, "HIP_CPU_ADDRESS(", 16) == 0) {
        text += 16;
        for (end = text; *end && !(*end == ')' && depth == 0); end++)
            depth += (*end == '(') - (*end == ')');
        return strndup(text, (size_t)(end - text));
    }
    for (end = text; end && *end && !(*end == ',' && depth == 0); end++)
        depth += (*end == '<') - (*end == '>');
    return text ? strndup(text, (size_t)(end - text)) : "kernel";
}

template <typename... P, size_t... I>
static inline hipError_t
hip_cpu_launch_unpacked(std::index_sequence<I...>, const char *name, int cooperative, void (*kernel)(P...), dim3 grid,
                        dim3 block, [[maybe_unused]] void **arguments, size_t shared_bytes, hipStream_t stream)
{
    return hip_cpu_told(hip_cpu_launch_kernel(name, cooperative, kernel, grid, block, shared_bytes, stream,
                                              *static_cast<P *>(arguments[I])...));
}
template <typename... P>
static inline hipError_t hip_cpu_launch_at(const char *text, int cooperative, void (*kernel)(P...), dim3 grid,
                                           dim3 block, void **arguments, size_t shared_bytes = 0,
                                           hipStream_t stream = nullptr)
{
    const char *name = hip_cpu_kernel_name(text);
    return hip_cpu_launch_unpacked(std::index_sequence_for<P...>(), name, cooperative, kernel, grid, block, arguments,
                                   shared_bytes, stream);
}
/* Of a void pointer only those that have been noted know what it points to. */
static inline hipError_t hip_cpu_launch_at(const char *, int cooperative, const void *kernel, dim3 grid, dim3 block,
                                           void **arguments, size_t shared_bytes = 0, hipStream_t stream = nullptr)
{
    return hip_cpu_launch_noted(kernel, cooperative, grid, block, arguments, shared_bytes, stream);
}

/* ---- launches that have their configuration in a struct ---- */

typedef enum hipAccessProperty {
    hipAccessPropertyNormal,
    hipAccessPropertyStreaming,
    hipAccessPropertyPersisting
} hipAccessProperty;
typedef struct hipAccessPolicyWindow {
    void *base_ptr;
    hipAccessProperty hitProp;
    float hitRatio;
    hipAccessProperty missProp;
    size_t num_bytes;
} hipAccessPolicyWindow;
typedef enum hipLaunchAttributeID {
    hipLaunchAttributeAccessPolicyWindow = 1,
    hipLaunchAttributeCooperative = 2,
    hipLaunchAttributeProgrammaticStreamSerialization = 6,
    hipLaunchAttributePriority = 8
} hipLaunchAttributeID;
typedef union hipLaunchAttributeValue {
    int cooperative, priority, programmaticStreamSerializationAllowed;
    hipAccessPolicyWindow accessPolicyWindow;
} hipLaunchAttributeValue;
typedef struct hipLaunchAttribute {
    hipLaunchAttributeID id;
    union {
        hipLaunchAttributeValue val, value;
    };
} hipLaunchAttribute;
typedef struct hipLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    hipStream_t stream;
    hipLaunchAttribute *attrs;
    unsigned numAttrs;
} hipLaunchConfig_t;

/* For each device one; there is one. */
typedef struct hipLaunchParams_t {
    void *func;
    dim3 gridDim, blockDim;
    void **args;
    size_t sharedMem;
    hipStream_t stream;
} hipLaunchParams;
#define hipCooperativeLaunchMultiDeviceNoPreSync  1
#define hipCooperativeLaunchMultiDeviceNoPostSync 2
static inline hipError_t hipLaunchCooperativeKernelMultiDevice(const hipLaunchParams *launch, int devices, unsigned)
{
    return devices != 1 ? hipErrorInvalidValue
                        : hip_cpu_launch_noted(launch->func, 1, launch->gridDim, launch->blockDim, launch->args,
                                               launch->sharedMem, launch->stream);
}

/* What stays in a cache makes no difference here. */
static inline hipError_t hipStreamSetAttribute(hipStream_t, hipLaunchAttributeID, const hipLaunchAttributeValue *)
{
    return hipSuccess;
}
static inline hipError_t hipCtxResetPersistingL2Cache() { return hipSuccess; }

/* Kernels of a stream follow each other here, whatever else the attributes allow. */
static inline int hip_cpu_is_cooperative(const hipLaunchConfig_t *config)
{
    int cooperative = 0;
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == hipLaunchAttributeCooperative)
            cooperative = config->attrs[i].val.cooperative;
    return cooperative;
}
static inline hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *kernel, void **arguments)
{
    return hip_cpu_launch_noted(kernel, hip_cpu_is_cooperative(config), config->gridDim, config->blockDim, arguments,
                                config->dynamicSmemBytes, config->stream);
}
#define hipLaunchKernelEx(...) hip_cpu_launch_ex(strchr(#__VA_ARGS__, ',') + 1, __VA_ARGS__)
template <typename... P, typename... A>
static inline hipError_t hip_cpu_launch_ex(const char *text, const hipLaunchConfig_t *config, void (*kernel)(P...),
                                           const A &...arguments)
{
    return hip_cpu_told(hip_cpu_launch_kernel(hip_cpu_kernel_name(text), hip_cpu_is_cooperative(config), kernel,
                                              config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                              config->stream, arguments...));
}

/* A program that wants hipLaunchKernelGGL to be a function may write commas in the kernel's template arguments, or leave
 * them to be found by its arguments: of such a name nothing is known, and so F is its default. */
#ifdef HIP_TEMPLATE_KERNEL_LAUNCH
#undef hipLaunchKernelGGL
#define hipLaunchKernelGGL(...) hip_cpu_launch_ggl(#__VA_ARGS__, __VA_ARGS__)
template <typename... A, typename F = void (*)(A...)>
static inline void hip_cpu_launch_ggl(const char *text, F kernel, dim3 grid, dim3 block, size_t shared_bytes,
                                      hipStream_t stream, A... arguments)
{
    (void)hip_cpu_launch_kernel(hip_cpu_kernel_name(text), 0, kernel, grid, block, shared_bytes, stream, arguments...);
}
#endif

#define HIP_CPU_ADDRESS(...) hip_cpu_noted(#__VA_ARGS__, __VA_ARGS__)
template <typename... P> static inline auto hip_cpu_noted(const char *text, void (*kernel)(P...)) -> void (*)(P...)
{
    hip_cpu_note_kernel((const void *)kernel, text,
                        [](const char *written, int cooperative, const void *address, dim3 grid, dim3 block,
                           void **arguments, size_t shared_bytes, hipStream_t stream) {
                            const char *name = hip_cpu_kernel_name(written);
                            return hip_cpu_launch_unpacked(std::index_sequence_for<P...>(), name, cooperative,
                                                           (void (*)(P...))address, grid, block, arguments,
                                                           shared_bytes, stream);
                        });
    return kernel;
}

#endif
