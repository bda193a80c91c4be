#!/bin/sh
# A copy of the ISO in which a file of the EFI partition, where a user edits on a stick, is another one.
#
# usage: tools/iso-settings.sh COPY [FILE] <CONTENT     FILE: pmucheck.cfg unless it is named
set -eu
cd "$(dirname "$0")/.."
cp "${BUILD:-build}/pmucheck.iso" "$1"
offset=$(xorriso -indev "$1" -report_system_area plain 2>/dev/null |
    awk '/^GPT start and size/ && $6 == 2 { print $7 * 512 }')
mcopy -o -i "$1@@$offset" - "::/${2:-pmucheck.cfg}"
