# poetbnb: GNU make, gcc. `make` builds the program, `make check` installs what the
# tests need and runs them, `make bench` computes the paper's figures.
# VARIANT=release|debug|asan|tsan|fuzz|portable chooses the flags and a folder of its own in build/;
# what is installed is portable.

VARIANT ?= release
CC = gcc
OBJCOPY = objcopy
# Without, threads do one after the other what they would do side by side.
OPENMP ?= -fopenmp
ROOMS = base problem lp formulation heuristics bnb exact certificate baselines plan library cli
# Folders of a room beside its own files: one library all the same, so no two files of one name.
WINGS_lp = io factor simplex safe
WINGS_bnb = model cuts
WINGS_exact = finder timeline cells labels cases
OUT = build/$(VARIANT)

PREFIX ?= /usr/local
DESTDIR ?=

WARN = -Wall -Wextra $(if $(filter portable,$(VARIANT)),,-Werror) -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
STD = -std=c11 -D_GNU_SOURCE -I.
PKGS = jansson zlib
FLAGS_release = -O2 -g -march=native -ffp-contract=off -fno-math-errno -DNDEBUG
# For any processor of the kind; ARCH=-march=native for this one, with the same answers.
FLAGS_portable = -O2 -g -fPIC -fvisibility=hidden -ffp-contract=off -fno-math-errno -DNDEBUG $(ARCH)
FLAGS_debug = -O1 -g
FLAGS_asan = -O2 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan = -O1 -g -fsanitize=thread
FLAGS_fuzz = $(FLAGS_asan)
# For read_fuzz: tells which code an input reaches; of the program, not of the tests.
COVERAGE_fuzz = -fsanitize-coverage=trace-pc
# CPPFLAGS, CFLAGS and LDFLAGS are the user's, and come last.
COMPILE = $(WARN) $(STD) $(FLAGS_$(VARIANT)) -pthread $(OPENMP) $(shell pkg-config --cflags $(PKGS)) $(CPPFLAGS) $(CFLAGS)
# Of gcc, which else has it in shared libraries: a process starts in two thirds of the time.
LINK_asan = $(if $(findstring clang,$(CC)),,-static-libasan -static-libubsan)
LINK = $(FLAGS_$(VARIANT)) $(LINK_$(VARIANT)) -pthread $(OPENMP) $(LDFLAGS)
LDLIBS = $(shell pkg-config --libs $(PKGS)) -lgmp -lm

# The targets that build and then do more build on all processors, unless make was
# told a number of jobs.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# Libraries in the order a one-pass linker wants: users first.
LINK_ORDER = baselines plan certificate exact heuristics bnb formulation lp problem base
LIBS = $(LINK_ORDER:%=$(OUT)/lib%.a)

.PHONY: all FORCE
all: $(OUT)/poetbnb $(OUT)/liblibrary.a

# A file whose time changes only when its text does: what depends on it is made
# again when the compiler's flags, or the list of a library's files, change.
define remember
@mkdir -p $(@D)
@printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' > $@
endef

$(OUT)/flags: FORCE
	$(call remember,$(CC) $(COMPILE))

