# SPDX-License-Identifier: BSD-2-Clause
# pmucheck: builds the kernel, the bootable image and the tools, and runs them. `make help` lists the targets. Here are
# the settings; tools/build/*.mk has the rules.
#
# Sources are found, not listed: every .c and .asm in a room (ROOMS) belongs to the image, except what runs on the build
# machine (tests/host, tests/fuzz, reference/library, reference/proof, and the folder test of a wing). Reading this file
# runs no compiler, so that `make run` can install one first.

MAKEFLAGS += -rR
SHELL := /bin/sh
.DELETE_ON_ERROR:
.SECONDARY:

VERSION = $(shell tools/version.sh)

# ---- Variables for the user: the line before each tells what it is for

ifneq ($(filter default undefined,$(origin CC)),)
## compiler of the image: gcc or clang
CC := gcc
endif
ifneq ($(filter default undefined,$(origin LD)),)
## linker of the image: ld or ld.lld
LD := ld
endif
## where everything that is built goes
BUILD ?= build
## extra flags for the image's C code
CFLAGS ?= -O2 -g
## how make model's library is compiled; by CC
MODEL_CFLAGS ?= -O2 -mgeneral-regs-only -mno-red-zone
## compiler of the tools and host tests
HOST_CC ?= gcc
## compiler of the fuzz targets
FUZZ_CC ?= clang
## how much runs at once in make check and make test
JOBS ?= $(shell nproc)
## where make signed leaves what it makes
SIGNED ?= $(BUILD)/signed
## 1 shows every command
V ?= 0

GOALS := $(or $(MAKECMDGOALS),all)

# make REFERENCE=no: the instrument alone, in a directory of its own. (Other values name a profile, for tools/run.sh.)
ALONE := $(filter no,$(REFERENCE))
ALONE_GOALS := all kernel iso stick netboot signed tools listing run usb clean dependencies help print-% $(BUILD)/%
ifneq ($(ALONE),)
$(foreach goal,$(filter-out $(ALONE_GOALS),$(GOALS)),$(error make $(goal) needs the reference PMU: leave REFERENCE=no \
	out))
override BUILD := $(BUILD:%/without-reference=%)/without-reference
endif
REFUSED := $(shell tools/build/place.sh $(if $(filter-out help clean print-%,$(GOALS)),,--name) \
	'$(subst ','\'',$(BUILD))')
ifneq ($(REFUSED),)
$(error $(REFUSED))
endif

# A short line in place of a command, unless V=1: $(call QUIET,WHAT,file)command
QUIET = $(if $(filter 1,$(V)),,@printf "  %-8s %s\n" "$(1)" "$(2)";)

# ---- Sources

find_sources = $(shell find $(1) -name '*.c' -o -name '*.asm' 2>/dev/null | LC_ALL=C sort)
ROOMS := boot kernel pmu reference hosting tests
IMAGE_ROOMS := $(if $(ALONE),$(filter-out reference hosting,$(ROOMS)),$(ROOMS))
# NASM does not list .inc files among the dependencies that it writes while it assembles.
INCLUDES := $(shell find $(ROOMS) -name '*.inc' 2>/dev/null | LC_ALL=C sort)
WITHOUT_TESTS := $(filter-out tests/host/% tests/fuzz/% reference/proof/% $(ROOMS:%=%/test/%),$(call find_sources,$(ROOMS)))
SOURCES := $(filter-out reference/library/%,$(filter $(IMAGE_ROOMS:%=%/%),$(WITHOUT_TESTS)))
TEST_SOURCES := $(filter-out tests/harness/%,$(filter tests/%.c,$(SOURCES)))
KERNELS := pmucheck
# Other kernels on the reference PMU, a wing of its own: it adds to these two lists, and has targets.
ifeq ($(ALONE),)
include $(wildcard hosting/hosting.mk)
endif

