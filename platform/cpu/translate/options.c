/* The options of hipcc and nvcc: which say nothing to a CPU, and which have another name.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "compile.h"
#include "options.h"

/* A word, or what begins so. */
static bool matches(const char *option, const char *const *patterns)
{
    for (; *patterns; patterns++) {
        size_t length = strlen(*patterns);
        if ((*patterns)[length - 1] == '*' ? strncmp(option, *patterns, length - 1) == 0
                                           : strcmp(option, *patterns) == 0)
            return true;
    }
    return false;
}

bool option_is_ignored(const char *option)
{
    static const char *const patterns[] = {
        "--offload*", "--amdgpu-target=*", "-arch=*", "--gpu-*", "-gencode=*", "--generate-code=*",
        "-code=*", "-fgpu-*", "-fno-gpu-*", "--hip-*", "-hip-*", "-fhip-*", "--rocm-*", "--cuda-*",
        "-nogpu*", "-munsafe-fp-atomics", "-mno-unsafe-fp-atomics", "-mcumode", "-mwavefrontsize64",
        "-mno-wavefrontsize64", "-parallel-jobs=*", "--expt-*", "-expt-*", "--extended-lambda",
        "-extended-lambda", "-use_fast_math", "--use_fast_math", "-lineinfo",
        "--generate-line-info", "-rdc=*", "--relocatable-device-code=*", "--ptxas-options=*",
        "-Xptxas=*", "-maxrregcount=*", "--maxrregcount=*", "-m64", "--default-stream=*",
        "-cudart=*", "--cudart=*", "--threads=*", "-forward-unknown-*", "--forward-unknown-*",
        "-fcolor-diagnostics", "-lamdhip64", "-lhip_hcc", "-lroctx64", "-lroctracer64",
        "-lnvToolsExt", "-lhiprtc", "-lcudart", "-lcudart_static", "-lcudadevrt", "-lcuda",
        "--resource-usage", "-Xnvlink=*", "-stdlib=*", "-ccbin=*", "--compiler-bindir=*",
        "--no-device-link", "-G", "--device-debug", "-Weverything", "-objtemp", "-Xarch_host",
        "-keep", "--keep", "--dryrun=*", "-split-compile*", "--split-compile*", "-src-in-ptx",
        "--source-in-ptx", "-Ofast-compile=*", "-Ofc=*", "-brief-diag*", "--brief-diag*",
        "-restrict", "--restrict", "-ftz=*", "--ftz=*", "-fmad=*", "--fmad=*", "-prec-div=*",
        "--prec-div=*", "-prec-sqrt=*", "--prec-sqrt=*", "-res-usage", "-dlto", "-dopt=*",
        "-extra-device-vectorization", "--extra-device-vectorization", "--no-compress",
        "-save-temps*", "--save-temps*", "-cuda", "-ewp", "-Rpass*", "-ferror-limit=*",
        "-fno-color-diagnostics", "-fcuda-*", "-fno-cuda-*", "-fdenormal-fp-math*",
        "-fopenmp-targets=*", "-Xopenmp-target*", "-march=gfx*", "--target=*", "-fuse-ld=*",
        "--gcc-toolchain=*", "--gcc-install-dir=*", "-mcode-object-version=*", "-mamdgpu-*",
        "-mprintf-kind=*", "-nohip*", "-mtgsplit", "-mno-tgsplit", "-mno-cumode",
        "-fconvergent-functions", "-fno-convergent-functions", "-fvectorize", "-fno-vectorize",
        "-fslp-vectorize", "-fcomplete-member-pointers", "-allow-unsupported-compiler",
        "--allow-unsupported-compiler", "-diag-*", "--diag-*", "-default-stream=*",
        "-relocatable-device-code=*", "-Xfatbin=*", "-Xcudafe=*", "--objdir-as-tempdir",
        "-static-global-template-stub=*", "--static-global-template-stub=*", "-noeh",
        "--no-exceptions", "-nohdinitlist", "--no-host-device-initializer-list", "-nodlink", "-t=*",
        "-print-resource-usage", "-foffload-lto*", "-gpu-*", "-t4", "-no-compress",
        "-compress-mode=*", "--compress-mode=*", "--minimal", "-minimal", "-prune", "-astoolspatch",
        "-Werror=all-warnings", "-Werror=reorder", "-time=*", "--time=*", "-fapprox-func",
        "-fcoverage-mapping", "-fprofile-instr-generate*", "-mcpu=gfx*", "--no-offload*",
        "-ffp-exception-behavior=*", "-fno-hip-*", "-Xarch_gfx*", "-fopenmp-version=*",
        "-fintegrated-as", "-fno-integrated-as", "-rtlib=*", "-unwindlib=*", "-flto=thin",
        "-fmodules*", "-fdiagnostics-absolute-paths", "-fcaret-diagnostics", "--Werror=*",
        "-Werror=default-*", "-Qunused-arguments", "-fsave-optimization-record*",
        /* a launch is no ISO C++ */
        "-pedantic*", "-Wpedantic", "--pedantic*",
        /* libraries that no program can use, whose headers are refused */
        "-lcublas*", "-lcudnn*", "-lcufft*", "-lcurand*", "-lcusolver*", "-lcusparse*", "-lnccl*",
        "-lnpp*", "-lnvidia-ml", "-lnvrtc*", "-lhipblas*", "-lhipfft*", "-lhiprand*",
        "-lhipsolver*", "-lhipsparse*", "-lMIOpen*", "-lrccl*", "-lrocblas*", "-lrocfft*",
        "-lrocm_smi64", "-lrocrand*", "-lrocsolver*", "-lrocsparse*", NULL};
    return matches(option, patterns);
}
bool option_is_ignored_with_next(const char *option)
{
    static const char *const options[] = {"-arch",
                                          "-gencode",
                                          "--generate-code",
                                          "-code",
                                          "--gpu-architecture",
                                          "--gpu-code",
                                          "--offload-arch",
                                          "-Xptxas",
                                          "--ptxas-options",
                                          "-Xnvlink",
                                          "-maxrregcount",
                                          "--maxrregcount",
                                          "--default-stream",
                                          "-default-stream",
                                          "-cudart",
                                          "--cudart",
                                          "-ccbin",
                                          "--compiler-bindir",
                                          "--threads",
                                          "-t",
                                          "-Xarch_device",
                                          "-rdc",
                                          "-Xcudafe",
                                          "-m",
                                          "--machine",
                                          "-time",
                                          "--time",
                                          "--Werror",
                                          "-diag-warn",
                                          "--diag-warn",
                                          "-diag-error",
                                          "--diag-error",
                                          "--diag-suppress",
                                          "-diag-suppress",
                                          "-Xclang",
                                          "-mllvm",
                                          "--keep-dir",
                                          "-keep-dir",
                                          "--fmad",
                                          "-fmad",
                                          "--ftz",
                                          "-ftz",
                                          "-Xoffload-linker",
                                          "-Xarch_*",
                                          "-target",
                                          "-Xfatbin",
                                          "-Xarchive",
                                          "-dopt",
                                          "--dopt",
                                          "--relocatable-device-code",
                                          "-relocatable-device-code",
                                          "-prec-div",
                                          "--prec-div",
                                          "-prec-sqrt",
                                          "--prec-sqrt",
                                          "-split-compile",
                                          "--split-compile",
                                          "-Ofc",
                                          "--Ofast-compile",
                                          "-MJ",
                                          "-Xcuda-fatbinary",
                                          "-Xcuda-ptxas",
                                          "-Xanalyzer",
                                          "-fdevice-time-trace",
                                          "--fdevice-time-trace",
                                          NULL};
    return strcmp(option, "-Xarch_host") != 0 && matches(option, options);
}

