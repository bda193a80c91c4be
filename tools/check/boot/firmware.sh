#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the kernel on firmware that QEMU does not have, by a GRUB of Debian that changes what the firmware tells: ACPI
# tables of this script's own, and a memory map with holes. Without a name: lists the cases.
# Would catch a machine that is not switched off, a listed CPU whose absence nobody explains, and memory that is lost.
# (GRUB takes minutes for more holes than here.)
#
# usage: tools/check/boot/firmware.sh [NAME]
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
[ $# -gt 0 ] || {
    printf '%s\n' sleep-in-ssdt sleep-nowhere cpu-missing cpu-left-out holes
    exit 0
}
name=$1
log=$BUILD/logs/firmware-$name.log
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir -p "$BUILD/logs" "$work/tree/boot/grub"

fail() {
    echo "$name: $1"
    exit 1
}

# A DSDT without sleep states, Name (FOO_, Zero), and an SSDT with Name (\_S5_, Package (4) {0, 0, 0, 0}).
tables() {
    printf 'DSDT*\000\000\000\002\004PMUCHKSLEEPING\001\000\000\000PMUC\001\000\000\000\010FOO_\000' >"$work/tree/dsdt"
    printf 'SSDT\061\000\000\000\002sPMUCHKSLEEPING\001\000\000\000PMUC\001\000\000\000\010\134_S\065_\022\006\004\000\000\000\000' \
        >"$work/tree/ssdt"
}

# A MADT: the CPU, a second one that is not there, a third that may be plugged in, an I/O APIC.
cpus() {
    {
        printf 'APICP\000\000\000\003[PMUCHKPHANTOMS\001\000\000\000PMUC\001\000\000\000'
        printf '\000\000\340\376\001\000\000\000'
        printf '\000\010\000\000\001\000\000\000'
        printf '\000\010\001\001\001\000\000\000'
        printf '\000\010\002\002\002\000\000\000'
        printf '\001\014\000\000\000\000\300\376\000\000\000\000'
    } >"$work/tree/madt"
}

# holes COUNT: cuts so many pages out of memory, every second one from 128 MiB on.
holes() {
    awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++) {
        at = 134217728 + 8192 * i; printf "cutmem 0x%x 0x%x\n", at, at + 4096 } }'
}

# boots AFTER COMMAND...: GRUB's commands come before the kernel.
boots() {
    after=$1
    shift
    cp "$BUILD/pmucheck.elf" "$work/tree/boot"
    {
        echo 'set timeout=0'
        for command; do echo "$command"; done
        echo "multiboot2 /boot/pmucheck.elf reference=skylake quick run=enum.leaf-0a,gp.read-back,gp.instructions after=$after"
        echo boot
    } >"$work/tree/boot/grub/grub.cfg"
    grub-mkrescue --directory=/usr/lib/grub/i386-pc -o "$work/image.iso" "$work/tree" >"$work/messages" 2>&1 ||
        { cat "$work/messages"; fail "grub-mkrescue"; }
    status=0
    timeout 120 qemu-system-x86_64 -accel tcg -cpu max -m 256 -nic none -display none -no-reboot -serial "file:$log" \
        -device isa-debug-exit,iobase=0xf4,iosize=4 -cdrom "$work/image.iso" -boot d </dev/null || status=$?
}

# tells PATTERN: some line of the log must match.
tells() {
    tr -d '\r' <"$log" | grep -aqE -e "$1" || fail "no line of the log matches: $1"
}

# has_kib LEAST MOST: that much memory is found.
has_kib() {
    kib=$(tr -d '\r' <"$log" | sed -n 's/^# machine .* memory-kib=\([0-9]*\) .*/\1/p')
    if [ "${kib:-0}" -lt "$1" ] || [ "${kib:-0}" -gt "$2" ]; then fail "memory-kib=$kib, not from $1 to $2"; fi
}

case $name in
sleep-in-ssdt) # switched off: QEMU ends
    tables
    boots poweroff 'acpi --exclude=DSDT /dsdt /ssdt'
    [ "$status" = 0 ] || fail "the machine was not switched off: status $status"
    tells '^# end verdict=pass'
    ! grep -aq 'no \\\\_S5 package' "$log" || fail "the SSDT was not read"
    ;;
sleep-nowhere)
    tables
    boots exit 'acpi --exclude=DSDT /dsdt'
    tells '^# acpi table=DSDT .*error="no .*_S5 package, nor in an SSDT: the machine cannot be switched off"'
    ;;
cpu-missing)
    cpus
    boots exit 'acpi --exclude=APIC /madt'
    tells '^# acpi .* cpus=2 disabled=1 '
    tells '^# error cpu=1 apic-id=1 did not answer'
    tells '^# advice firmware.madt "the lines # error cpu= name listed CPUs'
    tells '^# end verdict=error'
    ;;
cpu-left-out) # as the advice says
    cpus
    boots 'exit cpus=0' 'acpi --exclude=APIC /madt'
    tells '^# end verdict=pass'
    ;;
holes) # each piece is used
    boots exit "$(holes 400)"
    tells '^# end verdict=pass'
    has_kib 258000 260200
    ! grep -aq '^# memory .*left-out=' "$log" || fail "regions were left out"
    ;;
*) fail "no such case" ;;
esac
