#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Names of registers' bits are typed once, in pmu/registers.def: no file of the host program pairs such a name with a
# number. First a planted line must be told.
# Would catch a table of the host program that calls a bit by another bit's name.
set -u
cd "$(dirname "$0")/../../.." || exit 1
if echo '    {0, 0, 0, 18, 18, "RDPMC metrics clear"},' |
    awk -f tools/check/source/bits.awk pmu/registers.def - >/dev/null; then
    echo "a planted copy of a bit's name is not told"
    exit 1
fi
git ls-files --cached --others --exclude-standard tools | grep -E '\.(c|h|def)$' |
    xargs awk -f tools/check/source/bits.awk pmu/registers.def
