# SPDX-License-Identifier: BSD-2-Clause
# Targets that run, test, install and package.
# A part of the Makefile.

export BUILD JOBS

run: iso tools ## boots the image in QEMU; succeeds if the verdict is pass
	@tools/run.sh

check: $(BUILD)/dependencies ## what catches most mistakes, in a minute after a change of one file
	@tools/check/run.py check

test: $(BUILD)/dependencies ## all kinds of checks, a share of the long ones by what the sources hold, and a count; WHOLE=1: everything
	@tools/check/run.py test

prove: iso tools ## all proofs: each defect is caught, nothing legal is a false alarm, no erratum excuses too much
	@status=0; for what in prove prove-benign prove-excuses; do \
		reference/proof/run.py $$what || status=$$?; \
	done; exit $$status

prove-benign: iso tools ## the second of them alone
	@reference/proof/run.py prove-benign

prove-excuses: iso tools ## the third of them alone
	@reference/proof/run.py prove-excuses

nightly: iso tools ## the whole proof of this commit, as far as it comes: goes on where the last call stopped, NIGHTLY_MINUTES (0: no end)
	@reference/proof/run.py nightly

prove-tests: iso tools ## does the proof notice tests that are weakened in one place? Of TESTS (24) drawn by SEED, EACH (5) copies
	@reference/proof/run.py tests

soak: iso tools ## do soaks notice defects that show one time in a thousand, as intermittent ones of real CPUs do?
	@reference/proof/run.py soak

bench: iso tools ## seconds to the first log line and to END, the cost of a step and of a counted loop
	@tools/bench.sh

torture: iso tools ## every broken machine of tests/boot/torture.cases, faults, and 200 damaged images
	@tools/check/run.py torture+fault+flip

qemu-next: all ## what tests/boot/next.cases names, with the QEMU and firmware of Debian 13, in a root of its own
	@tools/check/run.py next

lockstep: iso tools ## random walks over every profile and the model at once, WALKS (100000) each, from SEED on
	@tools/check/run.py lockstep

noticed: ## which defects walks notice, without a test: build/logs/noticed.txt says for each other one why not
	@reference/proof/run.py noticed

mutants: tools ## do walks and tests notice MUTANTS (300) random changes of the model's source, drawn by SEED? Takes hours
	@reference/proof/run.py mutants

fuzz: fuzz-targets ## fuzzes each target for FUZZ_SECONDS (300), or until it has had FUZZ_RUNS inputs
	@for target in $(notdir $(FUZZ_TARGETS)); do tools/fuzz.sh $$target || exit 1; done

corpus: iso tools ## every CPU that somebody has dumped, as a reference PMU: all tests must pass on each
	@tools/check/run.py corpus

lava: iso stick tools ## proves the LAVA jobs of tools/lava by lava-run
	@tools/lava.sh

usb: stick tools ## writes the stick's image: make usb DEVICE=/dev/sdX [EVEN_IF=fixed]
	@$(BUILD)/tools/pmucheck usb --image=$(BUILD)/pmucheck.img $(if $(EVEN_IF),--even-if=$(EVEN_IF)) "$(DEVICE)"

# make install PREFIX=$$HOME/.local puts everything for use outside the tree there. For packages, DESTDIR is put before
# PREFIX, and LIBDIR is where the distribution has libraries. The kernel keeps its symbols, which its reports of faults
# need, and loses its debugging information.
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
SHARE = $(DESTDIR)$(PREFIX)/share
install: all model ## host program, manual page, images and the model as a library: make install PREFIX=/usr/local
	@umask 022 && $(MAKE) --no-print-directory install-files # readable for all, whoever installs
install-files:
	$(if $(filter 1,$(words x$(DESTDIR)$(PREFIX)$(LIBDIR))),,$(error DESTDIR, PREFIX and LIBDIR can have no blank))
	install -D -m 755 $(BUILD)/tools/pmucheck $(DESTDIR)$(PREFIX)/bin/pmucheck
	install -d $(SHARE)/man $(SHARE)/bash-completion/completions $(SHARE)/zsh/vendor-completions \
		$(SHARE)/fish/vendor_completions.d $(SHARE)/pmucheck $(DESTDIR)$(LIBDIR)/pkgconfig
	umask 022 && $(BUILD)/tools/pmucheck help --man-pages=$(SHARE)/man
	tools/docs/install.sh $(SHARE)/doc/pmucheck
	$(BUILD)/tools/pmucheck help --completion=bash >$(SHARE)/bash-completion/completions/pmucheck
	$(BUILD)/tools/pmucheck help --completion=zsh >$(SHARE)/zsh/vendor-completions/_pmucheck
	$(BUILD)/tools/pmucheck help --completion=fish >$(SHARE)/fish/vendor_completions.d/pmucheck.fish
	install -m 644 $(BUILD)/pmucheck.iso $(BUILD)/pmucheck.img $(SHARE)/pmucheck
	objcopy --strip-debug $(BUILD)/pmucheck.elf $(SHARE)/pmucheck/pmucheck.elf
	chmod 644 $(SHARE)/pmucheck/pmucheck.elf
	install -d $(DESTDIR)$(PREFIX)/include
	install -m 644 $(LIBRARY_HEADERS) $(DESTDIR)$(PREFIX)/include
	install -m 644 $(BUILD)/libpmumodel.a $(DESTDIR)$(LIBDIR)
	install -m 644 $(BUILD)/$(LIBRARY_NAME) $(DESTDIR)$(LIBDIR)/$(LIBRARY_FILE)
	ln -sf $(LIBRARY_FILE) $(DESTDIR)$(LIBDIR)/$(LIBRARY_NAME)
	ln -sf $(LIBRARY_NAME) $(DESTDIR)$(LIBDIR)/libpmumodel.so
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))' \
		'includedir=$${prefix}/include' '' 'Name: pmumodel' \
		"Description: software model of Intel's performance monitoring unit" 'Version: $(VERSION)' \
		'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lpmumodel' >$(DESTDIR)$(LIBDIR)/pkgconfig/pmumodel.pc

deb: all model ## Debian packages of the host program and of the model, checked by lintian: build/deb/*.deb
	@VERSION="$(VERSION)" COMMIT="$(COMMIT)" EPOCH="$(EPOCH)" CC="$(CC)" LD="$(LD)" tools/deb.sh
.PHONY: deb
.PHONY: install install-files

.PHONY: qemu-next run check test prove nightly prove-tests prove-benign prove-excuses soak bench lockstep noticed mutants fuzz torture corpus
.PHONY: lava usb
