#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes a copy of the ISO with another FILE in its EFI partition, where a user edits files on a stick, and adds OTHER
# files there.
#
# usage: tools/iso-settings.sh COPY [FILE [OTHER]...] <CONTENT     FILE: pmucheck.cfg by default
set -eu
cd "$(dirname "$0")/.."
copy=$1
file=${2:-pmucheck.cfg}
cp "${BUILD:-build}/pmucheck.iso" "$copy"
offset=$(xorriso -indev "$copy" -report_system_area plain 2>/dev/null |
    awk '/^GPT start and size/ && $6 == 2 { print $7 * 512 }')
mcopy -o -i "$copy@@$offset" - "::/$file"
shift $(($# > 1 ? 2 : 1))
for other; do
    mcopy -o -i "$copy@@$offset" "$other" ::/
done
