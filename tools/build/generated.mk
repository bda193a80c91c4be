# SPDX-License-Identifier: BSD-2-Clause
# Stamps of flags and versions, and the sources that are made from tables.
# A part of the Makefile.

# Rewritten only when their text changes, so that what depends on them is rebuilt only then.
.PHONY: FORCE
FORCE:

COMMIT = $(shell tools/version.sh --commit)

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
