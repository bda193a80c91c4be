# SPDX-License-Identifier: BSD-2-Clause
# pmucheck: builds the kernel, the bootable image and the tools, and runs them. `make help` lists the targets.
#
# Sources are found, not listed: every .c and .asm in a room (ROOMS) belongs to the image, except what runs on the build
# machine (tests/host, tests/fuzz, reference/library, reference/proof, and the folder test of a wing). Reading this file
# runs no compiler, so that `make run` can install one first.

MAKEFLAGS += -rR
SHELL := /bin/sh
.DELETE_ON_ERROR:
.SECONDARY:

# Asked once, when it is needed first.
VERSION = $(eval VERSION := $$(shell tools/version.sh))$(VERSION)

# ---- Variables for the user

ifneq ($(filter default undefined,$(origin CC)),)
CC := gcc ## compiler of the image: gcc or clang
endif
ifneq ($(filter default undefined,$(origin LD)),)
LD := ld ## linker of the image: ld or ld.lld
endif
BUILD ?= build ## where everything that is built goes
CFLAGS ?= -O2 -g ## extra flags for the image's C code
MODEL_CFLAGS ?= -O2 -mgeneral-regs-only -mno-red-zone ## how make model's library is compiled; by CC
HOST_CC ?= gcc ## compiler of the tools and host tests
FUZZ_CC ?= clang ## compiler of the fuzz targets
JOBS ?= $(shell nproc) ## how much runs at once in make check and make test
SIGNED ?= $(BUILD)/signed ## where make signed leaves what it makes
V ?= 0 ## 1 shows every command

# The comments after the values above leave blanks at the values' ends: removes them.
$(foreach name,CC LD BUILD CFLAGS MODEL_CFLAGS HOST_CC FUZZ_CC JOBS SIGNED V,$(eval \
	override $(name) := $(strip $($(name)))))

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
# GCC turns the loop in memset() into a call of memset(). Clang does not under -ffreestanding, and has no such flag.
NO_LOOP_IDIOMS := $(if $(findstring clang,$(CC)),,-fno-tree-loop-distribute-patterns)
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

# ---- Packages

# The groups of tools/dependencies.sh that goals need; a goal of no row needs image and tools. Goals that run something,
# and dependencies, install what is missing; all others only name it.
NEEDING_image += kernel iso stick netboot signed listing lies model $(BUILD)/%.elf $(BUILD)/%.iso $(BUILD)/%.img
NEEDING_image_tools_cases := docs dist download
NEEDING_image_tools_run += run models bench lava
NEEDING_image_tools_run_cases += torture lockstep corpus pictures prove prove-tests prove-benign prove-excuses soak
NEEDING_image_tools_run_check := check mutants qemu-next
NEEDING_image_tools_run_check_fuzz := dependencies test
NEEDING_tools := tools static $(BUILD)/tools/%
NEEDING_check := host-tests format noticed $(BUILD)/host/%
NEEDING_fuzz := fuzz fuzz-targets $(BUILD)/fuzz/%
needing = $(foreach row,$(filter NEEDING_%,$(.VARIABLES)),$(if $(filter $($(row)),$(1)),$(subst _, ,$(row:NEEDING_%=%))))
NEEDS := $(sort $(foreach goal,$(GOALS),$(or $(strip $(call needing,$(goal))),image tools)) $(if $(findstring \
	clang,$(CC))$(findstring lld,$(LD)),clang))
INSTALLING := dependencies check test fuzz $(NEEDING_image_run) $(NEEDING_image_tools_run) \
	$(NEEDING_image_tools_run_cases)

# NEEDED is there if these groups have been looked for.
empty :=
NEEDED := $(BUILD)/needs/$(subst $(empty) $(empty),-,$(NEEDS))
$(BUILD)/dependencies: $(if $(shell test $(NEEDED) -nt tools/dependencies.sh && echo asked),,FORCE)
	@mkdir -p $(BUILD)/needs
	@tools/dependencies.sh $(if $(filter $(INSTALLING),$(GOALS)),,--check) $(NEEDS)
	@touch $(NEEDED) $@

dependencies: $(BUILD)/dependencies ## installs missing packages: make dependencies [NEEDS="image"], by the groups of its script
.PHONY: dependencies

# ---- Stamps and generated sources

# Rewritten only when their text changes, so that what depends on them is rebuilt only then.
.PHONY: FORCE
FORCE:

COMMIT = $(eval COMMIT := $$(shell tools/version.sh --commit))$(COMMIT)

# The headers that define the layout of struct profile: programs with the same ones may exchange binary profiles.
LAYOUT := reference/model/profile.h reference/model/event.h reference/model/model.h \
	reference/handed/handed.h

