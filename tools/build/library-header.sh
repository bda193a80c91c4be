#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the single header of the model's library: reference/model/model.h and the headers that it includes, in one
# text without includes of the tree. A program that has the names of registers and bits already can leave them out.
#
# usage: tools/build/library-header.sh >pmumodel.h
set -eu
cd "$(dirname "$0")/../.."

# Prints a header without the parts that only the tree needs: of the registers, only their numbers, not their rows.
body() {
    awk '
        /^\/\*/ && !row { held = ""; comment = 1 }
        /^REGISTER\(/ { row = 1; held = ""; depth = 0 }
        row { depth += gsub(/\(/, "(") - gsub(/\)/, ")"); row = depth > 0; next }
        comment { held = held $0 "\n"; comment = !/\*\/ *$/; next }
        { printf "%s%s\n", held, $0; held = "" }
        END { printf "%s", held }' "$1" |
        grep -vE '^#pragma once|^#include "|^/\* The indentation is part of the table|^/\* clang-format' | cat -s
}

cat <<'TEXT'
/*
 * pmumodel.h: Intel's performance monitoring unit as a library, libpmumodel.a.
 *
TEXT
sed 's/^/ * /; s/ $//' LICENSE
cat <<'TEXT'
 *
 * With PMUMODEL_NO_REGISTERS defined before it is included, the header has the functions alone: no MSR numbers and
 * bits, and no short names such as u64 and BIT.
 */
#ifndef PMUMODEL_H
#define PMUMODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PMUMODEL_NO_REGISTERS

TEXT
for file in boot/bits.h boot/cpu.h; do
    body "$file" | grep -vE '^#include <'
    echo
done
echo '/* Model-specific registers. Bits stand indented under their register; names are the SDM'"'"'s. */'
body pmu/registers.def | sed '1,/\*\/$/d'
echo
cat <<'TEXT'
#endif /* PMUMODEL_NO_REGISTERS */

#ifdef __cplusplus
extern "C" {
#endif

TEXT
body reference/model/model.h | grep -vE '^#include <'
cat <<'TEXT'

#ifdef __cplusplus
}
#endif

#endif
TEXT
