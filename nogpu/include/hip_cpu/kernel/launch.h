/* Launches.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_LAUNCH_H
#define HIP_CPU_LAUNCH_H

#include <type_traits>
#include <utility>

#include "hip_cpu/language.h"

/* The kernel's parameters alone determine the types; arguments are converted to them, as in a call. */
template <typename T> struct hip_cpu_same {
    typedef T type;
};

/* A tool finds the kernel by its function, so it is not inlined; what calls it makes no access of the kernel. */
#ifndef HIP_CPU_TRACE
static constexpr bool hip_cpu_is_traced = false;
#define HIP_CPU_CALLS_IT
#else
static constexpr bool hip_cpu_is_traced = true;
#define HIP_CPU_CALLS_IT __attribute__((no_sanitize("thread")))
template <typename T, typename = void> struct hip_cpu_element {
    static constexpr size_t bytes = 1;
    static constexpr size_t align = 0;
};
template <typename T> struct hip_cpu_element<T, decltype((void)sizeof(T))> {
    static constexpr size_t bytes = sizeof(T);
    static constexpr size_t align = __is_class(T) || __is_union(T) ? alignof(T) : 0;
};
template <> struct hip_cpu_element<void, void> : hip_cpu_element<char> {
};
template <> struct hip_cpu_element<const void, void> : hip_cpu_element<char> {
};
template <typename T> static inline struct hip_cpu_argument hip_cpu_argument_of(T *pointer)
{
    return {(const void *)pointer, hip_cpu_element<T>::bytes, hip_cpu_element<T>::align};
}
template <typename T> static inline struct hip_cpu_argument hip_cpu_argument_of(const T &) { return {nullptr, 1, 0}; }
#endif

#ifndef HIP_CPU_TRACE
/* Runs the current thread, and the next ones as long as none waits. Arguments may stay in registers. */
template <typename B> void hip_cpu_run_all(const void *of)
{
    typename std::conditional<sizeof(B) <= 64, const B, const B &>::type body = *static_cast<const B *>(of);

    for (struct hip_cpu_thread *self = hip_cpu_current;;) {
        body();
        if (++self >= hip_cpu_straight)
            return;
        hip_cpu_current = self;
        threadIdx = self->index;
    }
}
#endif

/* body() runs the kernel for the current thread. function: the kernel's address, or NULL where only the compiler knows
 * which instance of a template it is. */
template <typename B, typename... A>
static inline hipError_t hip_cpu_launch_body(struct hip_cpu_launch *launch, const void *function, const B &body,
                                             [[maybe_unused]] const A &...arguments)
{
    launch->body = [](const void *b) HIP_CPU_CALLS_IT { (*static_cast<const B *>(b))(); };
#ifndef HIP_CPU_TRACE
    launch->all = hip_cpu_run_all<B>;
#endif
    launch->arguments = &body;
    launch->arguments_bytes = sizeof body;
    launch->function = function;
#ifdef HIP_CPU_TRACE
    const struct hip_cpu_argument described[] = {hip_cpu_argument_of(arguments)..., {}};
    launch->argument = described;
    launch->argument_count = sizeof...(arguments);
#endif
    return hip_cpu_run(launch);
}

static inline struct hip_cpu_launch hip_cpu_configured(const char *name, dim3 grid, dim3 block, size_t shared_bytes,
                                                       hipStream_t stream)
{
    struct hip_cpu_launch launch = {};
    launch.kernel = name;
    launch.stream = stream;
    launch.grid = grid;
    launch.block = block;
    launch.shared_bytes = shared_bytes;
    return launch;
}

template <typename... P>
static inline hipError_t hip_cpu_launch_kernel(const char *name, int cooperative, void (*kernel)(P...), dim3 grid,
                                               dim3 block, size_t shared_bytes, hipStream_t stream,
                                               typename hip_cpu_same<P>::type... arguments)
{
    struct hip_cpu_launch launch = hip_cpu_configured(name, grid, block, shared_bytes, stream);
    launch.cooperative = cooperative;
    return hip_cpu_launch_body(
        &launch, (const void *)kernel, [=]() HIP_CPU_CALLS_IT { kernel(arguments...); }, arguments...);
}