$(BUILD)/gen/version.c: FORCE
	@mkdir -p $(@D)
	@{ echo '/* Generated. */'; echo '#include "kernel/core/image.h"'; \
	  echo 'const char build_version[] = "$(VERSION)";'; \
	  echo 'const char build_commit[] = "$(COMMIT)";'; \
	  echo "const char build_date[] = \"$$(date -u -d @$(EPOCH) +%Y-%m-%d)\";"; \
	  echo 'const unsigned build_tests = $(words $(TEST_SOURCES));'; \
	  echo 'const char build_left_out[] = "$(if $(ALONE),$(shell tools/build/left-out.sh))";'; \
	  echo "const unsigned build_layout = $$(cat /dev/null $(wildcard $(LAYOUT)) | cksum | cut -d' ' -f1)u;"; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# The flags that the objects were built with: a change of compiler or flags rebuilds the objects.
$(BUILD)/gen/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(IMAGE_CFLAGS) $(IMAGE_ASFLAGS) $(LD) $(IMAGE_LDFLAGS)' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# The same for programs of the build machine.
$(BUILD)/gen/host-flags: FORCE
	@mkdir -p $(@D)
	@echo '$(HOST_CC) $(FUZZ_CC) $(HOST_CFLAGS) $(REPLACEABLE) $(SANITIZE)' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# The ids of the image's tests (the paths of their files), for results that come without names, as in QR codes.
$(BUILD)/gen/scan_names.c: FORCE
	@mkdir -p $(@D)
	@{ echo '#include "tools/pmucheck/scan/scan.h"'; echo 'const char scan_names_built_in[] ='; \
	  echo $(TEST_SOURCES) | tr ' ' '\n' | sed 's,^tests/,,; s,\.c$$,,; s,/,.,g' | LC_ALL=C sort | \
	  sed 's,.*,    "&\\n",'; echo '    ;'; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(BUILD)/gen/font.psf: | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,GEN,$@)gunzip -c /usr/share/consolefonts/Unifont-APL8x16.psf.gz >$@

# ---- The kernel

$(BUILD)/obj/%.c.o: %.c $(BUILD)/gen/flags | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,CC,$<)$(CC) $(IMAGE_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/gen/%.c.o: $(BUILD)/gen/%.c $(BUILD)/gen/flags | $(BUILD)/dependencies
	$(call QUIET,CC,$<)$(CC) $(IMAGE_CFLAGS) -MMD -MP -c -o $@ $<

# The processor's numbers for NASM, made from the C header.
$(BUILD)/gen/cpu.inc: tools/build/cpu_inc.awk boot/cpu.h
	@mkdir -p $(@D)
	@awk -f $< boot/cpu.h >$@

$(BUILD)/obj/%.asm.o: %.asm $(INCLUDES) $(BUILD)/gen/flags $(BUILD)/gen/cpu.inc | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,NASM,$<)nasm $(IMAGE_ASFLAGS) -MD $(@:.o=.d) -MP -MT $@ -l $(@:.o=.lst) -o $@ $<

$(BUILD)/obj/kernel/screen/font.asm.o: $(BUILD)/gen/font.psf

