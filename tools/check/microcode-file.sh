#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes updates of microcode to standard output, one behind the other, in the format that Intel publishes. The
# reference PMU accepts their data (reference/model/machine/microcode.c), but no CPU does.
#
# usage: tools/check/microcode-file.sh SIGNATURE:PLATFORMS:REVISION[:FAULT]...     numbers in hex, without 0x
#        FAULT: damaged, its checksum is wrong; unsealed, the CPU refuses it; late, for CPUs of that revision only
set -eu

dword() {
    for value; do
        # shellcheck disable=SC2059 # the format is the byte
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((value & 255)) $((value >> 8 & 255)) $((value >> 16 & 255)) \
            $((value >> 24 & 255)))"
    done
}

# SIGNATURE PLATFORMS REVISION FAULT
update() {
    signature=$((0x$1)) platforms=$((0x$2)) revision=$((0x$3)) least=0 seal=$((0x65646f63 ^ 0x$1 ^ 0x$2 ^ 0x$3))
    date=$((0x06182026)) data=2000 total=2048
    case $4 in
    unsealed) seal=0 ;;
    late) least=$revision ;;
    esac
    sum=$((-(1 + revision + date + signature + 1 + platforms + data + total + least + seal + signature + platforms + revision)))
    [ "$4" != damaged ] || sum=$((sum + 1))
    dword 1 $revision $date $signature $sum 1 $platforms $data $total 0 $least 0
    dword $seal $signature $platforms $revision
    head -c $((data - 16)) /dev/zero
}

for one; do
    IFS=: read -r signature platforms revision fault <<END
$one
END
    update "$signature" "$platforms" "$revision" "${fault:-none}"
done
