# SPDX-License-Identifier: BSD-2-Clause
# The packages that each goal needs, as groups of tools/dependencies.sh.
# A part of the Makefile.

# The groups of tools/dependencies.sh that goals need; a goal of no row needs image and tools. Goals that run something,
# and dependencies, install what is missing; all others only name it.
NEEDING_image += kernel iso stick netboot signed listing lies model $(BUILD)/%.elf $(BUILD)/%.iso $(BUILD)/%.img
NEEDING_image_tools_cases := docs dist download install install-files deb
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
