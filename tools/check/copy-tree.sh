#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copies the tree into an existing directory: the files that git tracks or would add, as they are now, and nothing
# built.
#
# usage: tools/check/copy-tree.sh DIRECTORY
set -eu
cd "$(dirname "$0")/../.."
git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null --files-from=- -cf - | tar -C "$1" -xf -
