# scrim: `make help` lists the targets. Plain `make` builds into build/$(BUILD)/ and installs
# nothing. One non-recursive file: sources are found, headers are tracked, every build flavour
# has a folder of its own.

VERSION  := 0.1.0
SOMAJOR  := 0
BUILD    ?= release
prefix   ?= /usr/local
bindir   ?= $(prefix)/bin
libdir   ?= $(prefix)/lib
includedir ?= $(prefix)/include
datadir  ?= $(prefix)/share
DESTDIR  ?=

ifeq ($(origin CC),default)
CC := gcc
endif
O := build/$(BUILD)$(if $(findstring clang,$(CC)),-clang)

# ---- flags ------------------------------------------------------------------------------
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
  -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wcast-qual -Wundef -Wformat=2 -Wswitch-enum \
  -Wnull-dereference
WERROR ?= -Werror
HARDEN := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection
FLAGS_release := -O2 -g $(HARDEN)
FLAGS_debug   := -O0 -g3
FLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    := -O1 -g -fsanitize=thread
FLAGS_fuzz    := -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
ifeq ($(FLAGS_$(BUILD)),)
$(error BUILD is release, debug, asan, tsan or fuzz, not "$(BUILD)")
endif
CFLAGS ?=
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(WERROR) -ffp-contract=off -fno-math-errno -fPIC -fvisibility=hidden \
  $(FLAGS_$(BUILD)) -Iinclude -Isrc $(CFLAGS)
ALL_LDFLAGS = $(filter -fsanitize%,$(FLAGS_$(BUILD))) -Wl,-z,relro,-z,now,-z,noexecstack $(LDFLAGS)
LIBS := -lflint-arb -lflint -lgmp -lcrypto
TEST_LIBS := -ljansson -lm -lpthread
WRAP := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

# ---- sources ----------------------------------------------------------------------------
ALL_SRC  := $(sort $(shell find src -name '*.c'))
SIDE     := %_test.c %_bench.c %_fuzz.c
TAPE     := src/random/bits_tape.c
LIB_SRC  := $(filter-out $(SIDE) $(TAPE) src/cli/%,$(ALL_SRC))
CLI_SRC  := $(filter-out $(SIDE),$(filter src/cli/%,$(ALL_SRC)))
TEST_SRC := $(filter %_test.c,$(ALL_SRC)) $(sort $(shell find tests -name '*.c' ! -path 'tests/install/*'))
BENCH_SRC := $(filter %_bench.c,$(ALL_SRC)) $(sort $(shell find bench -name '*.c'))
FUZZ_SRC := $(filter %_fuzz.c,$(ALL_SRC))

obj = $(patsubst %.c,$(O)/$(1)/%.o,$(2))
LIB_OBJ   := $(call obj,obj,$(LIB_SRC))
CLI_OBJ   := $(call obj,obj,$(CLI_SRC))
TLIB_OBJ  := $(call obj,tobj,$(LIB_SRC) $(TAPE))
TCLI_OBJ  := $(call obj,tobj,$(CLI_SRC))
TEST_OBJ  := $(call obj,tobj,$(TEST_SRC))
BENCH_OBJ := $(call obj,tobj,$(BENCH_SRC))

# ---- what is built ----------------------------------------------------------------------
.PHONY: all
all: $(O)/scrim $(O)/libscrim.a $(O)/libscrim.so ## build the program and the libraries (the default)

$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(O)/tobj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -DSCRIM_TESTING -Itests/harness -Itests -MMD -MP -c $< -o $@

$(O)/libscrim.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^
$(O)/libscrim.so.$(VERSION): $(LIB_OBJ) abi/libscrim.map
	$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,libscrim.so.$(SOMAJOR) -Wl,--version-script=abi/libscrim.map \
	  -Wl,--as-needed -o $@ $(LIB_OBJ) $(LIBS)
$(O)/libscrim.so: $(O)/libscrim.so.$(VERSION)
	@ln -sf libscrim.so.$(VERSION) $(O)/libscrim.so.$(SOMAJOR) && ln -sf libscrim.so.$(SOMAJOR) $@
$(O)/scrim: $(CLI_OBJ) $(O)/libscrim.a
	$(CC) $(ALL_LDFLAGS) -Wl,--as-needed -pie -o $@ $^ $(LIBS)

# Test builds: everything again with SCRIM_TESTING, never installed.
$(O)/libscrim-test.a: $(TLIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^
$(O)/scrim-test: $(TCLI_OBJ) $(O)/libscrim-test.a
	$(CC) $(ALL_LDFLAGS) -pie -o $@ $^ $(LIBS)
$(O)/tests: $(TEST_OBJ) $(O)/libscrim-test.a
	$(CC) $(ALL_LDFLAGS) $(WRAP) -pie -o $@ $^ $(LIBS) $(TEST_LIBS)
$(O)/bench: $(BENCH_OBJ) $(O)/libscrim-test.a
	$(CC) $(ALL_LDFLAGS) -pie -o $@ $^ $(LIBS) $(TEST_LIBS)

-include $(shell find $(O) -name '*.d' 2>/dev/null)
