#!/bin/sh
# Which rows of tests/coverage.txt the tests cover: the table, the totals, and what is left and why.
set -eu
cd "$(dirname "$0")/../.."
find tests -name '*.c' ! -path 'tests/harness/*' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' | LC_ALL=C sort |
    xargs awk -f tools/proof/coverage.awk tests/coverage.txt
