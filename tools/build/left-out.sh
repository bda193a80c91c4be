#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints the options that an image without the reference PMU lacks, as a list with commas: the rows of its rooms,
# of which hosting/ may be absent.
set -eu
cd "$(dirname "$0")/../.."

find reference hosting -name '*.c' 2>/dev/null | LC_ALL=C sort | xargs sed -n \
    -e 's/^OPTION(\([a-z_]*\),.*/\1/p' -e 's/^OPTION_NAMED([a-z_]*, "\([^"]*\)",.*/\1/p' | paste -sd , -
