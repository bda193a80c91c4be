#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The sentences of five texts, by tests/sentences.txt, with where their tests ask them, by the tests' declarations. Each
# test in the table must exist, and each sentence have a test or a reason.
#
# usage: reference/proof/sentences.sh             how many are asked
#        reference/proof/sentences.sh --page      as Markdown, for docs/sentences.md
set -eu
cd "$(dirname "$0")/../.."
LC_ALL=C
export LC_ALL
find tests/*/ -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' ! -path 'tests/harness/*' -print | sort |
    xargs awk -f tools/build/declared.awk -f reference/proof/sentences.awk -v how="${1-}" tests/sentences.txt
