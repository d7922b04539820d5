/* The options of hipcc and nvcc: which say nothing to a CPU, and which have another name.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../../include/hip_cpu/refused.h"
#include "../source/text.h"
#include "options.h"

/* A word of this length, or what begins so; with two dashes as with one, which is the same for nvcc. */
static bool matches(const char *option, size_t length, const char *const *patterns)
{
    for (; *patterns; patterns++)
        for (int dashes = strncmp(option, "--", 2) == 0; dashes >= 0; dashes--) {
            size_t known = strlen(*patterns), asked = length - (size_t)dashes;
            const char *word = option + dashes;
            if ((*patterns)[known - 1] == '*' ? asked >= known - 1 && strncmp(word, *patterns, known - 1) == 0
                                              : asked == known && strncmp(word, *patterns, known) == 0)
                return true;
        }
    return false;
}
static bool is_like(const char *option, const char *const *patterns)
{
    return matches(option, strlen(option), patterns);
}

static bool has_ignored_value(const char *option, size_t length)
{
    static const char *const patterns[] = {
        /* clang */ "-offload-arch", "-Xarch_*", "-target", "-Xclang", "-mllvm", "-Xoffload-linker", "-MJ",
        "-Xcuda-fatbinary", "-Xcuda-ptxas", "-Xanalyzer",
        /* nvcc */
        "-arch", "-gencode", "-generate-code", "-code", "-gpu-architecture", "-gpu-code", "-Xptxas", "-ptxas-options",
        "-Xnvlink", "-maxrregcount", "-default-stream", "-cudart", "-ccbin", "-compiler-bindir", "-threads", "-t",
        "-rdc", "-Xcudafe", "-m", "-machine", "-time", "--Werror", "-diag-warn", "-diag-error", "-diag-suppress",
        "-keep-dir", "-fmad", "-ftz", "-Xfatbin", "-Xarchive", "-dopt", "-relocatable-device-code", "-prec-div",
        "-prec-sqrt", "-split-compile", "-Ofc", "-Ofast-compile", "-fdevice-time-trace", "-archiver-binary", "-arbin",
        "-cudadevrt", "-libdevice-directory", "-ldir", "-target-directory", "-target-dir", "-optimization-info",
        "-opt-info", "-archive-options", "-nvlink-options", "-split-compile-extended", "-run-args",
        "-input-drive-prefix", "-idp", "-dependency-drive-prefix", "-ddp", "-drive-prefix", "-dp",
        "-host-linker-script", "-hls", "-brief-diagnostics", "-brief-diag", "-compress-mode", "-fatbin-options",
        "-frandom-seed", "-jump-table-density", "-jtd", "-static-global-template-stub",
        "-device-entity-has-hidden-visibility", "-device-stack-protector", NULL};
    return strcmp(option, "-Xarch_host") != 0 && matches(option, length, patterns);
}
bool option_is_ignored_with_next(const char *option) { return has_ignored_value(option, strlen(option)); }
bool option_is_ignored(const char *option)
{
    static const char *const patterns[] = {
        "--offload*", "--amdgpu-target=*", "-gpu-*", "-fgpu-*", "-fno-gpu-*", "-hip-*", "-fhip-*", "--rocm-*",
        "--cuda-*", "-nogpu*", "-munsafe-fp-atomics", "-mno-unsafe-fp-atomics", "-mcumode", "-mwavefrontsize64",
        "-mno-wavefrontsize64", "-parallel-jobs=*", "-expt-*", "-extended-lambda", "-use_fast_math", "-lineinfo",
        "-generate-line-info", "-m64", "-forward-unknown-*", "-fcolor-diagnostics", "-lamdhip64", "-lhip_hcc",
        "-lroctx64", "-lroctracer64", "-lnvToolsExt", "-lhiprtc", "-lcudart", "-lcudart_static", "-lcudadevrt",
        "-lcuda", "-resource-usage", "-stdlib=*", "-no-device-link", "-G", "-device-debug", "-Weverything", "-objtemp",
        "-Xarch_host", "-keep", "-dryrun=*", "-src-in-ptx", "-source-in-ptx", "-restrict", "-res-usage", "-dlto",
        "-extra-device-vectorization", "-no-compress", "-save-temps*", "-cuda", "-ewp", "-Rpass*", "-ferror-limit=*",
        "-fno-color-diagnostics", "-fcuda-*", "-fno-cuda-*", "-fdenormal-fp-math*", "-fopenmp-targets=*",
        "-Xopenmp-target*", "-march=gfx*", "-fuse-ld=*", "--gcc-toolchain=*", "--gcc-install-dir=*",
        "-mcode-object-version=*", "-mamdgpu-*", "-mprintf-kind=*", "-nohip*", "-mtgsplit", "-mno-tgsplit",
        "-mno-cumode", "-fconvergent-functions", "-fno-convergent-functions", "-fvectorize", "-fno-vectorize",
        "-fslp-vectorize", "-fcomplete-member-pointers", "-allow-unsupported-compiler", "-objdir-as-tempdir", "-noeh",
        "-no-exceptions", "-nohdinitlist", "-no-host-device-initializer-list", "-nodlink", "-print-resource-usage",
        "-foffload-lto*", "-t4", "-minimal", "-prune", "-astoolspatch", "-Werror=all-warnings", "-Werror=reorder",
        "-fapprox-func", "-fcoverage-mapping", "-fprofile-instr-generate*", "-mcpu=gfx*", "--no-offload*",
        "-ffp-exception-behavior=*", "-fno-hip-*", "-fopenmp-version=*", "-fintegrated-as", "-fno-integrated-as",
        "-rtlib=*", "-unwindlib=*", "-flto=thin", "-fmodules*", "-fdiagnostics-absolute-paths", "-fcaret-diagnostics",
        "-Werror=default-*", "-Qunused-arguments", "-fsave-optimization-record*", "-t0", "-t8", "-dlink-time-opt",
        "-gen-opt-lto", "-lto", "-jobserver", "-use-local-env", "-augment-host-linker-script", "-aug-hls",
        "-display-error-number", "-display_error_number", "-err-no", "-no-display-error-number", "-no-err-no",
        "-no-hip-rt", "-link", "-relocatable-ptx", "-reloc-ptx", "--W*",
        /* device code has its own rules */
        "-fstrict-aliasing", "-fstrict-overflow", "-fno-wrapv",
        /* a launch is no ISO C++ */
        "-pedantic*", "-Wpedantic",
        /* libraries that no program can use, whose headers are refused */
        "-lcublas*", "-lcudnn*", "-lcufft*", "-lcurand*", "-lcusolver*", "-lcusparse*", "-lnccl*", "-lnpp*",
        "-lnvidia-ml", "-lnvrtc*", "-lhipblas*", "-lhipfft*", "-lhiprand*", "-lhipsolver*", "-lhipsparse*", "-lMIOpen*",
        "-lrccl*", "-lrocblas*", "-lrocfft*", "-lrocm_smi64", "-lrocrand*", "-lrocsolver*", "-lrocsparse*", NULL};
    const char *equals = strchr(option, '=');
    return is_like(option, patterns) || (equals && has_ignored_value(option, (size_t)(equals - option)));
}

