#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the entries of GRUB's menu, and options from the stick: writes pmucheck.cfg into the EFI partition of a copy of
# the image, as a user would on a stick, and looks for a line in the log.
# Would catch an entry of the menu that does not do what it says.
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
copy=$BUILD/logs/menu.iso
trap 'rm -f "$copy"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

# entry NUMBER FIRMWARE PATTERN
entry() {
    printf 'set default=%s\nset pmucheck_options="machine=%s run=enum.* serial=com1"\n' "$1" "from-entry-$1" |
        tools/iso-settings.sh "$copy" || bad=1
    LOG=$BUILD/logs/menu-$1.log
    IMAGE=$copy FIRMWARE=$2 MEDIUM=usb CPUS=2 REFERENCE=skylake SUMMARY=0 LOG=$LOG tools/run.sh || bad=1
    for pattern in "name=from-entry-$1\$" "$3"; do
        tr -d '\r' <"$LOG" | grep -aqE -e "$pattern" || {
            echo "entry $1: no line of the log matches: $pattern"
            bad=1
        }
    done
}

entry 0 bios '^# core-type .*cpus=0-1 '
entry 1 bios '^# core-type .*cpus=0-1 '
entry 2 bios '^# core-type .*cpus=0 '
entry 3 uefi '^# screen none'
entry 4 bios '^# options .* cpus=0 skip-step=acpi,cpus,pci"'
exit $bad
