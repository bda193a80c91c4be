# SPDX-License-Identifier: BSD-2-Clause
# Targets for developers, and the list of targets.
# A part of the Makefile.

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

docs: kernel tools ## renews the lists in README and pages; writes the pages that are lists, and each label's files: docs
	@tools/docs/pages.py
	@tools/docs/pages.py made $(BUILD)/pages
	@mkdir -p $(BUILD)/docs
	@tools/docs/pages.py labels ../.. >$(BUILD)/docs/labels.md
	@echo "$(BUILD)/pages/docs $(BUILD)/docs/labels.md"

help: ## this list
	@tools/docs/help.sh

.PHONY: new-test format coverage sharing-page pictures docs help