const char *option_refused(const char *option)
{
    static const char *const code[] = {"--genco",    "-ptx",
                                       "--ptx",      "-cubin",
                                       "--cubin",    "-fatbin",
                                       "--fatbin",   "-optix*",
                                       "-ltoir",     "--cuda-device-only",
                                       "-emit-llvm", "--offload-device-only",
                                       NULL};
    static const char *const run[] = {"-run", "--run", NULL};
    static const char *const clean[] = {"-clean", "--clean", "--clean-targets", NULL};

    if (matches(option, code))
        return "there is no code for a GPU here: build for one";
    if (matches(option, run))
        return "build the program, and run it";
    if (matches(option, clean))
        return "remove what was built by hand";
    return NULL;
}

bool option_is_untraceable(const char *option)
{
    static const char *const patterns[] = {
        "-O*",      "-flto*",       "-ffast-math", "-Ofast", "-funroll-loops",
        "-march=*", "-fsanitize=*", "-g*",         NULL};
    return matches(option, patterns);
}

bool option_only_links(const char *option)
{
    static const char *const patterns[] = {"-l*",       "-L*",      "-Wl,*", "-shared",
                                           "-rdynamic", "-static*", "-pie",  NULL};
    return matches(option, patterns);
}

/* ---- in other words ---- */

const char *option_renamed(const char *option)
{
    static const char *const names[][2] = {
        {"-dc", "-c"},
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

    snprintf(option, sizeof option, "-std=%s", is_any(value, old) ? "gnu++17" : value);
    return option;
}
