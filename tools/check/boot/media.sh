#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots from one medium that a person prepares: the stick's image, the files of the ISO copied to a FAT32 stick, the
# network. On each, pmucheck.cfg is edited as on Windows, and its options must be in the log. Three media have scripts
# of their own: a web server, a signed image under Secure Boot, and LAVA. Without a name: lists them all.
# Would catch a medium that starts only where it was made, or loses the options on it.
#
# usage: tools/check/boot/media.sh [NAME]
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
[ $# -gt 0 ] || {
    printf '%s\n' stick-bios stick-uefi stick-uefi32 copy-gpt copy-mbr net-bios net-uefi http-bios http-uefi signed lava
    exit 0
}
name=$1
case $name in
signed) exec tools/check/boot/signed.sh ;;
http-*) exec tools/check/boot/http.sh "${name#http-}" ;;
lava) exec tools/lava.sh --if-there ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
export MTOOLS_SKIP_CHECK=1
# The options name a UART that is missing; the log must come all the same.
printf '# edited on Windows\r\n\r\nset pmucheck_options="machine=%s run=enum.registers serial=pci:9"\r\n' "from-$name" \
    >"$work/pmucheck.cfg"

# The host program writes the image to a stick that is larger than it.
make_stick() {
    truncate -s 48M "$work/medium"
    "$BUILD/tools/pmucheck" usb --image="$BUILD/pmucheck.img" "$work/medium"
    truncate -s 39M "$work/partition"
    dd if="$work/medium" of="$work/partition" bs=1M skip=1 count=39 status=none
    /sbin/fsck.fat -n "$work/partition"
    mtype -i "$work/partition" ::/SECURE-BOOT.txt | grep -q 'starts from its own disk'
    mcopy -o -i "$work/medium@@1M" "$work/pmucheck.cfg" ::/pmucheck.cfg
}

# copy_files LABEL TYPE: makes a stick as Windows formats it, with a volume name of its own and the ISO's files.
copy_files() {
    truncate -s 64M "$work/medium"
    printf 'label: %s\n2048,120000,%s\n' "$1" "$2" | /sbin/sfdisk --quiet --no-reread --no-tell-kernel "$work/medium"
    fat=$work/medium@@1M
    mformat -F -c 1 -T 120000 -h 255 -s 63 -H 2048 -v MY_STICK -i "$fat" ::
    xorriso -osirrox on -indev "$BUILD/pmucheck.iso" -extract / "$work/files" 2>"$work/messages" || cat "$work/messages"
    chmod -R u+w "$work/files"
    cp "$work/pmucheck.cfg" "$work/files"
    mcopy -s -i "$fat" "$work"/files/* ::/
}

copy_tree() {
    cp -R "$BUILD/netboot" "$work/medium"
    cp "$work/pmucheck.cfg" "$work/medium"
}

MEDIUM=usb FIRMWARE=uefi MACHINE=pc
case $name in
stick-*) make_stick ;;
copy-gpt) copy_files gpt EBD0A0A2-B9E5-4433-87C0-68B6B72699C7 ;;
copy-mbr) copy_files dos c ;;
net-*) copy_tree && MEDIUM=net ;;
*) echo "$name: no such medium" && exit 1 ;;
esac
case $name in
*-bios) FIRMWARE=bios ;;
*-uefi32) FIRMWARE=uefi32 MACHINE=q35 ;;
esac
log=$BUILD/logs/media-$name.log
export MEDIUM FIRMWARE MACHINE
IMAGE=$work/medium REFERENCE=skylake CPUS=2 SUMMARY=0 LOG=$log tools/run.sh
for pattern in "name=from-$name\$" '^ok 1 enum\.registers'; do
    tr -d '\r' <"$log" | grep -aqE -e "$pattern" || {
        echo "$name: no line of the log matches: $pattern"
        exit 1
    }
done
