# SPDX-License-Identifier: BSD-2-Clause
# The images, and the host programs that make them and read their logs.
# A part of the Makefile.

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
$(STATIC_ARCHIVES): $(BUILD)/static/%: tools/build/images.mk | $(BUILD)/dependencies
	@mkdir -p $(@D)
	@objcopy $(foreach name,$(UNREACHED),--redefine-sym $(name)=unreached_$(name)) \
		"$$($(HOST_CC) -print-file-name=$*)" $@
	@objcopy -w $(foreach name,unreached_ dbus_ ucnv_ UCNV_ lzma_,--weaken-symbol='$(name)*') $@

$(BUILD)/static/pmucheck: $(BUILD)/tools/obj/tools/pmucheck/pmucheck.c.o $(BUILD)/tools/libcode.a $(STATIC_ARCHIVES)
	$(call QUIET,LD,$@)$(HOST_CC) $(TOOL_LDFLAGS) -static -o $@ $^ -lm
