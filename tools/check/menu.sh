#!/bin/sh
# Boots the entries of GRUB's menu, and options from the stick: writes pmucheck.cfg into the EFI partition of a copy of
# the image, as a user would on a stick, and looks for what must then be in the log.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
copy=$BUILD/logs/menu.iso
cp "$BUILD/pmucheck.iso" "$copy" || exit 1
trap 'rm -f "$copy" "$copy.cfg"' EXIT
trap 'exit 130' HUP INT TERM
offset=$(xorriso -indev "$copy" -report_system_area plain 2>/dev/null |
    awk '/^GPT start and size/ && $6 == 2 { print $7 * 512 }')
bad=0

# entry NUMBER FIRMWARE PATTERN
entry() {
    printf 'set default=%s\nset pmucheck_options="machine=%s run=enum.* serial=com1"\n' "$1" "from-entry-$1" >"$copy.cfg"
    mcopy -o -i "$copy@@$offset" "$copy.cfg" ::/pmucheck.cfg || bad=1
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
exit $bad