# The reference PMU's profiles, text files of data. The directory is a prerequisite so that a removed file counts, too.
PROFILES := reference/model/profiles
$(BUILD)/gen/profiles.c: $(BUILD)/tools/profile-compile $(sort $(wildcard $(PROFILES)/*.profile)) $(PROFILES)
	@mkdir -p $(@D)
	$(call QUIET,GEN,$@)$< $(filter %.profile,$^) >$@

# Profiles of CPUs that somebody has dumped, each like one of those above. Host tests read the same text.
DUMPS := reference/dumps/cpus.txt
$(BUILD)/gen/dumps.c: tools/build/dumps.awk $(BUILD)/tools/profile-compile $(DUMPS) $(PROFILES) \
		$(sort $(wildcard $(PROFILES)/*.profile))
	@rm -rf $(BUILD)/dumps && mkdir -p $(@D) $(BUILD)/dumps
	$(call QUIET,GEN,$@)awk -v to=$(BUILD)/dumps -f $< $(filter %.profile,$^) $(DUMPS) && \
		$(BUILD)/tools/profile-compile $(filter %.profile,$^) --dumped $(BUILD)/dumps/*.profile >$@

# The list of deviations, made from their rows. Every file of deviations includes it. The directory is a prerequisite so
# that a removed file counts, too.
DEVIATIONS := $(sort $(wildcard reference/deviations/*.c))
$(BUILD)/gen/deviations.def: tools/build/deviations.awk $(DEVIATIONS) reference/deviations
	@mkdir -p $(@D)
	@awk -f $< $(DEVIATIONS) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(BUILD)/gen/deviation_rows.h: tools/build/deviations.awk $(DEVIATIONS) reference/deviations
	@mkdir -p $(@D)
	@awk -v rows=1 -f $< $(DEVIATIONS) >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
# The registers that a defect of registers can be shown on.
$(BUILD)/gen/members.def: tools/build/members.awk pmu/registers.def
	@mkdir -p $(@D)
	@awk -f $^ >$@
# The heads of the rules that deviations replace.
$(BUILD)/gen/rule_heads.h: tools/build/rules.awk reference/model/rules.def
	@mkdir -p $(@D)
	@awk -f $^ >$@
DEVIATION_OBJECTS := $(foreach for,obj host/obj fuzz/obj model,$(DEVIATIONS:%=$(BUILD)/$(for)/%.o))
$(DEVIATION_OBJECTS): | $(addprefix $(BUILD)/gen/,deviations.def deviation_rows.h rule_heads.h members.def)

# What each machine has shown, one line a machine. It is compiled into the judging, in the image and on the build
# machine.
EVIDENCE_OBJECTS := $(patsubst %,$(BUILD)/%/tests/harness/core/evidence.c.o,obj host/obj fuzz/obj tools/obj)
$(BUILD)/gen/evidence.def: tools/build/evidence.awk $(sort $(wildcard tests/evidence/*.txt)) tests/evidence
	@mkdir -p $(@D)
	$(call QUIET,GEN,$@)awk -f $< $(filter %.txt,$^) >$@
$(EVIDENCE_OBJECTS): $(BUILD)/gen/evidence.def

# What the manual prints and what programs rely on, where no machine has shown it yet.
RELIED_OBJECTS := $(patsubst %,$(BUILD)/%/tests/harness/core/reliance.c.o,obj host/obj fuzz/obj tools/obj)
$(BUILD)/gen/relied.def: tools/build/relied.awk tests/labels.txt pmu/cpu/class.h tests/relied.txt
	@mkdir -p $(@D)
	$(call QUIET,GEN,$@)awk -f $^ >$@
$(RELIED_OBJECTS): $(BUILD)/gen/relied.def

# What each test needs of a CPU, for the host program, which has not the tests themselves.
NEEDS_OBJECTS := $(patsubst %,$(BUILD)/%/obj/tools/pmucheck/here/tests.c.o,host fuzz tools)
$(BUILD)/gen/needs.def: tools/build/declared.awk tools/build/needs.awk $(TEST_SOURCES)
	@mkdir -p $(@D)
	@awk -f tools/build/declared.awk -f tools/build/needs.awk $(TEST_SOURCES) >$@
$(NEEDS_OBJECTS): $(BUILD)/gen/needs.def

# Which defects fail which labels, as whole proofs have shown.
PROVERS_OBJECTS := $(patsubst %,$(BUILD)/%/reference/mode/provers.c.o,obj host/obj fuzz/obj)
$(BUILD)/gen/provers.def: tools/build/provers.awk tests/labels.txt
	@mkdir -p $(@D)
	$(call QUIET,GEN,$@)awk -f $^ >$@
$(PROVERS_OBJECTS): $(BUILD)/gen/provers.def

# Linked twice. The first link has two empty tables; the second has the tables made from the first link: its functions,
# and the places of addresses in it, for moving it (kernel/core/image.h). They have sections of their own after all other
# constants, so that no function and no constant moves between the links, which is checked.
FUNCTIONS = nm -n $(1) | awk '($$2 ~ /^[tT]$$/ && $$3 !~ /^\.\.@/) || $$3 == "rodata_start" { print $$1, $$3 }'
ADDRESSES = nm $(1) >$(2) && readelf -rW $(1) | awk -f tools/build/moves.awk $(2) -

$(BUILD)/gen/no-tables.c: Makefile
	@mkdir -p $(@D)
	@{ echo '#include "kernel/core/image.h"'; echo '#include "kernel/core/image.h"'; \
	  echo 'const char symbol_names[1] SYMBOLS_SECTION = {0};'; \
	  echo 'const struct symbol symbols[1] SYMBOLS_SECTION = {{0, 0}};'; \
	  echo 'const unsigned symbol_count SYMBOLS_SECTION = 0;'; \
	  $(if $(ALONE),,echo '#include "reference/step/trap/sites.h"'; \
	  echo 'const u32 sites[1] SITES_SECTION = {0};'; \
	  echo 'const unsigned site_count SITES_SECTION = 0;';) \
	  echo 'const u32 move_linked MOVE_SECTION = 0, move_rows[1] MOVE_SECTION = {0};'; \
	  echo 'const unsigned move_count MOVE_SECTION = 0;'; } >$@

# The same objects linked several times. pmucheck-host.elf has those of hosting/, too, and moves itself out of the low
# memory that the hosted kernel needs.
objects = $(OBJECTS) $(if $(filter $(1),$(HOSTING_KERNELS)),$(HOSTING_OBJECTS),$(TRAP_OBJECTS))
pmucheck_OBJECTS := $(call objects,pmucheck)
pmucheck-host_OBJECTS := $(call objects,pmucheck-host)
pmucheck-host_FLAGS := --defsym=image_base=0x200000 --emit-relocs
pmucheck-lies_OBJECTS := $(filter-out $(BUILD)/gen/version.c.o,$(call objects,pmucheck-lies)) \
	$(BUILD)/gen/version-lies.c.o $(BUILD)/obj/tools/check/boot/lies/lies.c.o
pmucheck-mutated_OBJECTS := $(filter-out $(BUILD)/gen/version.c.o,$(call objects,pmucheck-mutated)) \
	$(BUILD)/gen/version-mutated.c.o $(MUTATED)
LINK = $(LD) $(IMAGE_LDFLAGS) $($*_FLAGS) -T boot/linker.ld -Map=$(BUILD)/gen/$(@F).map -o $@ $($*_OBJECTS)
$(foreach kernel,$(LINKED),$(eval $(BUILD)/gen/$(kernel).first.elf $(BUILD)/$(kernel).elf: $($(kernel)_OBJECTS)))

# It has one more test for each row of the table of registers and for each LIE() and TEST() of lies.c.
$(BUILD)/gen/version-lies.c: $(BUILD)/gen/version.c pmu/registers.def tools/check/boot/lies/lies.c
	@more=$$(cat pmu/registers.def tools/check/boot/lies/lies.c | grep -cE '^(REGISTER|LIE|TEST)\('); \
		sed "/build_tests/s/;/ + $$more;/" $< >$@
$(BUILD)/gen/version-mutated.c: $(BUILD)/gen/version.c $(MUTATED)
	@sed "/build_tests/s/;/ + $(words $(MUTATED));/" $< >$@
lies: $(BUILD)/pmucheck-lies.elf
.PHONY: lies

$(LINKED:%=$(BUILD)/gen/%.first.elf): $(BUILD)/gen/%.first.elf: $(BUILD)/gen/no-tables.c.o boot/linker.ld
	$(call QUIET,LD,$@)$(LINK) $(BUILD)/gen/no-tables.c.o

$(LINKED:%=$(BUILD)/gen/%.symbols.c): $(BUILD)/gen/%.symbols.c: $(BUILD)/gen/%.first.elf tools/build/symbols.awk
	@$(call FUNCTIONS,$<) >$(BUILD)/gen/$*.functions
	@awk -f tools/build/symbols.awk $(BUILD)/gen/$*.functions >$@

# The link fails if a function holds a WRMSR, or another instruction of the lists, that they do not allow it. Which
# instructions are sites, they say, too.
INSTRUCTIONS := tools/build/instructions.awk tools/build/instructions.txt $(wildcard hosting/instructions.txt) \
	$(wildcard reference/step/trap/instructions.txt)
LISTS = tools/build/instructions.txt $(if $(filter $(HOSTING_KERNELS),$*),hosting/instructions.txt,$(if \
	$(ALONE),,reference/step/trap/instructions.txt))
# A kernel's lists, map, symbols and code, and what is found in them.
LINKED_CODE = { echo @rows; cat $(LISTS); echo @map; cat $(BUILD)/gen/$(notdir $(1)).map; \
	echo @symbols; objdump -t $(1) | LC_ALL=C sort; echo @code; objdump -d -w -M intel --no-show-raw-insn $(1); }
FOUND = $(LINKED_CODE) | awk -v kernel=$(1) -v lists="$(LISTS)" $(2) -f tools/build/instructions.awk
$(LINKED:%=$(BUILD)/gen/%.sites.c): $(BUILD)/gen/%.sites.c: $(BUILD)/gen/%.first.elf $(INSTRUCTIONS)
	@$(call FOUND,$<,-v sites=yes) >$@

$(LINKED:%=$(BUILD)/gen/%.moves.c): $(BUILD)/gen/%.moves.c: $(BUILD)/gen/%.first.elf tools/build/moves.awk
	@$(call ADDRESSES,$<,$(BUILD)/gen/$*.names) >$@

# The tables of the second link. An image without the reference PMU has no sites.
tables = $(foreach table,symbols moves $(if $(ALONE),,sites),$(BUILD)/gen/$(1).$(table).c.o)
$(LINKED:%=$(BUILD)/%.elf): $(BUILD)/%.elf: $(call tables,%) boot/linker.ld $(INSTRUCTIONS) tools/build/sum.sh | \
		$(BUILD)/gen/workloads
	$(call QUIET,LD,$@)$(LINK) $(call tables,$*)
	@tools/build/sum.sh $@ >$(BUILD)/gen/$*.sum
	@$(call FUNCTIONS,$@) | cmp - $(BUILD)/gen/$*.functions
	@$(call ADDRESSES,$@,$(BUILD)/gen/$*.names) | cmp - $(BUILD)/gen/$*.moves.c
	@$(if $(ALONE),,$(call FOUND,$@,-v sites=yes) | cmp - $(BUILD)/gen/$*.sites.c)
	@$(call FOUND,$@) >$(BUILD)/gen/$*.instructions || \
		{ cat $(BUILD)/gen/$*.instructions; exit 1; }

# What the counted blocks declare is compared with what their code retires.
WORKLOADS := $(filter $(BUILD)/obj/pmu/workload/%.asm.o,$(OBJECTS))
$(BUILD)/gen/workloads: $(WORKLOADS) tools/build/workloads.awk
	$(call QUIET,CHECK,counted blocks)objdump -t -d --no-show-raw-insn -M intel $(WORKLOADS) | \
		awk -f tools/build/workloads.awk >$@ || { cat $@; exit 1; }

$(BUILD)/pmucheck.sym: $(BUILD)/pmucheck.elf
	@nm -n $< >$@

$(BUILD)/pmucheck.lst: $(BUILD)/pmucheck.elf
	$(call QUIET,GEN,$@)objdump -d -M intel $< >$@

listing: $(BUILD)/pmucheck.lst ## disassembly of the kernel: pmucheck.lst
.PHONY: listing

# ---- The image and the tools

# Every time stamp in the image is the time of the last commit.
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell tools/version.sh --time),315532800)

IMAGE_MAKER = SOURCE_DATE_EPOCH=$(EPOCH) GRUB_REDUNDANCY=$(BUILD)/tools/grub-redundancy

$(BUILD)/pmucheck.iso: $(KERNEL_FILES) $(BUILD)/tools/grub-redundancy $(wildcard iso/*)
	$(call QUIET,ISO,$@)$(IMAGE_MAKER) iso/make-iso.sh $@ $(KERNEL_FILES)

$(BUILD)/pmucheck.img: $(KERNEL_FILES) $(BUILD)/tools/grub-redundancy $(wildcard iso/*)
	$(call QUIET,STICK,$@)$(IMAGE_MAKER) iso/make-stick.sh $@ $(KERNEL_FILES)

$(BUILD)/netboot: $(KERNEL_FILES) $(wildcard iso/*)
	$(call QUIET,NETBOOT,$@)SOURCE_DATE_EPOCH=$(EPOCH) iso/make-netboot.sh $@ $(KERNEL_FILES) && touch $@

$(BUILD)/tools/obj/%.c.o: %.c $(BUILD)/gen/host-flags | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,HOSTCC,$<)$(HOST_CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

# The style and script of the comparison's page are embedded in the program, and so are its manuals.
$(patsubst %,$(BUILD)/%/obj/tools/pmucheck/compare/html.c.o,tools host fuzz): $(wildcard tools/pmucheck/compare/page.*)
$(patsubst %,$(BUILD)/%/obj/tools/pmucheck/help/guide.c.o,tools host fuzz): README.md $(foreach page,first-boot \
	hypervisors lab log options tests,docs/$(page).md)
$(addsuffix /obj/tools/pmucheck/judge/rejudge.c.o,$(BUILD)/tools $(BUILD)/host): tests/labels.txt

$(BUILD)/host/obj/tests/host/tools/test_tool_severity.c.o: tests/labels.txt tools/pmucheck/log/severity.def
$(BUILD)/host/obj/tests/host/harness/test_purpose.c.o: tests/boot/purposes.txt

# Bits of registers that the host program names, from the table of registers.
$(BUILD)/gen/perf_capabilities.def: tools/build/bits.awk pmu/registers.def
	@mkdir -p $(@D)
	@awk -v register=MSR_PERF_CAPABILITIES -v prefix=PERF_CAP_ -f $^ >$@
$(patsubst %,$(BUILD)/%/obj/tools/pmucheck/log/fields.c.o,tools host fuzz): $(BUILD)/gen/perf_capabilities.def

# Linked without the archive of the other tools, because it generates a source of that archive.
$(BUILD)/tools/profile-compile: $(patsubst %,$(BUILD)/tools/obj/%.o,$(wildcard tools/profile/*.c) tools/span.c \
	reference/handed/packed.c)
	$(call QUIET,LD,$@)$(HOST_CC) $(TOOL_LDFLAGS) -o $@ $^

$(BUILD)/tools/grub-redundancy: $(patsubst %,$(BUILD)/tools/obj/%.o,$(wildcard tools/grub/*.c))
	$(call QUIET,LD,$@)$(HOST_CC) $(TOOL_LDFLAGS) -o $@ $^

# The host program with its libraries inside. What they call and it never comes to has no archive, or needs shared
# libraries at run time: D-Bus of zbar, other encodings, compressed files and the network of libxml2, extensions of
# SQLite. Those symbols become weak, so that nothing has to define them; libc's get other names before.
STATIC_LIBRARIES := json-c xml2 sqlite3 zbar png jpeg z
UNREACHED := getaddrinfo gethostbyname dlopen dlsym dlclose dlerror
STATIC_ARCHIVES := $(STATIC_LIBRARIES:%=$(BUILD)/static/lib%.a)
$(STATIC_ARCHIVES): $(BUILD)/static/%: Makefile | $(BUILD)/dependencies
	@mkdir -p $(@D)
	@objcopy $(foreach name,$(UNREACHED),--redefine-sym $(name)=unreached_$(name)) \
		"$$($(HOST_CC) -print-file-name=$*)" $@
	@objcopy -w $(foreach name,unreached_ dbus_ ucnv_ UCNV_ lzma_,--weaken-symbol='$(name)*') $@

$(BUILD)/static/pmucheck: $(BUILD)/tools/obj/tools/pmucheck/pmucheck.c.o $(BUILD)/tools/libcode.a $(STATIC_ARCHIVES)
	$(call QUIET,LD,$@)$(HOST_CC) $(TOOL_LDFLAGS) -static -o $@ $^ -lm

# ---- The model as a library for any C program: one object, in which only the names of its headers are global

LIBRARY_HEADERS := $(wildcard reference/library/pmumodel*.h)
LIBRARY_SOURCES = $(MODEL_SOURCES) $(DEVIATIONS) $(wildcard reference/library/*.c) $(BUILD)/gen/profiles.c
LIBRARY_OBJECTS = $(LIBRARY_SOURCES:%=$(BUILD)/model/%.o)
LIBRARY_CFLAGS = -std=c17 -ffreestanding -fPIC -include tools/build/hidden.h -fno-stack-protector -fno-strict-aliasing \
	-fno-asynchronous-unwind-tables $(NO_LOOP_IDIOMS) $(WARNINGS) -ffile-prefix-map=$(CURDIR)=. -I. -I$(BUILD)/gen \
	$(MODEL_CFLAGS)
# The shared library's name tells the interface: programs of one number run with every library of that number.
LIBRARY_NAME := libpmumodel.so.0
LIBRARY_FILE = $(LIBRARY_NAME).$(shell awk '/_VERSION_(MINOR|PATCH) [0-9]+$$/ { printf "%s%s", dot, $$3; dot = "." }' \
	reference/library/pmumodel.h)

model: $(BUILD)/libpmumodel.a $(BUILD)/$(LIBRARY_NAME) $(LIBRARY_HEADERS:reference/library/%=$(BUILD)/include/%) ## the reference PMU as a C library: libpmumodel.a, libpmumodel.so
.PHONY: model

$(BUILD)/gen/model-flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(LIBRARY_CFLAGS) $(LD)' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(BUILD)/model/%.c.o: %.c $(BUILD)/gen/model-flags | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,CC,$@)$(CC) $(LIBRARY_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/include/%.h: reference/library/%.h
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/model/pmumodel.o: $(LIBRARY_OBJECTS)
	$(call QUIET,LD,$@)$(LD) -r -o $@ $^ && objcopy --localize-hidden $@

$(BUILD)/libpmumodel.a: $(BUILD)/model/pmumodel.o
	$(call QUIET,AR,$@)rm -f $@ && ar rcsD $@ $<

$(BUILD)/$(LIBRARY_NAME): $(BUILD)/model/pmumodel.o reference/library/pmumodel.map
	$(call QUIET,LD,$@)$(HOST_CC) -shared -Wl,--build-id=none,-z,relro,-z,now,-z,noexecstack,-soname,$(LIBRARY_NAME) \
		-Wl,--version-script=reference/library/pmumodel.map -o $@ $< && ln -sf $(LIBRARY_NAME) $(BUILD)/libpmumodel.so

# ---- Host tests and fuzz targets

HOST_SOURCES := $(sort $(wildcard tests/host/*/test_*.c $(ROOMS:%=%/test/*/test_*.c)))
NOTICED := reference/test/lockstep/noticed.c
MUTANT := reference/test/lockstep/mutant.c
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz/fuzz_*.c $(ROOMS:%=%/test/fuzz/fuzz_*.c)))
HOST_TESTS := $(patsubst %.c,$(BUILD)/host/%,$(notdir $(HOST_SOURCES)))
FUZZ_TARGETS := $(patsubst %.c,$(BUILD)/fuzz/%,$(notdir $(FUZZ_SOURCES)))

$(BUILD)/host/obj/%.c.o: %.c $(BUILD)/gen/host-flags | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,HOSTCC,$<)$(HOST_CC) $(HOST_CFLAGS) $(REPLACEABLE) $(SANITIZE) -MMD -MP -c -o $@ $<

# One rule for each target: make takes a pattern rule with two targets as one that makes both in one go.
define ASSEMBLE_HERE
@mkdir -p $(@D)
$(call QUIET,NASM,$@)nasm --reproducible -Werror -f elf64 -I$(BUILD)/gen/ -o $@ $<
endef

$(BUILD)/host/obj/%.asm.o: %.asm $(INCLUDES) $(BUILD)/gen/host-flags $(BUILD)/gen/cpu.inc | $(BUILD)/dependencies
	$(ASSEMBLE_HERE)

$(BUILD)/fuzz/obj/%.asm.o: %.asm $(INCLUDES) $(BUILD)/gen/host-flags $(BUILD)/gen/cpu.inc | $(BUILD)/dependencies
	$(ASSEMBLE_HERE)

$(BUILD)/fuzz/obj/%.c.o: %.c $(BUILD)/gen/host-flags | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,FUZZCC,$<)$(FUZZ_CC) $(HOST_CFLAGS) $(REPLACEABLE) $(SANITIZE) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

# All code that a program may use is in an archive, one for each kind of program, from which the linker takes what the
# program needs. --trace tells which objects it took: the program is linked anew only when one of these has changed.
TOOL_CODE := $(filter-out $(TOOL_SOURCES) %/lies.c,$(call find_sources,tools) $(wildcard \
	reference/proof/*.c)) $(patsubst %,$(BUILD)/gen/%.c,profiles scan_names version)
TEST_CODE := $(filter-out $(HOST_SOURCES),$(wildcard tests/host/*/*.c))
# cmocka's functions whose calls are counted (tests/host/assertions).
ASSERTIONS := $(addprefix _assert_,true int_equal int_not_equal uint_equal uint_not_equal string_equal string_not_equal \
	memory_equal memory_not_equal in_range not_in_range int_in_range uint_in_range return_code)
comma := ,
WRAP_ASSERTIONS := $(foreach name,$(ASSERTIONS),-Wl$(comma)--wrap=$(name))
$(BUILD)/gen/assertions.inc: Makefile
	@mkdir -p $(@D)
	@printf 'COUNTED %s\n' $(ASSERTIONS) >$@
$(BUILD)/host/obj/tests/host/assertions/count.asm.o $(BUILD)/fuzz/obj/tests/host/assertions/count.asm.o: \
	$(BUILD)/gen/assertions.inc
# Of the image everything in C, except its tests, its main(), and what the build machine's C library has, too.
HERE := $(filter-out $(TEST_SOURCES) tests/harness/mode/main.c kernel/text/string.c %.asm,$(WITHOUT_TESTS))
HERE_ASSEMBLY := $(wildcard reference/lockstep/*.asm reference/step/interpreter/*.asm hosting/monitor/translator/*.asm) \
	tests/host/assertions/count.asm
# Of two functions of one name the first one is taken.
host_CODE := $(TEST_CODE) $(TOOL_CODE) $(HERE) $(HERE_ASSEMBLY) $(BUILD)/gen/dumps.c
fuzz_CODE := $(host_CODE)
TOOL_ROOMS := kernel/log/ kernel/qr/ kernel/screen/ kernel/text/ pmu/area/ pmu/cpu/ \
	reference/handed/ reference/model/profiles.c pmu/sharing/ pmu/state/ tests/harness/core/ tests/harness/report/ \
	tests/harness/run/needs.c
tools_CODE := $(TOOL_CODE) $(filter $(addsuffix %,$(TOOL_ROOMS)),$(HERE))
define program
$(BUILD)/$(2)/$(basename $(notdir $(1))): $(BUILD)/$(2)/obj/$(1).o | $(BUILD)/$(2)/libcode.a

endef
define library
$(BUILD)/$(1)/libcode.a: $(patsubst %,$(BUILD)/$(1)/obj/%.o,$($(1)_CODE))
	@rm -f $$@ && ar rcsDT $$@ $$^

endef
$(eval $(foreach source,$(HOST_SOURCES) $(NOTICED),$(call program,$(source),host)))
$(eval $(foreach source,$(FUZZ_SOURCES),$(call program,$(source),fuzz)))
$(eval $(foreach source,$(filter-out $(BUILDERS:=.c),$(TOOL_SOURCES)),$(call program,$(source),tools)))
$(eval $(foreach kind,host fuzz tools,$(call library,$(kind))))
# $(call link,COMPILER AND FLAGS,LIBRARIES)
took = $(@D)/obj/$(@F)
link = $(1) -Wl,--trace -o $@ $< $(ALSO) $(@D)/libcode.a $(2) >$(took).txt && \
	sed -n 's,.*\.o$$,$@: &\n&:,p' $(took).txt >$(took).d

$(filter-out $(BUILDERS),$(TOOLS)):
	$(call QUIET,LD,$@)$(call link,$(HOST_CC) $(TOOL_LDFLAGS),$(HOST_LIBRARIES))

$(HOST_TESTS) $(BUILD)/host/noticed:
	$(call QUIET,LD,$@)$(call link,$(HOST_CC) $(TEST_LDFLAGS) $(SANITIZE) $(WRAP_ASSERTIONS),-lcmocka $(HOST_LIBRARIES) -lqrencode -lcjson)

$(FUZZ_TARGETS):
	$(call QUIET,LD,$@)$(call link,$(FUZZ_CC) $(TEST_LDFLAGS) $(SANITIZE) -fsanitize=fuzzer,$(HOST_LIBRARIES) -lcjson)

# Tests of the image that need only a CPU's registers, and so run on recorded registers, too. No symbol refers to them,
# so the archive is not enough.
RECORDED := $(patsubst %,tests/%.c,access/debug-control access/event-select access/fingerprint access/fixed-control \
	access/fixed-counters access/global-control access/gp-counters access/status-reset access/status-set \
	enum/capabilities enum/fixed-bitmap enum/leaf-0a enum/smm-freeze fixed/above-width fixed/read-back \
	global/ctrl-read-back global/status-bits gp/above-width gp/neighbours gp/read-back gp/sign-extension \
	overflow/status-set)
$(BUILD)/host/test_recorded: ALSO := $(RECORDED:%=$(BUILD)/host/obj/%.o)
$(BUILD)/host/test_recorded: $(RECORDED:%=$(BUILD)/host/obj/%.o)

host-tests: $(HOST_TESTS) $(patsubst %,$(BUILD)/host/obj/%.o,$(NOTICED) $(MUTANT)) ## builds the host tests
fuzz-targets: $(FUZZ_TARGETS) ## builds the fuzz targets
.PHONY: host-tests fuzz-targets

# ---- Running and testing

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

.PHONY: qemu-next run check test prove prove-tests prove-benign prove-excuses soak bench lockstep noticed mutants fuzz torture corpus
.PHONY: lava usb

# ---- For developers

# Of a file that is compiled more than once the image's command stands first.
compile_commands.json: FORCE ## how each C file is compiled, for editors: clangd and others read it
	@$(MAKE) --no-print-directory -Bnk V=1 kernel lies $(FOREIGN) $(TOOLS) model host-tests fuzz-targets | \
		awk -v directory="$(CURDIR)" -f tools/build/compile_commands.awk >$@

new-test: ## skeleton of a test: make new-test ID=chapter.what-holds
	@tools/new-test.sh "$(ID)"

format: | $(BUILD)/dependencies ## lets clang-format lay out all C files
	@find $(ROOMS) tools -name '*.[ch]' | xargs clang-format -i

coverage: ## counts the promises that a PMU makes: judged, measured or left out
	@reference/proof/coverage.sh

sharing-page: $(BUILD)/tools/sharing-page ## the page "may I use this counter?", from the library's rules: sharing.md
	@$< >$(BUILD)/sharing.md && echo $(BUILD)/sharing.md

pictures: iso tools ## renews the pictures of the README: docs/pictures
	@tools/docs/pictures.sh

docs: kernel tools ## renews what README and pages tell of programs and sources; each label's files: docs/labels.md
	@tools/docs/pages.py
	@mkdir -p $(BUILD)/docs
	@tools/docs/pages.py labels ../.. >$(BUILD)/docs/labels.md
	@echo $(BUILD)/docs/labels.md

help: ## this list
	@tools/docs/help.sh

.PHONY: new-test format coverage sharing-page pictures docs help

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
