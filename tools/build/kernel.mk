# SPDX-License-Identifier: BSD-2-Clause
# The kernel: compiled, and linked twice.
# A part of the Makefile.

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

$(BUILD)/gen/no-tables.c: tools/build/kernel.mk
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
.SECONDEXPANSION: # $$ in what follows: of each target by itself
$(foreach kernel,$(LINKED),$(BUILD)/gen/$(kernel).first.elf $(BUILD)/$(kernel).elf): \
	$$($$(firstword $$(subst ., ,$$(@F)))_OBJECTS)

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
