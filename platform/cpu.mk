# CPU: the kernels are C++ for the host compiler; platform/cpu brings the HIP runtime.
# -Wno-pass-failed: a loop that clang does not vectorize is no mistake.
platform_name := CPU

kernel_compiler := $(CXX)
kernel_word     := CXX
kernel_flags    := -x c++ -std=c++17 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -pthread \
                   -fno-exceptions -fno-rtti -Wno-unknown-pragmas -Wno-pass-failed $(CXXFLAGS)

platform_cppflags := -D__HIP_PLATFORM_CPU__ -Iplatform/cpu
platform_sources  := $(wildcard platform/cpu/*.c)
platform_libs     := -pthread -Wl,--as-needed -lstdc++ -Wl,--no-as-needed
