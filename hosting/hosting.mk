# SPDX-License-Identifier: BSD-2-Clause
# Hosting in the build: pmucheck-host.elf, small kernels to be hosted, and targets. The Makefile includes this file.

KERNELS += pmucheck-host

# What only kernels with hosting have.
HOSTING := hosting/% reference/step/interpreter/copy.c reference/step/interpreter/copy.asm
HOSTING_KERNELS := pmucheck-host

# The groups of packages that its goals need.
NEEDING_image := foreign
NEEDING_image_run := host
NEEDING_image_tools_run := linux
NEEDING_image_tools_run_cases := self

# ---- Small kernels that are hosted: the same sources for 32 and 64 bits

FOREIGN_KERNELS := count32 count64 apic32 apic64 bad64 cpus32 cpus64 memory32 memory64 clock32 clock64 events64 \
	mixed64 real32 bios32 steps64 writes64 calls64
FOREIGN := $(FOREIGN_KERNELS:%=$(BUILD)/foreign/%.elf)
FOREIGN_CFLAGS = $(filter-out -m64 -mcmodel=small -mno-red-zone -fpie,$(IMAGE_CFLAGS)) -fno-pie
foreign32_CFLAGS := -m32
foreign32_ASFLAGS := -f elf32
foreign32_LDFLAGS := -m elf_i386
foreign64_CFLAGS := -m64 -mno-red-zone
foreign64_ASFLAGS := -f elf64 -DBITS64
$(BUILD)/foreign/%32.c.o $(BUILD)/foreign/%32.asm.o $(BUILD)/foreign/%32.elf: BITS := 32
$(BUILD)/foreign/%64.c.o $(BUILD)/foreign/%64.asm.o $(BUILD)/foreign/%64.elf: BITS := 64

# Programs for Linux, when that is hosted.
LINUX_PROGRAMS := $(foreach name,counted loads calls looks race,$(BUILD)/foreign/$(name))
$(filter-out %/race,$(LINUX_PROGRAMS)): $(BUILD)/foreign/%: hosting/test/foreign/linux/%.asm
	@mkdir -p $(@D)
	$(call QUIET,NASM,$@)nasm --reproducible -f elf64 -o $@.o $< && $(LD) -o $@ $@.o

$(BUILD)/foreign/race: hosting/test/foreign/linux/race.c hosting/hosting.mk | $(BUILD)/dependencies
	@mkdir -p $(@D)
	$(call QUIET,HOSTCC,$@)$(HOST_CC) $(HOST_CFLAGS) -pthread -o $@ $<

# A file that is no kernel, to test the message about it.
$(BUILD)/foreign/nothing.elf: hosting/test/foreign/link.ld
	@mkdir -p $(@D)
	@cp $< $@

foreign: $(FOREIGN) $(BUILD)/foreign/nothing.elf $(LINUX_PROGRAMS) ## small kernels to be hosted: foreign
bench qemu-next: foreign

# The same sources for 32 and 64 bits: each kernel's C file, the common entry.asm, and assembly of some kernels' own.
define COMPILE_FOREIGN
$(BUILD)/foreign/$(1)%.c.o: hosting/test/foreign/$(1).c $(BUILD)/gen/flags | $(BUILD)/dependencies
	@mkdir -p $$(@D)
	$$(call QUIET,CC,$$@)$$(CC) $$(FOREIGN_CFLAGS) $$(foreign$$(BITS)_CFLAGS) -MMD -MP -c -o $$@ $$<

endef
$(foreach kernel,$(sort $(patsubst %32,%,$(FOREIGN_KERNELS:%64=%))),$(eval $(call COMPILE_FOREIGN,$(kernel))))

define ASSEMBLE_FOREIGN
@mkdir -p $(@D)
$(call QUIET,NASM,$@)nasm --reproducible -Werror $(foreign$(BITS)_ASFLAGS) -o $@ $<
endef

$(BUILD)/foreign/mixed64.elf: $(BUILD)/foreign/mixed-code64.asm.o
$(BUILD)/foreign/real32.elf: $(BUILD)/foreign/real-code32.asm.o
$(BUILD)/foreign/bios32.elf: $(BUILD)/foreign/bios-code32.asm.o

$(BUILD)/foreign/%-code64.asm.o: hosting/test/foreign/%.asm hosting/hosting.mk | $(BUILD)/dependencies
	$(ASSEMBLE_FOREIGN)

$(BUILD)/foreign/%-code32.asm.o: hosting/test/foreign/%.asm $(INCLUDES) hosting/hosting.mk | $(BUILD)/dependencies
	$(ASSEMBLE_FOREIGN)

$(BUILD)/foreign/%.asm.o: hosting/test/foreign/entry.asm hosting/hosting.mk | $(BUILD)/dependencies
	$(ASSEMBLE_FOREIGN)

$(FOREIGN): $(BUILD)/foreign/%.elf: $(BUILD)/foreign/%.asm.o $(BUILD)/foreign/%.c.o hosting/test/foreign/link.ld
	$(call QUIET,LD,$@)$(LD) $(IMAGE_LDFLAGS) $(foreign$(BITS)_LDFLAGS) -T hosting/test/foreign/link.ld -o $@ \
		$(filter %.o,$^)

# ---- Running and testing

host: iso ## runs another kernel on the reference PMU: make host KERNEL=file.elf [ARGS="..."] [REFERENCE=haswell]
	@hosting/tools/host.sh; status=$$?; echo "QEMU's exit status: $$status"; test $$status -lt 99

linux: iso tools $(LINUX_PROGRAMS) ## Debian's Linux hosted: what perf, rr, PAPI, likwid and turbostat find; kexec
	@hosting/tools/linux-all.sh && for what in bios uefi hang; do hosting/tools/kexec.sh $$what || exit 1; done

witnesses: iso tools ## what others wrote for a PMU, in hosted Linux, against known results; [PROGRAMS=folder | KERNELS=folder]
	@hosting/tools/witnesses.sh

self: iso tools ## hosts the image on itself with each profile: a whole run with pmu=hardware on every PMU
	@tools/check/run.py self

.PHONY: foreign host linux self witnesses
