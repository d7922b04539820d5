/* nogpu/translate: every spelling of a launch and of dynamic shared memory compiles and works; and the translated text
 * is right to the byte where that matters: other text, lines and columns.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "translate/changes/changes.h"
#include "suite.h"
#include "translate_cpu_kernels.h"

TESTS(spellings_run, spellings_count) { ck_assert_msg(spellings[_i].right(), "%s", spellings[_i].name); }

static char *translated(const char *text)
{
    struct source s = source_read(text, strlen(text));
    struct edits edits = {0};
    struct text configurations = {0};
    struct text out = {0}, kernels = {0};

    find_launches(&s, &edits, &configurations);
    find_configured(&s, &configurations, &edits);
    find_shared(&s, &edits);
    find_names(&s, &edits);
    find_device(&s, &edits);
    find_threads(&s, true, &edits);
    find_kernels(&s, &kernels);
    find_addresses(&s, &kernels, &edits);
    if (edits.count > 0)
        edits_apply(&s, &edits, "a.hip", &out);
    else
        text_add(&out, text, strlen(text));
    text_add(&out, "", 1);
    text_free(&kernels);
    text_free(&configurations);
    edits_free(&edits);
    source_free(&s);
    return out.data;
}

/* Text that is neither a launch nor a declaration stays unchanged. */
static const char *const kept[] = {
    "",
    "int x = a << b >> c; // k<<<1, 1>>>(x)\n",
    "/* k<<<1, 1>>>(x) extern __shared__ int x[]; */",
    "// a comment \\\n k<<<1, 1>>>(x)\n",
    "const char *s = \"k<<<1, 1>>>(x)\\\" extern __shared__ int x[];\";\n",
    "auto r = R\"x(\" k<<<1, 1>>>(x) )\" )x\", u = u8R\"(k<<<1>>>())\";",
    "std::ostream &operator<<<T>(std::ostream &, T);",
    "x = operator<<<int>(a, b >>> (c));",
    "<<<<<<< ours\nk>>>(x)\n",
    "k<<<1, 1>>>;",
    "#if 0\ndon't k<<<1, 1\n#endif\n",
    "extern int x; __shared__ float y[3];",
    "__attribute__((__noinline__)) void f(); [[gnu::noinline]] void g();",
    "#define __noinline__ __attribute__((noinline))\n",
    "char c = '\"'; int d = 1'000'000; char e = L'\\''; // <<<\n",
    "\r\n#include <x>\r\n",
    "void k(int);\nvoid *f = (void *)k;\n",
    "__global__ void k();\nvoid *f = (void *)other, *g = (char *)k, *h = (void *)x.k;\n"
    "size_t n = sizeof(void *) k;\n",
    "__host__ __device__ int f()\n{\n#ifdef __CUDA_ARCH__\n    return 1;\n#endif\n}\n",
    "#ifndef __CUDA_ARCH__\nint host();\n#endif\n#define ON_GPU defined(__CUDA_ARCH__)\n",
    "__device__ void f() { return; }\nvoid g() { return; }\n",
    "x = operator<< <int>(a, b >> > (c));\nstd::cout << k << (1 >> 2);\n",
    "#define SUM a + \\ // b\n",
    "<<<",
    "k<<<",
    "k<< <",
    "extern __shared__",
    "__shared__",
    "R\"",
    "/*",
    "'",
};

TESTS(other_text_stays, COUNT(kept))
{
    char *got = translated(kept[_i]);
    ck_assert_str_eq(got, kept[_i]);
    free(got);
}

/* What each translated text begins with. */
#define FIRST_LINE "#line 1 \"a.hip\"\n"

