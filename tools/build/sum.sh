#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the CRC-32 of a linked kernel's text, constants and first data into its section .sum, where kernel/core/image.c
# finds it. Nothing else of the file changes.
#
# usage: tools/build/sum.sh KERNEL.elf
set -eu
kernel=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What lies at the addresses of these sections, one after the other without what is between the groups.
part() {
    output=$1
    shift
    objcopy -O binary "$@" "$kernel" "$work/$output"
}
part text -j .text -j .user.text
part rodata -j .note.Xen -j .rodata
part data -j .data
# gzip ends in the CRC-32 of what it packed, and in its length, four bytes each.
cat "$work/text" "$work/rodata" "$work/data" | gzip -1n | tail -c 8 | head -c 4 >"$work/sum"
offset=$(objdump -h "$kernel" | awk '$2 == ".sum" { print $6 }')
dd if="$work/sum" of="$kernel" bs=1 seek="$((0x$offset))" conv=notrunc status=none
od -An -tx4 "$work/sum" | tr -d ' \n'
