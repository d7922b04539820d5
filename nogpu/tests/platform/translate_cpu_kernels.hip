/* Launches and dynamic shared memory in every spelling. Not formatted: the spelling is the test.
 * SPDX-License-Identifier: MIT */
/* clang-format off */
#include "translate_cpu_kernels.h"

#include <hip/hip_runtime.h>

#include <map>
#include <string>
#include <string.h>

/* What a launch did: value, grid, block, bytes of shared memory. */
enum { VALUE, GRID_X, GRID_Y, BLOCK_X, BLOCK_Y, SHARED, COUNT, NOTES };
static int *notes;

static __device__ void note(int *out, int value)
{
    atomicAdd(&out[COUNT], 1);
    out[VALUE] = value;
    out[GRID_X] = (int)gridDim.x;
    out[GRID_Y] = (int)gridDim.y;
    out[BLOCK_X] = (int)blockDim.x;
    out[BLOCK_Y] = (int)blockDim.y;
    out[SHARED] = (int)hip_cpu_current->block->shared_bytes;
}

static int *fresh(void)
{
    if ((!notes && hipMalloc((void **)&notes, NOTES * sizeof *notes) != hipSuccess) ||
        hipMemset(notes, 0, NOTES * sizeof *notes) != hipSuccess)
        return NULL;
    return notes;
}

static int was(int value, int grid_x, int grid_y, int block_x, int block_y, int shared)
{
    const int wanted[NOTES] = {value, grid_x, grid_y, block_x, block_y, shared,
                               grid_x * grid_y * block_x * block_y};
    int got[NOTES];

    return hipGetLastError() == hipSuccess &&
           hipMemcpy(got, notes, sizeof got, hipMemcpyDeviceToHost) == hipSuccess &&
           memcmp(got, wanted, sizeof got) == 0;
}

/* Several launches: this many threads ran, the last one with this value. */
static int ran(int threads, int value)
{
    int got[NOTES];

    return hipGetLastError() == hipSuccess &&
           hipMemcpy(got, notes, sizeof got, hipMemcpyDeviceToHost) == hipSuccess &&
           got[COUNT] == threads && got[VALUE] == value;
}

#include "spellings/sub/relative.cuh"
#include <nogpu/tests/platform/spellings/sub/relative.cuh>

static int f(int a, int b) { return a > 0 ? b : a; }
static __global__ void plain(int *out, int value) { note(out, value); }
static __global__ void nothing() { note(notes, 7); }
static __global__ void defaults(int *out, int value = 5, const char *text = nullptr) { note(out, value + (text != nullptr)); }
static __global__ void over(int *out, int value) { note(out, value); }
static __global__ void over(int *out, double value) { note(out, 100 + (int)value); }
template <typename T> __global__ void deduced(int *out, const T *pointer, T value) { note(out, (int)(value + sizeof(T)) + (pointer != nullptr)); }
template <typename T, int N, bool B> __global__ void explicitly(int *out) { note(out, N + 100 * B + 1000 * (int)sizeof(T)); }
template <typename... A> __global__ void many(int *out, A... a) { note(out, (int)(sizeof...(A) + (0 + ... + a))); }
template <typename T> struct box { T value; };
template <int N> __global__ void number(int *out) { note(out, N); }
template <typename T> __global__ void boxed(int *out, box<T> b) { note(out, (int)(size_t)b.value); }
struct two { int a, b; };
static __global__ void structure(int *out, two pair) { note(out, pair.a * 10 + pair.b); }
static __global__ void pointers(int *out, const int *a, void *b, float c) { note(out, (a == nullptr) + 10 * (b == nullptr) + (int)c * 100); }
namespace ns { namespace inner { template <typename T> __global__ void deep(int *out, T value) { note(out, (int)value); } } }
namespace in { static __global__ void word(int *out, int value) { note(out, value); } }
struct holder {
    static __global__ void of_class(int *out, int value) { note(out, value); }
    template <int N> static __global__ void of_template(int *out) { note(out, N); }
    void (*member)(int *, int) = plain;
    void (*several[2])(int *, int) = {plain, plain};
    void go(int *out) { of_class<<<1, 2>>>(out, 9); }
    void go_member(int *out) { this->member<<<1, 2>>>(out, 9); }
};
template <typename T> struct generic {
    template <int N> static __global__ void kernel(int *out, T value) { note(out, N + (int)value); }
};
template <typename T> static void in_template(int *out, T value)
{
    const int N = 3;
    deduced<T><<<1, 1>>>(out, &value, value);
    generic<T>::template kernel<N><<<N, 2 * N>>>(out, value);
}

