# SPDX-License-Identifier: MIT
# The rules of nogpu: the translator, the runtime, plain and traced, and the words of the compilers' commands. nogpu/Makefile
# includes this file, and so does a client that builds its own programs with the runtime:
#
#   nogpu     this folder as make sees it: empty, or nogpu/
#   N         the folder for the output
#   CC CXX AR CFLAGS CXXFLAGS LDFLAGS WERROR, say, Q as in nogpu/Makefile; sanitize: -fsanitize=...
#
# A client compiles kernels by $(N)/hip_translate $(CXX) with $(nogpu_kernel_flags), and C with $(nogpu_cppflags); it links
# $(nogpu_library) and $(nogpu_libs). nogpu_mode is plain, or traced: every access of a kernel is seen.
nogpu_mode ?= plain

nogpu_cppflags = -D__HIP_PLATFORM_CPU__ -I$(nogpu)include
nogpu_library  = $(N)/$(nogpu_mode)/libhip.a
nogpu_flags_of = -O2 -g -pthread -Wno-unknown-pragmas -D__HIP_PLATFORM_CPU__ $(if $(filter traced,$1),-DHIP_CPU_TRACE) \
                 $(shell sh $(nogpu)flags.sh $1 $(if $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),'',$(N)) $(CXX))

# elfutils' libdw reads the lines, names and types of a traced program; with conda it is in a folder of its own.
libdw = $(eval libdw := $$(nogpu_find_libdw))$(libdw)
nogpu_find_libdw = $(if $(libdw_is),$(libdw_is),$(shell pkg-config --cflags --libs libdw 2>/dev/null || { \
    $(CC) $(CFLAGS) -include elfutils/libdw.h -fsyntax-only -x c /dev/null 2>/dev/null && echo '-ldw -lelf'; }))
get_libdw := apt install libdw-dev, dnf install elfutils-devel, or conda install elfutils

# clang's undefined behaviour sanitizer has a separate C++ runtime, which the C compiler does not link. Copies that the
# compiler leaves to libc are seen, too.
nogpu_comma := ,
nogpu_libs_of = -pthread -Wl,--as-needed -lstdc++ -Wl,--no-as-needed \
    $(if $(findstring undefined,$(sanitize)),$(if $(findstring clang,$(CC)),-fsanitize-link-c++-runtime)) \
    $(if $(filter traced,$1),-Wl$(nogpu_comma)--undefined=trace_observer \
        $(patsubst %,-Wl$(nogpu_comma)--wrap=%,memcpy memmove memset pthread_mutex_unlock malloc free _Znwm _Znam \
            _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm) $(filter-out -I%,$(libdw)) \
        $(patsubst -L%,-Wl$(nogpu_comma)-rpath$(nogpu_comma)%,$(filter -L%,$(libdw))))

# ------------------------------------------------------------------------------------- translator
nogpu_translator := $(wildcard $(nogpu)translate/*.c $(nogpu)translate/*/*.c)
$(N)/hip_translate: $(nogpu_translator) $(wildcard $(nogpu)translate/*/*.h) $(nogpu)include/hip_cpu/refused.h $(N)/settings
	$(say) CC $(@F)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -Og -g -Wall -Wextra $(if $(WERROR),-Werror) $(CFLAGS) $(nogpu_translator) -o $@.new && mv -f $@.new $@ # it may be running

# Builds and runs programs, and joins what the runs of a traced one have found.
nogpu_report := $(wildcard $(nogpu)command/*.c $(nogpu)report/*.c)
$(N)/nogpu_report: $(nogpu_report) $(wildcard $(nogpu)command/*.h $(nogpu)report/*.h) $(N)/settings
	$(say) CC $(@F)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -Og -g -Wall -Wextra $(if $(WERROR),-Werror) $(CFLAGS) $(nogpu_report) -o $@.new && mv -f $@.new $@
$(N)/plain/words $(N)/asan/words $(N)/traced/words: $(N)/nogpu_report

# The names of CUDA's and ROCm's headers.
$(N)/include: $(nogpu)headers.txt $(nogpu)names.txt $(nogpu)headers.sh $(wildcard $(nogpu)include/*.h $(nogpu)include/hip/*.h) | $(N)/settings
	@mkdir -p $(@D)
	@sh $(nogpu)headers.sh $@ <$<

# ---------------------------------------------------------------------------------------- runtime
# Position-independent: a shared library that another compiler links has the runtime, too.
nogpu_cflags = -std=c11 -O2 -g1 -Wall -Wextra $(if $(WERROR),-Werror) $(sanitize) $(CFLAGS) \
               -D_GNU_SOURCE -D__HIP_PLATFORM_CPU__ -I$(nogpu)include -fPIC -ftls-model=initial-exec -MMD -MP
nogpu_runtime := $(wildcard $(nogpu)runtime/*.c $(nogpu)runtime/*/*.c)
nogpu_trace   := $(wildcard $(nogpu)trace/*.c $(nogpu)trace/*/*.c $(nogpu)trace/*/*/*.c) $(nogpu)report/finding.c $(nogpu)report/json_text.c
nogpu_objects  = $(patsubst $(nogpu)%.c,$(N)/$1/%.o,$2)

$(N)/plain/%.o: $(nogpu)%.c $(N)/settings
	@mkdir -p $(@D)
	$(say) CC "nogpu/$*.c"
	$(Q)$(CC) $(nogpu_cflags) $(if $(filter runtime/here,$*),-g) -c $< -o $@ # command/gdb.py reads its variables