/* ---- kernel<<<grid, block>>>(arguments) ---- */

/* HIP_CPU_LAUNCH(kernel)(grid, block, shared_bytes, stream)(arguments): nogpu/translate writes it. The kernel is
 * an expression that can be called: a function, a pointer, overloads, or a template whose arguments the call deduces.
 * Functions of it are passed on: one calls it, by lookup in the arguments' namespaces, too; one calls the function that it
 * is; one gives its address, if these arguments choose one; the last one is called by mistakes in the configuration alone. */
#ifndef HIP_CPU_CALLS
#define HIP_CPU_LAUNCH(...)                                                                                            \
    hip_cpu_callee(                                                                                                    \
        #__VA_ARGS__, [=](auto... hip_cpu_a) { __VA_ARGS__(hip_cpu_a...); },                                           \
        [=](auto... hip_cpu_a) { (__VA_ARGS__)(hip_cpu_a...); },                                                       \
        [=](auto... hip_cpu_a) -> decltype(hip_cpu_address(hip_cpu_a..., __VA_ARGS__)) {                               \
            return hip_cpu_address(hip_cpu_a..., __VA_ARGS__);                                                         \
        },                                                                                                             \
        [](auto hip_cpu_no) { static_assert(!sizeof hip_cpu_no, "kernel " #__VA_ARGS__ HIP_CPU_CONFIGURATION); })
#else
/* A source that does not compile is read again for its messages: a compiler says best what is wrong with a call. */
#define HIP_CPU_LAUNCH(...)    __VA_ARGS__ HIP_CPU_LEFT_OUT
#define HIP_CPU_LAUNCH_OF(...) (__VA_ARGS__) HIP_CPU_LEFT_OUT
#define HIP_CPU_LEFT_OUT(...)
#endif
#define HIP_CPU_CONFIGURATION                                                                                          \
    ": a launch is <<<grid, block, bytes of shared memory, stream>>>, where the last two may be "                      \
    "left out"

template <typename... A> struct hip_cpu_types {
};
template <typename... P> static inline auto hip_cpu_address(void (*kernel)(P...)) { return kernel; }
template <typename... A> static inline auto hip_cpu_address(hip_cpu_types<A...>, void (*kernel)(A...))
{
    return kernel;
}

/* A parameter as a launch keeps it, and each thread has it: a reference, a value, or, of a class with a copy constructor
 * or a destructor, the bytes, since a GPU calls neither. A host passes such a class by its address. */
template <typename P>
using hip_cpu_by_value =
    std::bool_constant<!std::is_reference<P>::value && std::is_trivially_copy_constructible<P>::value &&
                       std::is_trivially_move_constructible<P>::value && std::is_trivially_destructible<P>::value>;
template <typename P, bool by_value = std::is_reference<P>::value || hip_cpu_by_value<P>::value> struct hip_cpu_kept {
    typedef P passed;
    P value;
    operator P() const { return value; }
};
template <typename P> struct hip_cpu_kept<P, false> {
    typedef P &passed;
    alignas(P) char bytes[sizeof(P)];
    hip_cpu_kept(const P &value) { __builtin_memcpy(bytes, (const void *)&value, sizeof bytes); }
    operator P &() { return *(P *)bytes; }
};

/* A kernel whose parameters are known; arguments are converted to them. */
template <typename Call, typename Direct, typename... P> struct hip_cpu_known {
    Call call;
    Direct direct;
    void (*kernel)(P...);
    struct hip_cpu_launch launch;

    static auto caller(void (*k)(typename hip_cpu_kept<P>::passed...), hip_cpu_kept<P>... kept)
    {
        return [=]() HIP_CPU_CALLS_IT { k(hip_cpu_kept<P>(kept)...); };
    }
    void operator()(P... arguments)
    {
        auto k = kernel;
        if constexpr (!(hip_cpu_by_value<P>::value && ...)) {
            typedef void (*passing)(typename hip_cpu_kept<P>::passed...);
            (void)hip_cpu_launch_body(&launch, (const void *)kernel,
                                      caller((passing)(void (*)())k, hip_cpu_kept<P>{arguments}...), arguments...);
        } else if constexpr (hip_cpu_is_traced || std::is_same<Direct, std::nullptr_t>::value) {
            (void)hip_cpu_launch_body(
                &launch, (const void *)kernel, [=]() HIP_CPU_CALLS_IT { k(arguments...); }, arguments...);
        } else {
            auto d = direct; /* the compiler may inline a small kernel */
            (void)hip_cpu_launch_body(
                &launch, (const void *)kernel, [=]() { d(arguments...); }, arguments...);
        }
    }
    /* Fewer: the others have defaults, which only a call by name knows. More: a pack takes them. */
    template <typename... A> typename std::enable_if<sizeof...(A) != sizeof...(P)>::type operator()(A... arguments)
    {
        auto c = call;
        (void)hip_cpu_launch_body(
            &launch, sizeof...(A) < sizeof...(P) ? (const void *)kernel : nullptr, [=]() { c(arguments...); },
            arguments...);
    }
};

template <typename Call, typename Direct, typename... P>
static inline auto hip_cpu_known_as(Call call, Direct direct, void (*kernel)(P...), const struct hip_cpu_launch &launch)
{
    return hip_cpu_known<Call, Direct, P...>{call, direct, kernel, launch};
}

/* A template or overloads: the arguments choose. */
template <typename Call, typename Address> struct hip_cpu_chosen {
    Call call;
    Address address;
    struct hip_cpu_launch launch;

    template <typename... A> void operator()(A... arguments)
    {
        auto c = call;
        if constexpr (std::is_invocable<Address, hip_cpu_types<A...>>::value)
            hip_cpu_known_as(call, nullptr, address(hip_cpu_types<A...>()), launch)(arguments...);
        else
            (void)hip_cpu_launch_body(
                &launch, nullptr, [=]() { c(arguments...); }, arguments...);
    }
};

template <typename Call, typename Direct, typename Address, typename Wrong> struct hip_cpu_callee {
    const char *name;
    Call call;
    Direct direct;
    Address address;

    hip_cpu_callee(const char *name, Call call, Direct direct, Address address, Wrong)
        : name(name), call(call), direct(direct), address(address)
    {
    }
    hip_cpu_nothing operator()(...) const
    {
        ((Wrong *)nullptr)->operator()(0);
        return {};
    }
    auto operator()(dim3 grid, dim3 block, size_t shared_bytes = 0, hipStream_t stream = nullptr) const
    {
        struct hip_cpu_launch launch = hip_cpu_configured(name, grid, block, shared_bytes, stream);
        if constexpr (std::is_invocable<Address>::value)
            return hip_cpu_known_as(call, direct, address(), launch);
        else
            return hip_cpu_chosen<Call, Address>{call, address, launch};
    }
};

/* The kernel is the value of an expression: kernels["sum"]<<<1, 64>>>(x). */
#ifndef HIP_CPU_CALLS
#define HIP_CPU_LAUNCH_OF(...) hip_cpu_value_of(#__VA_ARGS__, __VA_ARGS__)
#endif
template <typename... P> struct hip_cpu_value {
    const char *name;
    void (*kernel)(P...);

    auto operator()(dim3 grid, dim3 block, size_t shared_bytes = 0, hipStream_t stream = nullptr) const
    {
        return hip_cpu_known_as(nullptr, nullptr, kernel, hip_cpu_configured(name, grid, block, shared_bytes, stream));
    }
};
template <typename... P> static inline hip_cpu_value<P...> hip_cpu_value_of(const char *name, void (*kernel)(P...))
{
    return {name, kernel};
}

#define HIP_KERNEL_NAME(...) __VA_ARGS__
/* (kernel, grid, block, shared_bytes, stream, arguments...); hipGetLastError() has the error. */
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)                                             \
    HIP_CPU_LAUNCH(kernel)(grid, block, shared_bytes, stream)(__VA_ARGS__)

#endif