/* ---- in macros ---- */
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define LAUNCH_LINES(kernel, out) \
    do { \
        kernel<<<dim3(2, 2), \
                 dim3(3)>>>(out, 4); \
    } while (0)
#define LAUNCH_PASTED(name, out) name##ain<<<1, 1>>>(out, 2)
#define LAUNCH_OBJECT ::in::word<<<2, 2>>>(notes, 6)
#define LAUNCH_PARENTHESES (plain)<<<1, 2>>>(notes, 6)
#define LAUNCH_OPEN(name, T) name<T><<<1, 2>>>
#define CONFIGURATION <<<2, 3>>>
#define CONFIGURED(grid, block) <<< grid, block >>>
#define IN_MACRO(...) __VA_ARGS__
#define DECLARE(T, name) extern __shared__ T name[];

/* ---- dynamic shared memory ---- */
extern __shared__ int at_file_scope[];
extern __shared__ int at_file_scope[];
namespace { extern __shared__ __align__(16) char bytes_at_file_scope[]; }
extern "C" { extern __shared__ float rows_at_file_scope[][4]; }

template <typename T> __global__ void sum_shared(int *out, T one)
{
    extern __shared__ __align__(sizeof(T)) unsigned char raw[];
    T *const mine = reinterpret_cast<T *>(raw);
    mine[threadIdx.x] = one;
    __syncthreads();
    T sum = 0;
    for (unsigned i = 0; i < blockDim.x; i++) sum += mine[i];
    note(out, (int)sum);
}
template <typename T> __global__ void typed_shared(int *out) {
    extern __shared__ T typed[]; typed[threadIdx.x] = (T)threadIdx.x; __syncthreads();
    note(out, (int)typed[blockDim.x - 1] + (int)sizeof typed[0]);
}
static __global__ void sized(int *out) { extern __shared__ int x[64]; x[threadIdx.x] = 1; note(out, (int)sizeof x); }
static __global__ void both(int *out) { extern __shared__ volatile int a[], b[]; a[threadIdx.x] = 2; note(out, b[threadIdx.x] + (&a == &b)); }
static __global__ void rows(int *out) { extern __shared__ float t[][8]; t[1][threadIdx.x] = 3; note(out, (int)((float *)t)[8 + threadIdx.x] + (int)sizeof t[0]); }
static __global__ void pointed(int *out) { extern __shared__ int *p[]; p[threadIdx.x] = out; note(p[threadIdx.x], 8); }
static __global__ void before(int *out) { __shared__ extern int x[]; x[threadIdx.x] = 4; note(out, x[0]); }
static __global__ void between(int *out) { extern volatile __shared__ int v[]; v[threadIdx.x] = 4; note(out, v[0]); }
static __global__ void one(int *out) { extern __shared__ int single; single = 4; note(out, single); }
static __global__ void aligned(int *out)
{
    extern /* why */ __shared__ // here
        __attribute__((aligned(16))) box<box<int>>
            boxes[] /* end */ ;
    boxes[threadIdx.x].value.value = 11;
    note(out, boxes[threadIdx.x].value.value);
}
static __global__ void fixed(int *out) {
    static __shared__ alignas(64) char a[3]; volatile __shared__ alignas(double) /* why */ char b; __shared__ char c alignas(32);
    c = 1; note(out, ((size_t)a % 64 == 0) + 2 * ((size_t)&b % alignof(double) == 0) + 4 * ((size_t)&c % 32 == 0)); }