KERNEL_FILES := $(KERNELS:%=$(BUILD)/%.elf)
# A kernel with tests that lie, for tools/check/kinds/lies.py alone.
# Another with copies of tests that are changed in one place, for reference/proof/copies.py, which makes them.
LINKED := $(KERNELS) pmucheck-lies pmucheck-mutated
MUTATED := $(wildcard $(BUILD)/mutated/obj/tests/*/*.o)
HOSTING_OBJECTS := $(patsubst %,$(BUILD)/obj/%.o,$(filter $(HOSTING),$(SOURCES)))
# The stepper of kernels without hosting, which has its own.
TRAP_OBJECTS := $(patsubst %,$(BUILD)/obj/%.o,$(filter reference/step/trap/%,$(SOURCES)))
OBJECTS := $(patsubst %,$(BUILD)/obj/%.o,$(filter-out $(HOSTING) reference/step/trap/%,$(SOURCES))) \
	$(patsubst %,$(BUILD)/gen/%.c.o,version $(if $(ALONE),,profiles dumps))

MODEL_SOURCES := $(call find_sources,reference/model)

# Host programs.
TOOL_SOURCES := tools/pmucheck/pmucheck.c tools/docs/option-list.c tools/docs/advice-list.c tools/docs/errata-list.c \
	tools/docs/sharing-page.c tools/check/screen-text.c tools/check/program/fleet.c \
	reference/proof/matrix.c tools/profile/profile-compile.c tools/grub/grub-redundancy.c
TOOLS := $(patsubst %.c,$(BUILD)/tools/%,$(notdir $(TOOL_SOURCES)))
# Programs that the build itself needs: linked without the archive of the others.
BUILDERS := %/profile-compile %/grub-redundancy

# ---- Flags

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
comma := ,
# GCC turns the loop in memset() into a call of memset(), and small structures into REP STOS and REP MOVS, which an
# emulator makes a turn at a time. Clang does neither under -ffreestanding, and has no such flags.
NO_LOOP_IDIOMS := $(if $(findstring clang,$(CC)),,-fno-tree-loop-distribute-patterns \
	-mmemset-strategy=unrolled_loop:512:noalign$(comma)rep_4byte:-1:noalign \
	-mmemcpy-strategy=unrolled_loop:512:noalign$(comma)rep_4byte:-1:noalign)
IMAGE_CFLAGS := -std=c17 -ffreestanding -m64 -mcmodel=small -mgeneral-regs-only -mno-red-zone -fno-stack-protector \
	-fpie -include tools/build/hidden.h -fno-strict-aliasing -fno-omit-frame-pointer -fno-asynchronous-unwind-tables \
	-fcf-protection=none $(NO_LOOP_IDIOMS) $(WARNINGS) -ffile-prefix-map=$(CURDIR)=. -I. -Itests -I$(BUILD)/gen $(CFLAGS)
IMAGE_ASFLAGS := --reproducible -Werror -f elf64 -I./ -Itests/ -I$(BUILD)/gen/
IMAGE_LDFLAGS := -nostdlib -static -no-pie --build-id=none -z noexecstack -z max-page-size=4096 --fatal-warnings
# tests/host/machine has what the build machine has instead of privileged instructions. Functions have sections of their
# own, so that a program is not asked for what its own functions never call.
HOST_CFLAGS := -std=gnu17 -O2 -g -ffunction-sections -fdata-sections $(WARNINGS) -Itests/host/machine -I. -Itests \
	-I$(BUILD)/gen -isystem /usr/include/libxml2
# A host test may define a function of the image anew: its own is linked first, and is called everywhere.
REPLACEABLE := -fPIC -fsemantic-interposition
# A build id depends on the debugging information, which names directories: packages would differ by the place of the
# build.
TOOL_LDFLAGS := -Wl,--build-id=none,--gc-sections
HOST_LIBRARIES := -Wl,--as-needed -lz -ljson-c -lxml2 -lsqlite3 -lzbar -lpng -ljpeg -lm
TEST_LDFLAGS := -Wl,--gc-sections,-z,muldefs
# The tables of coverage name every section: they shall not keep it.
FUZZ_LDFLAGS := $(TEST_LDFLAGS),-z,start-stop-gc
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

.DEFAULT_GOAL := all

all: kernel iso stick tools ## kernel, images and tools (the default)
kernel: $(KERNEL_FILES) $(BUILD)/pmucheck.sym ## the kernel: pmucheck.elf and its symbols
iso: $(BUILD)/pmucheck.iso ## the bootable image: pmucheck.iso
stick: $(BUILD)/pmucheck.img ## image of a stick with a partition that holds pmucheck.cfg: pmucheck.img
tools: $(filter-out $(BUILDERS),$(TOOLS)) ## the host program, and the tools for lists of options and for proofs
netboot: $(BUILD)/netboot ## tree for a TFTP server: netboot
signed: $(KERNEL_FILES) $(BUILD)/tools/grub-redundancy ## images for Secure Boot, signed with your key: make signed KEY=key.pem CERT=certificate.pem
	@tools/dependencies.sh signing
	$(call QUIET,SIGN,$(SIGNED))$(IMAGE_MAKER) iso/make-signed.sh "$(KEY)" "$(CERT)" $(SIGNED) $(KERNEL_FILES)
download: iso stick static netboot ## a page with all that users want, signed by SIGN_KEY: download/
	@VERSION="$(VERSION)" COMMIT="$(COMMIT)" EPOCH="$(EPOCH)" tools/download.sh
static: $(BUILD)/static/pmucheck ## the host program as a binary that needs no libraries: static/pmucheck
models: kernel iso tools ## the page of all CPU models, a quick run of each: models.html, a part of the download page
	@VERSION="$(VERSION)" tools/models.sh
.PHONY: download models static
dist: all netboot model static deb ## what is published, with what make prove found: dist/
	@VERSION="$(VERSION)" COMMIT="$(COMMIT)" EPOCH="$(EPOCH)" CC="$(CC)" LD="$(LD)" CFLAGS="$(CFLAGS)" tools/dist.sh
release: ## what make dist makes, looked through and signed, if nothing is missing: make release SIGN_KEY=FILE [DRY_RUN=1]
	@VERSION="$(VERSION)" COMMIT="$(COMMIT)" tools/release.sh $(if $(DRY_RUN),--dry-run)
.PHONY: all kernel iso stick netboot signed dist release tools

# ---- The rules, a file a subject

include tools/build/packages.mk
include tools/build/generated.mk
include tools/build/kernel.mk
include tools/build/images.mk
include tools/build/library.mk
include tools/build/programs.mk
include tools/build/running.mk
include tools/build/developers.mk

clean: ## removes everything that was built
	@tools/build/place.sh --remove '$(subst ','\'',$(BUILD))'
	$(if $(filter-out clean,$(GOALS)),@tools/build/place.sh $(BUILD))

print-%: ## the value of a make variable: make print-SOURCES
	@echo '$($*)'

.PHONY: clean

# What was built from files that were removed would stop make, or stay in archives and links.
ORPHANS := $(if $(filter-out help clean print-%,$(GOALS)),$(shell tools/build/orphans.sh $(BUILD)))
-include $(patsubst %.o,%.d,$(OBJECTS) $(TRAP_OBJECTS) $(HOSTING_OBJECTS)) $(BUILD)/obj/tools/check/boot/lies/lies.c.d $(shell find \
	$(BUILD)/model $(BUILD)/host $(BUILD)/fuzz $(BUILD)/tools $(BUILD)/foreign -name '*.d' 2>/dev/null)
