# SPDX-License-Identifier: BSD-2-Clause
# The model as a library for any C program, in which only the names of its headers are global.
# A part of the Makefile.

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
