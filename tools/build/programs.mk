# SPDX-License-Identifier: BSD-2-Clause
# Host tests and fuzz targets, and the archives of code for them and the tools.
# A part of the Makefile.

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
WRAP_ASSERTIONS := $(foreach name,$(ASSERTIONS),-Wl$(comma)--wrap=$(name))
$(BUILD)/gen/assertions.inc: tools/build/programs.mk
	@mkdir -p $(@D)
	@printf 'COUNTED %s\n' $(ASSERTIONS) >$@
$(BUILD)/host/obj/tests/host/assertions/count.asm.o $(BUILD)/fuzz/obj/tests/host/assertions/count.asm.o: \
	$(BUILD)/gen/assertions.inc
# Of the image everything in C, except its tests, its main() and the start that calls it, and what the build machine's C
# library has, too.
HERE := $(filter-out $(TEST_SOURCES) tests/harness/mode/main.c kernel/start.c kernel/text/string.c %.asm,\
	$(WITHOUT_TESTS))
HERE_ASSEMBLY := $(wildcard reference/lockstep/*.asm reference/step/interpreter/*.asm hosting/monitor/translator/*.asm) \
	tests/host/assertions/count.asm
# Of two functions of one name the first one is taken.
host_CODE := $(TEST_CODE) $(TOOL_CODE) $(HERE) $(HERE_ASSEMBLY) $(BUILD)/gen/dumps.c
fuzz_CODE := $(host_CODE)
TOOL_ROOMS := kernel/log/ kernel/qr/ kernel/screen/ kernel/text/ pmu/area/ pmu/cpu/ \
	reference/handed/ reference/model/profiles.c pmu/sharing/ pmu/state/ tests/harness/core/ tests/harness/report/ \
	tests/harness/run/needs.c
tools_CODE := $(TOOL_CODE) $(filter $(addsuffix %,$(TOOL_ROOMS)),$(HERE))
LIBRARIES := $(foreach kind,host fuzz tools,$(BUILD)/$(kind)/libcode.a)
$(LIBRARIES): $$(patsubst %,$$(@D)/obj/%.o,$$($$(notdir $$(@D))_CODE))
	@rm -f $@ && ar rcsDT $@ $^

# $(call link,COMPILER AND FLAGS,LIBRARIES)
took = $(@D)/obj/$(@F)
link = $(1) -Wl,--trace -o $@ $< $(ALSO) $(@D)/libcode.a $(2) >$(took).txt && \
	sed -n 's,.*\.o$$,$@: &\n&:,p' $(took).txt >$(took).d

# $(call object,SOURCES): a program's object, by its name among them.
object = $$(patsubst %,$$(@D)/obj/%.o,$$(filter %/$$(@F).c,$(1)))
$(filter-out $(BUILDERS),$(TOOLS)): $(call object,$(TOOL_SOURCES)) | $(BUILD)/tools/libcode.a
	$(call QUIET,LD,$@)$(call link,$(HOST_CC) $(TOOL_LDFLAGS),$(HOST_LIBRARIES))

$(HOST_TESTS) $(BUILD)/host/noticed: $(call object,$(HOST_SOURCES) $(NOTICED)) | $(BUILD)/host/libcode.a
	$(call QUIET,LD,$@)$(call link,$(HOST_CC) $(TEST_LDFLAGS) $(SANITIZE) $(WRAP_ASSERTIONS),-lcmocka $(HOST_LIBRARIES) -lqrencode -lcjson)

$(FUZZ_TARGETS): $(call object,$(FUZZ_SOURCES)) | $(BUILD)/fuzz/libcode.a
	$(call QUIET,LD,$@)$(call link,$(FUZZ_CC) $(FUZZ_LDFLAGS) $(SANITIZE) -fsanitize=fuzzer,$(HOST_LIBRARIES) -lcjson)

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
