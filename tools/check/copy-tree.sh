#!/bin/sh
# Copies the tree into a directory that is there: what git has of it or would take, as it is now, and nothing built.
#
# usage: tools/check/copy-tree.sh DIRECTORY
set -eu
cd "$(dirname "$0")/../.."
git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null --files-from=- -cf - | tar -C "$1" -xf -