# $(1) is the library's name, $(2) the folder of its sources.
define room_rules
$(1)_OBJ := $$(patsubst %.c,$(OUT)/%.o,$$(wildcard $(2)/*.c $(WINGS_$(1):%=$(2)/%/*.c)))
$(OUT)/lib$(1).list: FORCE
	$$(call remember,$$($(1)_OBJ))
$(OUT)/lib$(1).a: $$($(1)_OBJ) $(OUT)/lib$(1).list
	@rm -f $$@
	ar rcs $$@ $$(filter %.o,$$^)
endef
$(foreach r,$(ROOMS),$(eval $(call room_rules,$(r),$(r))))
$(eval $(call room_rules,oracle,tests/oracle))

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(CC) $(COMPILE) $(if $(filter tests/%,$<),,$(COVERAGE_$(VARIANT))) -MMD -MP -c -o $@ $<

# The scripts of the program's own pictures, as the texts cli_plot_NAME of cli/plot.h.
CLI_PLOTS = plots/style.gp plots/schedule.gp plots/frontier.gp
$(OUT)/plots.c: $(CLI_PLOTS) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "cli/plot.h"'; for f in $(CLI_PLOTS); do \
		printf 'const char cli_plot_%s[] =\n' "$$(basename $$f .gp)"; \
		sed 's/[\\"]/\\&/g; s/.*/    "&\\n"/' $$f; echo '    ;'; done; } > $@
$(OUT)/plots.o: $(OUT)/plots.c $(OUT)/flags
	$(CC) $(COMPILE) -MMD -MP -c -o $@ $<
$(OUT)/libcli.a: $(OUT)/plots.o

$(OUT)/poetbnb: $(OUT)/libcli.a $(OUT)/liblibrary.a $(LIBS)
	$(CC) $(LINK) -o $@ $^ $(LDLIBS)

# ---- tests: tests/ROOM/*.c make one Check runner, $(OUT)/tests/run-ROOM, with tests/suite.c ------
# tests/data holds files, tests/oracle what several rooms' tests share, tests/fuzz
# programs that run for long: no runners.
TEST_ROOMS = $(filter-out bench data oracle fuzz install,$(notdir $(patsubst %/,%,$(sort $(dir $(wildcard tests/*/*.c))))))
TEST_RUNNERS = $(TEST_ROOMS:%=$(OUT)/tests/run-%)
CHECK_LIBS = $(shell pkg-config --libs check)
# The paper's experiments, the second checker of certificates, what `make install` installs, the
# pages with the worked example of docs/lab.md and the sources for devices are tested in Python, with
# this program.
TEST_PYTHON = tests/bench/run tests/verifier/run tests/install/run tests/lab/run tests/device/run
export POETBNB ?= $(CURDIR)/$(OUT)/poetbnb
export CERT_JUDGE ?= $(CURDIR)/$(OUT)/tests/cert_judge
# What the runner of each room links with; every other one with all but cli.
# liboracle.a is made of tests/oracle.
TEST_LINK_base = base
TEST_LINK_problem = oracle problem base
TEST_LINK_lp = lp base
TEST_LINK_formulation = certificate oracle bnb formulation lp problem base
TEST_LINK_bnb = bnb lp base
# What it shares with another room's tests.
TEST_MORE_bnb = tests/lp/sample.c tests/lp/reference.c tests/lp/shrink_model.c tests/lp/exact_bound.c \
	tests/lp/exact_lp.c
TEST_LINK_verify = certificate problem base
TEST_LINK_cli = cli library $(LINK_ORDER)
TEST_LINK_library = library $(LINK_ORDER)

# What a runner takes from the folders of others.
TEST_MORE_runtime = runtime/poet_runtime.c examples/kernels/kernels.c tests/plan/support.c
TEST_MORE_exact = tests/bnb/failing.c
TEST_MORE_readers = tests/lp/sample.c tests/lp/compare.c tests/plan/support.c

# tests/bnb/failing.c has a function in place of lp_solve, which may call that.
TEST_FLAGS_bnb = -Wl,--wrap=lp_solve
TEST_FLAGS_exact = $(TEST_FLAGS_bnb)

define test_rules
$(1)_TEST_OBJ := $$(patsubst %.c,$(OUT)/%.o,tests/suite.c $$(wildcard tests/$(1)/*.c) $(TEST_MORE_$(1)))
$(OUT)/tests/run-$(1).list: FORCE
	$$(call remember,$$($(1)_TEST_OBJ))
$(OUT)/tests/run-$(1): $$($(1)_TEST_OBJ) $(OUT)/tests/run-$(1).list \
		$$(patsubst %,$(OUT)/lib%.a,$(or $(TEST_LINK_$(1)),oracle $(LINK_ORDER)))
	$(CC) $(LINK) $(TEST_FLAGS_$(1)) -o $$@ $$(filter %.o %.a,$$^) $$(CHECK_LIBS) $(LDLIBS)
endef
$(foreach r,$(TEST_ROOMS),$(eval $(call test_rules,$(r))))

.PHONY: check test
check:
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory $(PARALLEL) test

# The tests' time limits, which are for tests that hang, in times of what an idle machine would
# have to allow without sanitizers.
export CK_TIMEOUT_MULTIPLIER ?= $(if $(filter tsan,$(VARIANT)),40,10)

# How much freed memory is kept to find its use: with 256 MB, its default, the address sanitizer
# takes most of the time of short tests to look through it.
export ASAN_OPTIONS ?= quarantine_size_mb=4

# Builds, runs every runner, and ends with `N passed, N failed`. The tests of the
# command line start the program itself.
test: test-programs
	@scripts/run-tests -j $(shell nproc) $(TEST_RUNNERS) $(TEST_PYTHON)

# The tests of one room: make run-lp.
.PHONY: $(TEST_ROOMS:%=run-%)
$(TEST_ROOMS:%=run-%): run-%: $(OUT)/tests/run-% $(OUT)/poetbnb
	$<

# ---- fuzzing, for the night ----------------------------------------------------
# FUZZ_ARGS: see tests/fuzz/*.c; failures are shrunk into build/fuzz.
FUZZ_LP_OBJ = $(patsubst %.c,$(OUT)/%.o,tests/fuzz/lp_fuzz.c tests/lp/fuzz.c tests/lp/shrink_model.c \
	tests/lp/reference.c tests/lp/sample.c tests/lp/certify.c tests/lp/nearby.c tests/lp/exact_lp.c)
$(OUT)/tests/lp_fuzz: $(FUZZ_LP_OBJ) $(OUT)/liblp.a $(OUT)/libbase.a
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $^ $(LDLIBS)

.PHONY: fuzz-lp
fuzz-lp: $(OUT)/tests/lp_fuzz
	$(OUT)/tests/lp_fuzz $(FUZZ_ARGS)

FUZZ_MIP_OBJ = $(patsubst %.c,$(OUT)/%.o,tests/fuzz/mip_fuzz.c tests/bnb/mip_fuzz.c \
	tests/bnb/mip_judge.c tests/bnb/mip_sample.c tests/bnb/models.c $(TEST_MORE_bnb))
$(OUT)/tests/mip_fuzz: $(FUZZ_MIP_OBJ) $(OUT)/libbnb.a $(OUT)/liblp.a $(OUT)/libbase.a
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $^ $(CHECK_LIBS) $(LDLIBS)

.PHONY: fuzz-mip
fuzz-mip: $(OUT)/tests/mip_fuzz
	$(OUT)/tests/mip_fuzz $(FUZZ_ARGS)

FUZZ_POET_OBJ = $(patsubst %.c,$(OUT)/%.o,tests/fuzz/poet_fuzz.c tests/exact/agree.c \
	tests/formulation/agree.c tests/formulation/canonical.c tests/certificate/canonical.c)
$(OUT)/tests/poet_fuzz: $(FUZZ_POET_OBJ) $(OUT)/liboracle.a $(LIBS)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $^ $(LDLIBS)

.PHONY: fuzz-poet
fuzz-poet: $(OUT)/tests/poet_fuzz
	$(OUT)/tests/poet_fuzz $(FUZZ_ARGS)

FUZZ_READ_OBJ = $(patsubst %.c,$(OUT)/%.o,$(TEST_MORE_readers) tests/fuzz/read_fuzz.c \
	tests/readers/corpus.c tests/readers/mutate.c tests/readers/run.c)
$(OUT)/tests/read_fuzz: $(FUZZ_READ_OBJ) $(OUT)/liboracle.a $(LIBS)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $^ $(CHECK_LIBS) $(LDLIBS)

.PHONY: fuzz-read fuzz-read-here
fuzz-read:
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=fuzz fuzz-read-here
fuzz-read-here: $(OUT)/tests/read_fuzz
	$(OUT)/tests/read_fuzz $(FUZZ_ARGS)

FUZZ_CERT_OBJ = $(patsubst %.c,$(OUT)/%.o,tests/fuzz/cert_fuzz.c tests/certificate/witness.c \
	tests/certificate/steps.c tests/certificate/roundings.c)
$(OUT)/tests/cert_fuzz: $(FUZZ_CERT_OBJ) $(OUT)/liboracle.a $(LIBS)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $^ $(LDLIBS)

.PHONY: fuzz-cert
fuzz-cert: $(OUT)/tests/cert_fuzz
	$(OUT)/tests/cert_fuzz $(FUZZ_ARGS)

FUZZ_PLAN_OBJ = $(patsubst %.c,$(OUT)/%.o,tests/fuzz/plan_fuzz.c tests/runtime/damage.c \
	tests/runtime/stamp.c runtime/poet_runtime.c tests/plan/support.c)
$(OUT)/tests/plan_fuzz: $(FUZZ_PLAN_OBJ) $(OUT)/liboracle.a $(LIBS)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $^ $(CHECK_LIBS) $(LDLIBS)

# Damaged plans against the runtime of devices, sanitized.
.PHONY: fuzz-plan fuzz-plan-here
fuzz-plan:
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=asan fuzz-plan-here
fuzz-plan-here: $(OUT)/tests/plan_fuzz
	$(OUT)/tests/plan_fuzz $(FUZZ_ARGS)

# Both checkers of certificates against each other.
.PHONY: fuzz-twin
$(OUT)/tests/cert_judge: $(OUT)/tests/fuzz/cert_judge.o $(LIBS)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $^ $(LDLIBS)
fuzz-twin: $(OUT)/poetbnb $(OUT)/tests/cert_judge
	tests/verifier/fuzz $(FUZZ_ARGS)

# A short run of every fuzzer: its name, and its arguments. One more is one more here.
FUZZERS = lp mip poet read cert plan
FUZZ_SHORT_lp = -n 300
FUZZ_SHORT_mip = -n 100
FUZZ_SHORT_poet = -n 400 -m 6
FUZZ_SHORT_read = -n 2000
FUZZ_SHORT_cert = -n 250
FUZZ_SHORT_plan = -n 20000
.PHONY: fuzz-short $(FUZZERS:%=fuzz-short-%)
fuzz-short: $(FUZZERS:%=fuzz-short-%)
	$(MAKE) --no-print-directory fuzz-twin FUZZ_ARGS="-n 300 -p 30"
$(FUZZERS:%=fuzz-short-%): fuzz-short-%: $(OUT)/tests/%_fuzz
	$< $(FUZZ_SHORT_$*)

# ---- continuous integration ------------------------------------------------------
# Everything at once, in less than half an hour on two processors: the tests as `make check` runs
# them, lint, the tests again with the address and undefined-behaviour sanitizers, and with those a
# short run of every fuzzer.
.PHONY: ci test-programs
test-programs: $(OUT)/poetbnb $(OUT)/tests/cert_judge $(TEST_RUNNERS)
ci:
	@scripts/install-deps ci
	@$(MAKE) --no-print-directory $(PARALLEL) test-programs
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=asan test-programs \
		$(FUZZERS:%=build/asan/tests/%_fuzz)
	@scripts/run-tests -j $(shell nproc) $(TEST_RUNNERS) $(TEST_PYTHON) "$(MAKE) lint" \
		tests/emulated/run $(TEST_ROOMS:%=build/asan/tests/run-%) \
		$(foreach f,$(FUZZERS),"$(MAKE) VARIANT=asan fuzz-short-$(f)")

# ---- devices -----------------------------------------------------------------------
# The example of examples/cortex-m4 under qemu, half a minute. POETBNB: the program.
.PHONY: check-device
check-device:
	@scripts/install-deps device
	@$(MAKE) --no-print-directory $(PARALLEL) $(OUT)/poetbnb
	@tests/emulated/run

# ---- portability -----------------------------------------------------------------
# Builds with clang, musl and for arm64, some minutes: see scripts/check-portable. PORTABLE_ARGS: some of them.
.PHONY: check-portable
check-portable:
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory $(PARALLEL) $(OUT)/poetbnb
	@scripts/check-portable $(OUT)/poetbnb $(PORTABLE_ARGS)

# ---- variants ------------------------------------------------------------------
.PHONY: debug asan tsan
debug asan tsan:
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=$@ test

# ---- dependencies ----------------------------------------------------------------
.PHONY: deps
deps:
	@scripts/install-deps

# ---- benchmarks --------------------------------------------------------------------
# Experiments are lines of benchmarks/experiments.toml; benchmarks/bench starts poetbnb point by point, and
# keeps results that are there. BENCH is where they go, BENCH_ARGS further options of it.
BENCH ?= build/bench

# Where torch is there, training steps are executed, too, with the library.
BENCH_LIBRARY = POETBNB_LIBRARY=$(CURDIR)/build/portable/$(SONAME)
.PHONY: bench bench-full bench-programs instances
bench-programs:
	@scripts/install-deps bench
	@$(MAKE) --no-print-directory $(PARALLEL) $(OUT)/poetbnb
	@! /usr/bin/python3 -c 'import importlib.util as u; assert u.find_spec("torch")' 2>/dev/null || \
		$(MAKE) --no-print-directory $(PARALLEL) VARIANT=portable build/portable/$(SONAME)
bench: bench-programs
	@$(BENCH_LIBRARY) benchmarks/bench --total-seconds 540 $(BENCH_ARGS) $(OUT)/poetbnb $(BENCH)
# What `make bench` has proven is not computed again.
bench-full: bench-programs
	@mkdir -p $(BENCH)-full/points
	@[ ! -d $(BENCH)/points ] || cp -n $(BENCH)/points/*.json $(BENCH)-full/points
	@$(BENCH_LIBRARY) benchmarks/bench --setting full $(BENCH_ARGS) $(OUT)/poetbnb $(BENCH)-full

# Runs set beside each other, poetbnb's own and those of other programs: make bench-exact, bench-lp, ...: see
# docs/benchmarks.md. BENCH_ARGS are options, and groups and parts of names of instances.
BESIDE = exact hard large mip lp lp_published root certificates warm ablation
.PHONY: $(BESIDE:%=bench-%) bench-torch lab
$(BESIDE:%=bench-%): bench-%:
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory $(PARALLEL) $(OUT)/poetbnb
	@benchmarks/bench --setting beside --only $* $(OUT)/poetbnb $(BENCH)-beside $(BENCH_ARGS)

# What a feature is worth: make lab NAME=late.
lab: $(OUT)/poetbnb
	@benchmarks/bench --setting beside --only lab --feature="$(NAME)" $(OUT)/poetbnb $(BENCH)-beside $(BENCH_ARGS)

# Training steps of torch networks, executed within budgets beside plain torch.
bench-torch:
	@scripts/install-deps torch
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=portable installable
	@$(MAKE) --no-print-directory $(PARALLEL) $(OUT)/poetbnb
	@$(BENCH_LIBRARY) benchmarks/bench --setting beside --only torch $(OUT)/poetbnb $(BENCH)-beside $(BENCH_ARGS)

# The tables of docs/benchmarks.md, measured on this machine, which should be idle: at most an hour each. PAGE are the
# experiments.
PAGE = $(shell sed -n 's/^<!-- bench-\(.*\) -->$$/\1/p' docs/benchmarks.md)
.PHONY: benchmarks-page
benchmarks-page:
	@for name in $(PAGE); do \
		$(MAKE) --no-print-directory bench-$$name BENCH_ARGS="--page docs/benchmarks.md" || exit 1; \
	done

# The instance library, in build/instances: see docs/benchmarks.md.
INSTANCES ?= build/instances
instances:
	@$(MAKE) --no-print-directory deps
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=portable installable
	@$(BENCH_LIBRARY) benchmarks/bench --setting library build/portable/poetbnb $(INSTANCES) $(INSTANCES_ARGS)

# ---- the library ---------------------------------------------------------------------
# All rooms but the command line in one object, in which only what poetbnb.h declares is visible
# (with the flags of VARIANT=portable; the others hide nothing).
SONAME = libpoetbnb.so.0
$(OUT)/libpoetbnb.o: $(OUT)/liblibrary.a $(LIBS)
	$(CC) $(filter-out -pthread $(OPENMP),$(LINK)) -r -nostdlib -o $@ -Wl,--whole-archive $^ -Wl,--no-whole-archive
	$(OBJCOPY) --localize-hidden $@
$(OUT)/libpoetbnb.a: $(OUT)/libpoetbnb.o
	@rm -f $@
	ar rcs $@ $<
# Never unloaded: GMP and jansson know its functions (library/run.c).
$(OUT)/$(SONAME): $(OUT)/libpoetbnb.o
	$(CC) $(LINK) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,-z,nodelete -o $@ $< $(LDLIBS)

# ---- installation ------------------------------------------------------------------
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages
MAN = $(DESTDIR)$(PREFIX)/share/man
COMPLETIONS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
DOC = $(DESTDIR)$(PREFIX)/share/doc/poetbnb
LIB = $(DESTDIR)$(LIBDIR)
# Sources for devices, which are built where they are used.
SHARE = $(DESTDIR)$(PREFIX)/share/poetbnb
DEVICE = runtime examples/kernels examples/cortex-m4
# Where the system does not look for libraries, a program has to be told.
RPATH = $(if $(filter /usr/lib% /lib% /usr/local/lib%,$(LIBDIR)),,-Wl,-rpath,$${libdir} )
VERSION = $(shell sed -n 's/^.define BASE_VERSION "\(.*\)"/\1/p' base/base.h)

define pkg_config
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$(INCLUDEDIR)

Name: poetbnb
Description: Schedules of rematerialisation and paging at least energy, proven optimal
Version: $(VERSION)
Requires.private: $(PKGS)
Libs: $(RPATH)-L$${libdir} -lpoetbnb
Libs.private: -lgmp -lm -pthread $(OPENMP)
Cflags: -I$${includedir}
endef
export pkg_config

.PHONY: install installable install-here uninstall
install:
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=portable install-here

installable: $(OUT)/poetbnb $(OUT)/libpoetbnb.a $(OUT)/$(SONAME)
install-here: installable
	scripts/program-manual $(OUT)/poetbnb > $(OUT)/poetbnb.1
	scripts/library-manual library/poetbnb.h > $(OUT)/poetbnb.3
	install -d $(DESTDIR)$(PREFIX)/bin $(MAN)/man1 $(MAN)/man3 $(COMPLETIONS) $(DOC)/docs $(DOC)/certificate \
		$(DOC)/benchmarks $(DEVICE:%=$(SHARE)/%) $(LIB)/pkgconfig $(DESTDIR)$(INCLUDEDIR) $(DESTDIR)$(PYTHONDIR)/poetbnb
	install -m 755 $(OUT)/poetbnb $(DESTDIR)$(PREFIX)/bin/poetbnb
	install -m 644 $(OUT)/libpoetbnb.a $(OUT)/$(SONAME) $(LIB)
	ln -sf $(SONAME) $(LIB)/libpoetbnb.so
	printf '%s\n' "$$pkg_config" > $(LIB)/pkgconfig/poetbnb.pc
	install -m 644 library/poetbnb.h $(DESTDIR)$(INCLUDEDIR)
	install -m 644 python/poetbnb/*.py $(DESTDIR)$(PYTHONDIR)/poetbnb
	install -m 644 $(OUT)/poetbnb.1 $(MAN)/man1
	install -m 644 $(OUT)/poetbnb.3 $(MAN)/man3
	install -m 644 scripts/completion.bash $(COMPLETIONS)/poetbnb
	install -m 644 README.md LICENSE CHANGELOG.md CONTRIBUTING.md CITATION.cff $(DOC)
	install -m 644 docs/* $(DOC)/docs
	install -m 644 library/example/example.c python/example.py examples/train.py $(DOC)
	install -m 644 certificate/FORMAT.md $(DOC)/certificate
	install -m 644 benchmarks/*.md $(DOC)/benchmarks
	$(foreach d,$(DEVICE),find $(d) -maxdepth 1 -type f -exec install -m 644 -t $(SHARE)/$(d) {} + &&) true

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/poetbnb $(MAN)/man1/poetbnb.1 $(MAN)/man3/poetbnb.3 $(COMPLETIONS)/poetbnb
	rm -f $(LIB)/libpoetbnb.a $(LIB)/libpoetbnb.so $(LIB)/$(SONAME) $(LIB)/pkgconfig/poetbnb.pc
	rm -f $(DESTDIR)$(INCLUDEDIR)/poetbnb.h
	rm -rf $(DOC) $(SHARE) $(DESTDIR)$(PYTHONDIR)/poetbnb

# ---- documents ---------------------------------------------------------------------
# docs/parameters.md is the program's own list; a test compares it.
.PHONY: docs
docs: $(OUT)/poetbnb
	@scripts/parameters-page $(OUT)/poetbnb > docs/parameters.md

# ---- care of the sources -------------------------------------------------------------
WINGS = $(foreach r,$(ROOMS),$(WINGS_$(r):%=$(r)/%))
SOURCES = $(foreach d,$(ROOMS) $(WINGS) runtime examples/kernels tests tests/*,$(wildcard $(d)/*.c))
HEADERS = $(foreach d,$(ROOMS) $(WINGS) runtime examples/kernels tests tests/*,$(wildcard $(d)/*.h))
PYTHON = scripts/library-manual scripts/program-manual scripts/plain-english benchmarks/bench benchmarks/torch-steps tests/bench/run \
	tests/verifier/run \
	tests/install/run tests/lab/run tests/device/run tests/emulated/run tests/verifier/fuzz \
	scripts/verify-certificate \
	$(wildcard benchmarks/paper/*.py plots/*.py scripts/verifier/*.py tests/*.py \
	tests/bench/*.py tests/verifier/*.py tests/install/*.py tests/lab/*.py tests/device/*.py \
	tests/emulated/*.py python/*.py python/poetbnb/*.py examples/*.py)

.PHONY: lint format clean
lint:
	@printf '%s\n' $(SOURCES) | xargs -P $(shell nproc) -n 4 sh -c \
		'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- $(STD) -fopenmp=libgomp 2>&1 | \
		 { ! grep -E "(warning|error):"; }' lint
	@cppcheck --quiet --error-exitcode=1 --inline-suppr --suppressions-list=.cppcheck \
		--enable=warning,performance,portability --std=c11 -D_GNU_SOURCE -I. \
		--library=posix --library=gnu $(SOURCES)
	@/usr/bin/python3 -c 'import ast, sys; [ast.parse(open(f).read(), f) for f in sys.argv[1:]]' $(PYTHON)
	@/usr/bin/python3 -m pyflakes $(PYTHON)
	@scripts/plain-english

format:
	clang-format -i $(SOURCES) $(HEADERS) $(wildcard examples/cortex-m4/*.[ch])

clean:
	rm -rf build

-include $(shell find build -name '*.d' 2>/dev/null)