const char *option_refused(const char *option)
{
    static const struct {
        const char *pattern[2]; /* ended by NULL */
        const char *instead;
    } rows[] = {
#define REFUSED_OPTION(pattern, instead) {{pattern, NULL}, instead},
        HIP_CPU_REFUSED_OPTIONS(REFUSED_OPTION)};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_like(option, rows[i].pattern))
            return rows[i].instead;
    return NULL;
}

bool option_is_untraceable(const char *option)
{
    static const char *const patterns[] = {"-O*",      "-flto*",       "-ffast-math", "-Ofast", "-funroll-loops",
                                           "-march=*", "-fsanitize=*", "-g*",         NULL};
    return is_like(option, patterns);
}

bool option_only_links(const char *option)
{
    static const char *const patterns[] = {"-l*", "-L*", "-Wl,*", "-shared", "-rdynamic", "-static*", "-pie", NULL};
    return is_like(option, patterns);
}

/* ---- in other words ---- */

const char *option_renamed(const char *option)
{
    static const char *const names[][2] = {{"-dc", "-c"},
                                           {"-lib", "--emit-static-lib"},
                                           {"--lib", "--emit-static-lib"},
                                           {"-dlink", "--device-link"},
                                           {"-dw", "-c"},
                                           {"--device-w", "-c"},
                                           {"--preprocess", "-E"},
                                           {"--output-directory", "-odir"},
                                           {"--generate-dependencies-with-compile", "-MD"},
                                           {"--generate-nonsystem-dependencies", "-MM"},
                                           {"--generate-nonsystem-dependencies-with-compile", "-MMD"},
                                           {"--dependency-output", "-MF"},
                                           {"--dependency-target-name", "-MT"},
                                           {"--generate-dependency-targets", "-MP"},
                                           {"-h", "--help"},
                                           {"--generate-dependencies", "-M"},
                                           {"--disable-warnings", "-w"},
                                           {"--verbose", "-v"},
                                           {"--system-include", "-isystem"},
                                           {"--pre-include", "-include"},
                                           {"--undefine-macro", "-U"},
                                           {"--optimize", "-O"},
                                           {"--x", "-x"},
                                           {"--language", "-x"},
                                           {"-ffp-contract=fast-honor-pragmas", "-ffp-contract=fast"},
                                           {"--device-c", "-c"},
                                           {"--compile", "-c"},
                                           {"--shared", "-shared"},
                                           {"--debug", "-g"},
                                           {"-gline-tables-only", "-g1"},
                                           {"-fast-math", "-ffast-math"},
                                           {"--fdevice-syntax-only", "-fsyntax-only"},
                                           {"-fdevice-syntax-only", "-fsyntax-only"},
                                           {"-fopenmp=libomp", "-fopenmp"},
                                           {"-fopenmp=libgomp", "-fopenmp"},
                                           {"--output-file", "-o"},
                                           {"--include-path", "-I"},
                                           {"--library", "-l"},
                                           {"--library-path", "-L"},
                                           {"--define-macro", "-D"},
                                           {"-lomp", "-fopenmp"},
                                           {"--linker-options", "-Xlinker"},
                                           {"--compiler-options", "-Xcompiler"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i][0]) == 0)
            return names[i][1];
    return option;
}

const char *option_standard(const char *value)
{
    static const char *const old[] = {"c++98",   "c++03",   "c++0x",   "c++11",   "c++1y",
                                      "c++14",   "gnu++98", "gnu++03", "gnu++0x", "gnu++11",
                                      "gnu++1y", "gnu++14", "c++1z",   "gnu++1z", NULL};
    static char option[64];

    /* As compilers of before 2023 call it, too. */
    value = strcmp(value, "c++23") == 0 ? "c++2b" : strcmp(value, "gnu++23") == 0 ? "gnu++2b" : value;
    snprintf(option, sizeof option, "-std=%s", is_any(value, old) ? "gnu++17" : value);
    return option;
}