$(N)/traced/%.o: $(nogpu)%.c $(N)/settings
	@mkdir -p $(@D)
	$(say) CC "nogpu/$*.c, traced"
	$(Q)$(CC) $(nogpu_cflags) -DHIP_CPU_TRACE $(filter -I%,$(libdw)) -c $< -o $@

$(N)/asan/%.o: $(nogpu)%.c $(N)/settings
	@mkdir -p $(@D)
	$(say) CC "nogpu/$*.c, for AddressSanitizer"
	$(Q)$(CC) $(nogpu_cflags) -fsanitize=address -c $< -o $@

$(N)/asan/libhip.a: $(call nogpu_objects,asan,$(nogpu_runtime))
$(N)/plain/libhip.a: $(call nogpu_objects,plain,$(nogpu_runtime))
$(N)/traced/libhip.a: $(call nogpu_objects,traced,$(nogpu_runtime) $(nogpu_trace))
$(N)/plain/libhip.a $(N)/asan/libhip.a $(N)/traced/libhip.a:
	$(say) AR "$(patsubst $(N)/%,%,$@)"
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# Objects depend on this file, which changes with what they are compiled with.
nogpu_keep = { text=$$(cat && echo .) && [ "$$text" = "$$(cat $@ 2>/dev/null && echo .)" ] || { printf %s "$${text%.}" >$@.$$$$ && mv -f $@.$$$$ $@; }; }
$(N)/settings: FORCE | $(filter clean,$(MAKECMDGOALS))
	@text=$(call nogpu_quote,$(strip $(CC) $(CXX) $(AR) $(CXXFLAGS) $(filter-out -Werror,$(nogpu_cflags)))); { read -r was <$@ && [ "$$was" = "$$text" ]; } 2>/dev/null || \
	    { mkdir -p $(@D) && printf '%s\n' "$$text" >$@.$$$$ && mv -f $@.$$$$ $@; }
nogpu_quote = '$(subst ','\'',$1)'

# -------------------------------------------------------------------------------------- compilers
# A word in each line: the compiler's, and after an empty line the linker's. {nogpu}, {build} and {compiled} are folders, which
# may move. The program has all of the runtime, and shared libraries find it there. Every source begins with one of two headers
# (translate/driver/driver.c), which GCC reads compiled: that saves 0.3 s, unless the flags of a project differ in what matters.
# Thrust's own headers are taken from the CUDA toolkit, too; compilers pass over folders that are not there.
nogpu_cccl = /usr/local/cuda/include/cccl
nogpu_compiled = $(if $(findstring clang,$(CXX)),,$(addprefix $(N)/$1/compiled/,hip_cpu/language.h.gch cuda_runtime.h.gch))
$(N)/plain/words $(N)/asan/words $(N)/traced/words: $(N)/%/words: $(N)/%/libhip.a $(N)/include $(N)/hip_translate $(nogpu)flags.txt $(nogpu)nogpu.mk
	@printf '%s\n' $(CXX) -std=gnu++17 $(call nogpu_flags_of,$*) -I{compiled} -I{build}/include -I{nogpu}/include -idirafter $(nogpu_cccl) \
	    '' -rdynamic -Wl,--whole-archive {build}/$*/libhip.a -Wl,--no-whole-archive $(call nogpu_libs_of,$*) -lm | $(nogpu_keep)
	@touch $@

# Not from ccache, which does not see that a macro has changed.
nogpu_compile_header = @mkdir -p $(@D) && CCACHE_DISABLE=1 HIP_CPU_ROOT=$(nogpu:%/=%)$(if $(nogpu),,.) NOGPU_BUILD=$(N) NOGPU_COMPILED=$(N)/$1/compiled \
    $(N)/hip_translate --headers $2 $(N)/$1/words $(@:.gch=) -MD -MP -MF $(@:.gch=.d) -MT $@
$(N)/plain/compiled/%.gch: $(N)/plain/words
	$(call nogpu_compile_header,plain,$*)
$(N)/traced/compiled/%.gch: $(N)/traced/words
	$(call nogpu_compile_header,traced,$*)

-include $(wildcard $(addsuffix .d,$(basename $(foreach m,plain asan traced,$(call nogpu_objects,$m,$(nogpu_runtime) $(nogpu_trace)) $(N)/$m/compiled/hip_cpu/language.h.gch $(N)/$m/compiled/cuda_runtime.h.gch))))

.PHONY: nogpu-plain nogpu-asan nogpu-traced
nogpu-asan: $(N)/asan/words
nogpu-plain: $(N)/plain/words $(call nogpu_compiled,plain)
nogpu-traced: $(N)/traced/words $(call nogpu_compiled,traced)

# ------------------------------------------------------------------------------------- installing
# All that the commands need, in lib/nogpu, which may be moved.
nogpu_install = $(DESTDIR)$(PREFIX)
PREFIX ?= /usr/local
.PHONY: install-nogpu uninstall-nogpu
install-nogpu: $(N)/plain/words $(N)/asan/words $(if $(filter install install-nogpu,$(MAKECMDGOALS)),$(if $(libdw),$(N)/traced/words)) ## your own code | install nogpu: HIP and CUDA programs on the CPU; PREFIX=/usr/local DESTDIR=
	@sh $(nogpu)install.sh $(N) $(call nogpu_quote,$(nogpu_install:~/%=$(HOME)/%))
uninstall-nogpu: ## your own code | remove what install-nogpu has installed
	@rm -rf $(call nogpu_quote,$(nogpu_install:~/%=$(HOME)/%)/lib/nogpu) && rm -f $(foreach f,bin/nogpu share/man/man1/nogpu.1 share/bash-completion/completions/nogpu share/zsh/site-functions/_nogpu,$(call nogpu_quote,$(nogpu_install:~/%=$(HOME)/%)/$f))
