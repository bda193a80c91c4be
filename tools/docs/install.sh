#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs the project's pages with their lists, in the places to which they link each other: README.md, CHANGELOG.md,
# SECURITY.md, docs/ with its pictures, and the commands' pages.
#
# usage: tools/docs/install.sh DIRECTORY
set -eu
cd "$(dirname "$0")/../.."
find README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs hosting/README.md tools/pmucheck/README.md tools/lava/README.md -type f |
    while read -r file; do
        install -D -m 644 "$file" "$1/$file"
    done
tools/docs/pages.py made "$1"