static const struct {
    const char *from, *to;
} changed[] = {
    {"x = a + \\ // b\n    c;\n", "x = a +   // b\n    c;\n"},
    {"__global__ void k(int *x);\nconst void *f = (const void *)k;\n",
     "__global__ void k(int *x);\nconst void *f = (const void *)HIP_CPU_ADDRESS(k);\n"},
    {"template <int N> void __global__ __launch_bounds__(64) k();\nvoid *f[] = {(void*)&a::k<2>, reinterpret_cast<void "
     "*>(k<(2 > 1)>)};\n",
     "template <int N> void __global__ __launch_bounds__(64) k();\nvoid *f[] = {(void*)HIP_CPU_ADDRESS(&a::k<2>), "
     "reinterpret_cast<void *>(HIP_CPU_ADDRESS(k<(2 > 1)>))};\n"},
    {"__device__ int f()\n{\n#if __CUDA_ARCH__ >= 700 // x\n    return 1;\n#endif\n}\n",
     "__device__ int f()\n{\n#if HIP_CPU_CUDA_ARCH >= 700 // x\n    return 1;\n#endif\n}\n"},
    {"#ifdef __HIP_DEVICE_COMPILE__\n#if 1\n#endif\n__device__ int f();\n#endif\n",
     "#ifdef HIP_CPU_DEVICE_COMPILE\n#if 1\n#endif\n__device__ int f();\n#endif\n"},
    {"__device__ void k() { asm volatile(\"v_nop\"); asm(\"\" ::: \"memory\"); }\nvoid h() { asm(\"nop\"); }\n",
     "__device__ void k() { HIP_CPU_NO_ASSEMBLY(\"v_nop\"); asm(\"\" ::: \"memory\"); }\nvoid h() { asm(\"nop\"); }\n"},
    {"__device__ void k(int *o) { o[0] = clock () - t.clock(); }\nlong h() { return clock(); }\n",
     "__device__ void k(int *o) { o[0] = clock64 () - t.clock(); }\nlong h() { return clock(); }\n"},
    {"struct s { __device__ int f() { int a[] = {1}; return __CUDA_ARCH__; } };\n",
     "struct s { __device__ int f() { int a[] = {1}; return HIP_CPU_CUDA_ARCH; } };\n"},
    {"  k<<<g, b>>>(x);\n", "  HIP_CPU_LAUNCH(\n#line 1\n  k)( g, b)  (x);\n"},
    {"k << <g, b >> 1 >> > (x);\n", "HIP_CPU_LAUNCH(\n#line 1\nk )( g, b >> 1 )   (x);\n"},
    {"\n\tk /**/\n<<<g,\nb>>>\n(x); y();\n", "\n\tHIP_CPU_LAUNCH(\n#line 2\n\tk /**/\n)( g,\nb)  \n(x); y();\n"},
    {"#define L(k) \\\n  k<<<g, b>>>()\nz\n", "#define L(k) \\\n  HIP_CPU_LAUNCH(k)( g, b)  ()\nz\n"},
    {"char s[] = \"a\\\nb\"; k<<<g, b>>>(); // k<<<\n",
     "char s[] = \"a\\\nb\"; HIP_CPU_LAUNCH(\n#line 2\n    k)( g, b)  (); // k<<<\n"},
    {"#define L(k, how, with) k<<<1, how>>> with\n  k<<<1, 2>>>WITH;\n",
     "#define L(k, how, with) HIP_CPU_LAUNCH(k)( 1, how)   with\n  HIP_CPU_LAUNCH(\n#line 2\n  k)( 1, 2)  WITH;\n"},
    {"#if A\nk<<<1, 2>>>();\n#if B // is skipped, too\n#endif\n#else /* of\nA */\nx\n#endif\n#if C\n#endif\ny\n",
     "#if A\nHIP_CPU_LAUNCH(\n#line 2\nk)( 1, 2)  ();\n#if B // is skipped, too\n#endif\n#line 5\n#else /* of\nA "
     "*/\n#line 7\nx\n#endif\n#line 9\n#if C\n#endif\ny\n"},
    {"void f() { extern __shared__ T x[], *y[]; x(); }",
     "void f() { HIP_CPU_EXTERN_SHARED(x, T []); HIP_CPU_EXTERN_SHARED(y, T *[])\n#line 1\n                            "
     "            ; x(); }"},
    {"namespace a::b { extern \"C\" { extern __shared__\nT x[]; int y; } }",
     "namespace a::b { extern \"C\" { HIP_CPU_EXTERN_SHARED_FILE(x, T [])\n#line 2\n     ; int y; } }"},
    {"namespace { extern __shared__ A<B, C> x[]; }",
     "namespace { HIP_CPU_EXTERN_SHARED_STATIC(x, A<B, C> [])\n#line 1\n                                         ; }"},
    {"#if A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\nextern __shared__ T x[];",
     "#if A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\nHIP_CPU_EXTERN_SHARED_FILE(x, T [])\n#line 7\n               "
     "        ;"},
    {"__global__ void k() { c<<<1, 2>>>(); }\n",
     "__global__ void k() { hip_cpu_enters(__func__);\n#line 1\n                      HIP_CPU_LAUNCH_HERE(\n#line 1\n  "
     "                    c)( 1, 2)  (); }\n"},
    {"template <int N> __global__ void __launch_bounds__(N) k(int (*x)[3])\n{\n}\n__global__ void k();",
     "template <int N> __global__ void __launch_bounds__(N) k(int (*x)[3])\n{ hip_cpu_enters(__func__); if "
     "(hip_cpu_exceeds(__func__, N)) return;\n}\n__global__ void k();"},
    {"#define FEW __launch_bounds__(64, 2)\n#define MOST(n) __launch_bounds__(n)\n__global__ void FEW k() "
     "{\n}\n__global__ void MOST(8) j() {\n}\n__global__ void LAUNCH_BOUNDS(9) i() {\n}\n",
     "#define FEW __launch_bounds__(64, 2)\n#define MOST(n) __launch_bounds__(n)\n__global__ void FEW k() { "
     "hip_cpu_enters(__func__); if (hip_cpu_exceeds(__func__, 64, 2)) return;\n}\n__global__ void MOST(8) j() { "
     "hip_cpu_enters(__func__); if (hip_cpu_exceeds(__func__, 8)) return;\n}\n__global__ void LAUNCH_BOUNDS(9) i() { "
     "hip_cpu_enters(__func__); if (hip_cpu_exceeds(__func__, 9)) return;\n}\n"},
    {"__global__ void BOUNDS(3) k(int) {\n}\n__global__ void j(int) BODY\nint main() {\n}\n",
     "__global__ void BOUNDS(3) k(int) { hip_cpu_enters(__func__);\n}\n__global__ void j(int) BODY\nint main() {\n}\n"},
    {"#if 0\nk<<<1, 2>>>();\n#if 1\nk<<<1, 2>>>();\n#endif\n#else\n__noinline__\n#endif\n",
     "#if 0\nk<<<1, 2>>>();\n#if 1\nk<<<1, 2>>>();\n#endif\n#else\nHIP_NOINLINE\n#endif\n"},
    {"__global__ void k() { if (a[i] < 0) { return ; } auto f = [=](int x) { return; }; }\n",
     "__global__ void k() { hip_cpu_enters(__func__);\n#line 1\n                      if (a[i] < 0) { return "
     "hip_cpu_returns()\n#line 1\n                                             ; } auto f = [=](int x) { return; }; "
     "}\n"},
    {"#define ENDS if (x) return;\n__global__ void k() { ENDS }\n",
     "#define ENDS if (x) { hip_cpu_returns_from(__func__); return; }\n#line 1\n                           "
     "\n__global__ void k() { hip_cpu_enters(__func__);\n#line 2\n                      ENDS }\n"},
    {"__global__ void k() BODY void f() { c<<<1, 2>>>(); }\n",
     "__global__ void k() BODY void f() { HIP_CPU_LAUNCH(\n#line 1\n                                    c)( 1, 2)  (); "
     "}\n"},
    {"X(1) __global__ void k(int) Y(2) __device__ enable<sizeof(T), T> f(T x) { asm(\"v\"); }\n",
     "X(1) __global__ void k(int) Y(2) __device__ enable<sizeof(T), T> f(T x) { HIP_CPU_NO_ASSEMBLY(\"v\"); }\n"},
    {"__device__ A::A(int x) : B::C(x), d(y) { asm(\"v\"); }\n",
     "__device__ A::A(int x) : B::C(x), d(y) { HIP_CPU_NO_ASSEMBLY(\"v\"); }\n"},
    {"__noinline__ void f();", "HIP_NOINLINE void f();"},
    {"__builtin_memset(a, 0, 12);", "memset          (a, 0, 12);"},
};

TESTS(lines_and_columns_stay, COUNT(changed))
{
    char *got = translated(changed[_i].from);
    size_t begins = strlen(FIRST_LINE);
    ck_assert(strncmp(got, FIRST_LINE, begins) == 0);
    ck_assert_str_eq(got + begins, changed[_i].to);
    free(got);
}

/* Every prefix of a text is read to its end and not beyond (SAN=address). */
TEST(torn_text)
{
    for (size_t i = 0; i < COUNT(changed); i++)
        for (size_t length = strlen(changed[i].from); length-- > 0;) {
            char *part = strndup(changed[i].from, length), *got = translated(part);
            ck_assert(strlen(got) >= length);
            free(got);
            free(part);
        }
}