static __global__ void by_macro(int *out) { DECLARE(double, d) d[threadIdx.x] = 5; note(out, (int)d[0] + (int)sizeof *d); }
static __global__ void file_scope(int *out)
{
    at_file_scope[threadIdx.x] = 6;
    int *at = at_file_scope + threadIdx.x, *cast = (int *)bytes_at_file_scope;
    rows_at_file_scope[2][threadIdx.x] = 1;
    note(out, *at + cast[threadIdx.x] + (int)((float *)at_file_scope)[8 + threadIdx.x]);
}

const struct spelling spellings[] = {
    {"one line", [] { int *out = fresh(); plain<<<2, 3>>>(out, 1); return was(1, 2, 1, 3, 1, 0); }},
    {"no arguments", [] { fresh(); nothing<<<1, 1>>>(); return was(7, 1, 1, 1, 1, 0); }},
    {"shared memory and a stream", [] { int *out = fresh(); plain<<<1, 2, 3 * sizeof(int), 0>>>(out, 1); return was(1, 1, 1, 2, 1, 12); }},
    {"hipStreamDefault", [] { int *out = fresh(); plain<<<1, 2, 0, hipStreamDefault>>>(out, 1); return was(1, 1, 1, 2, 1, 0); }},
    {"dim3, braces", [] { int *out = fresh(); plain<<<dim3(2, 2), {3, 2}>>>(out, 1); return was(1, 2, 2, 3, 2, 0); }},
    {"across lines, comments", [] {
        int *out = fresh();
        plain /* , */ <<< // <<<
            2, /* >>>( */
            3
        >>> /* ; */
            (out,
             1);
        return was(1, 2, 1, 3, 1, 0); }},
    {"no blanks", [] { int *out = fresh();plain<<<2,3>>>(out,1);return was(1, 2, 1, 3, 1, 0); }},
    {"commas, shifts and templates in the configuration", [] {
        int *out = fresh(), n = 16;
        plain<<<f(n, n >> 3), sizeof(box<box<int>>) >> 1, (n > 3) ? 4 : 0>>>(out, n >> 4);
        return was(1, 2, 1, 2, 1, 4); }},
    {"three angle brackets of templates", [] {
        int *out = fresh();
        boxed<box<box<box<int>>>*><<<1, sizeof(box<box<box<int>>>)>>>(out, {nullptr});
        return was(0, 1, 1, 4, 1, 0); }},
    {"after else, if, return, ? and :", [] {
        int *out = fresh();
        if (out == nullptr) nothing<<<1, 1>>>(); else plain<<<1, 2>>>(out, 1);
        if (out) (plain)<<<1, 2>>>(out, 1);
        out ? plain<<<1, 2>>>(out, 1) : nothing<<<1, 1>>>();
        for (int i = 0; i < 1; i++) plain<<<1, 2>>>(out, 1);
        [out]() { return plain<<<1, 2>>>(out, 1); }();
        return ran(10, 1); }},
    {"two on a line", [] { int *out = fresh(); plain<<<1, 2>>>(out, 3); plain<<<1, 2>>>(out, 1); return ran(4, 1); }},
    {"default arguments", [] { int *out = fresh(); defaults<<<1, 2>>>(out); return was(5, 1, 1, 2, 1, 0); }},
    {"overloads: int", [] { int *out = fresh(); over<<<1, 2>>>(out, 3); return was(3, 1, 1, 2, 1, 0); }},
    {"overloads: double", [] { int *out = fresh(); over<<<1, 2>>>(out, 3.0); return was(103, 1, 1, 2, 1, 0); }},
    {"deduced", [] { int *out = fresh(); double x = 0; deduced<<<1, 2>>>(out, &x, 3.0); return was(12, 1, 1, 2, 1, 0); }},
    {"explicit", [] { int *out = fresh(); explicitly<char, (5 > 4) ? 7 : 8, (1 < 2)><<<1, 2>>>(out); return was(1107, 1, 1, 2, 1, 0); }},
    {"partly explicit", [] { int *out = fresh(); deduced<float><<<1, 2>>>(out, nullptr, 3); return was(7, 1, 1, 2, 1, 0); }},
    {"a pack", [] { int *out = fresh(); many<<<1, 2>>>(out, 1, 2.0, 3u); return was(9, 1, 1, 2, 1, 0); }},
    {"a template of an argument", [] { int *out = fresh(); boxed<<<1, 2>>>(out, box<double>{4}); return was(4, 1, 1, 2, 1, 0); }},
    {"a structure in braces", [] { int *out = fresh(); structure<<<1, 2>>>(out, {4, 2}); return was(42, 1, 1, 2, 1, 0); }},
    {"NULL, 0 and conversions", [] { int *out = fresh(); pointers<<<1, 2>>>(out, NULL, 0, 3); return was(311, 1, 1, 2, 1, 0); }},
    {"namespaces", [] { int *out = fresh(); ns::inner::deep<long><<<1, 2>>>(out, 3); ::ns :: inner::deep<<<1, 2>>>(out, 3); in::word<<<1, 2>>>(out, 3); return ran(6, 3); }},
    {"of a class", [] { int *out = fresh(); holder::of_class<<<1, 2>>>(out, 3); return was(3, 1, 1, 2, 1, 0); }},
    {"a template of a class", [] { int *out = fresh(); holder::of_template<8><<<1, 2>>>(out); return was(8, 1, 1, 2, 1, 0); }},
    {"in a member function", [] { holder().go(fresh()); return was(9, 1, 1, 2, 1, 0); }},
    {"a member of this", [] { holder().go_member(fresh()); return was(9, 1, 1, 2, 1, 0); }},
    {"a pointer", [] { int *out = fresh(); void (*kernel)(int *, int) = plain; kernel<<<1, 2>>>(out, 3); return was(3, 1, 1, 2, 1, 0); }},
    {"a pointer in parentheses", [] { int *out = fresh(); void (*kernel)(int *, int) = plain; (*kernel)<<<1, 2>>>(out, 3); return was(3, 1, 1, 2, 1, 0); }},
    {"an array of pointers", [] { int *out = fresh(); void (*kernels[])(int *, int) = {plain, plain}; kernels[0 + 1]<<<1, 2>>>(out, 3); return was(3, 1, 1, 2, 1, 0); }},
    {"pointers in a class", [] { int *out = fresh(); holder h, *p = &h; h.several[1]<<<1, 2>>>(out, 3); p->several[0]<<<1, 2>>>(out, 3); return ran(4, 3); }},
    {"a pointer in a map", [] { int *out = fresh(); std::map<std::string, void (*)(int *, int)> m{{"plain", plain}}; m["plain"]<<<1, 2>>>(out, 3); return was(3, 1, 1, 2, 1, 0); }},
    {"a call that gives a pointer, once", [] { int *out = fresh(), calls = 0; auto kernel = [&] { calls++; return &plain; }; kernel()<<<1, 2>>>(out, 3); return calls == 1 ? was(3, 1, 1, 2, 1, 0) : 0; }},
    {"shifts and comparisons in template arguments", [] { int *out = fresh(); number<1 << 3><<<1, 2>>>(out); number<sizeof(int) >= 4 ? 8 : 9><<<1, 2>>>(out); number<sizeof(char) <= 1 ? 8 : 9><<<1, 2>>>(out); return ran(6, 8); }},
    {"in a template", [] { in_template(fresh(), 4); return ran(19, 7); }},
    {"a macro", [] { int *out = fresh(); LAUNCH(plain, 2, 3, out, 1); return was(1, 2, 1, 3, 1, 0); }},
    {"a macro of lines", [] { int *out = fresh(); LAUNCH_LINES(plain, out); return was(4, 2, 2, 3, 1, 0); }},
    {"a macro that makes the name", [] { int *out = fresh(); LAUNCH_PASTED(pl, out); return was(2, 1, 1, 1, 1, 0); }},
    {"a macro without parameters", [] { fresh(); LAUNCH_OBJECT; return was(6, 2, 1, 2, 1, 0); }},
    {"a macro without parameters, parentheses", [] { fresh(); LAUNCH_PARENTHESES; return was(6, 1, 1, 2, 1, 0); }},
    {"a macro without the arguments", [] { int *out = fresh(); double x = 0; LAUNCH_OPEN(deduced, double)(out, &x, 3); return was(12, 1, 1, 2, 1, 0); }},
    {"a configuration in a macro", [] { int *out = fresh(); plain CONFIGURATION(out, 1); return was(1, 2, 1, 3, 1, 0); }},
    {"a configuration in a macro with parameters", [] { int *out = fresh(); number<4> CONFIGURED(dim3(2, 2), 3) (out); return was(4, 2, 2, 3, 1, 0); }},
    {"in the arguments of a macro", [] { int *out = fresh(); IN_MACRO(plain<<<1, 2>>>(out, 3)); return was(3, 1, 1, 2, 1, 0); }},
    {"in a header", [] { launch_relative(fresh(), 3); return was(3, 2, 1, 3, 1, 0); }},
    {"hipLaunchKernelGGL, deduced", [] { int *out = fresh(); float x = 0; hipLaunchKernelGGL(deduced, 1, 2, 0, 0, out, &x, 3.f); return was(8, 1, 1, 2, 1, 0); }},
    {"hipLaunchKernelGGL, HIP_KERNEL_NAME", [] { int *out = fresh(); hipLaunchKernelGGL(HIP_KERNEL_NAME(explicitly<char, 7, true>), dim3(1), dim3(2), 0, nullptr, out); return was(1107, 1, 1, 2, 1, 0); }},
    {"hipLaunchKernelGGL, parentheses", [] { int *out = fresh(); hipLaunchKernelGGL((explicitly<char, 7, true>), 1, 2, 0, 0, out); return was(1107, 1, 1, 2, 1, 0); }},
    {"shared: bytes", [] { int *out = fresh(); sum_shared<<<1, 32, 32 * sizeof(double)>>>(out, 2.0); return was(64, 1, 1, 32, 1, 256); }},
    {"shared: of a template's type", [] { int *out = fresh(); typed_shared<short><<<1, 32, 64>>>(out); return was(33, 1, 1, 32, 1, 64); }},
    {"shared: sized", [] { int *out = fresh(); sized<<<1, 64, 256>>>(out); return was(256, 1, 1, 64, 1, 256); }},
    {"shared: several", [] { int *out = fresh(); both<<<1, 4, 16>>>(out); return was(3, 1, 1, 4, 1, 16); }},
    {"shared: rows", [] { int *out = fresh(); rows<<<1, 8, 64>>>(out); return was(35, 1, 1, 8, 1, 64); }},
    {"shared: pointers", [] { int *out = fresh(); pointed<<<1, 4, 32>>>(out); return was(8, 1, 1, 4, 1, 32); }},
    {"shared: before extern", [] { int *out = fresh(); before<<<1, 4, 16>>>(out); return was(4, 1, 1, 4, 1, 16); }},
    {"shared: volatile between", [] { int *out = fresh(); between<<<1, 4, 16>>>(out); return was(4, 1, 1, 4, 1, 16); }},
    {"shared: no array", [] { int *out = fresh(); one<<<1, 1, 16>>>(out); return was(4, 1, 1, 1, 1, 16); }},
    {"shared: attributes, lines, comments", [] { int *out = fresh(); aligned<<<1, 4, 16>>>(out); return was(11, 1, 1, 4, 1, 16); }},
    {"shared: alignas behind it", [] { int *out = fresh(); fixed<<<1, 1>>>(out); return was(7, 1, 1, 1, 1, 0); }},
    {"shared: in a macro", [] { int *out = fresh(); by_macro<<<1, 1, 16>>>(out); return was(13, 1, 1, 1, 1, 16); }},
    {"shared: at file scope", [] { int *out = fresh(); file_scope<<<1, 4, 64>>>(out); return was(13, 1, 1, 4, 1, 64); }},
};
const int spellings_count = sizeof spellings / sizeof *spellings;
