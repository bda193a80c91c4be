#!/bin/sh
# Writes the image to a USB stick. Refuses whatever does not look like one: not a whole disk, not removable, mounted,
# larger than 256 GiB. Everything on the stick is lost.
#
# usage: tools/write-usb.sh DEVICE      e.g. /dev/sdb
set -eu
cd "$(dirname "$0")/.."
IMAGE=${IMAGE:-${BUILD:-build}/pmucheck.iso}
LIMIT=$((256 << 30))

refuse() {
    echo "write-usb: $1" >&2
    echo "Removable disks here:" >&2
    lsblk -dpno NAME,RM,SIZE,MODEL 2>/dev/null | awk '$2 == 1 { print "  " $0 }' >&2
    exit 1
}

[ -n "${1-}" ] || refuse "name the device: make usb DEVICE=/dev/sdX"
[ -b "$1" ] || refuse "$1 is not a block device"
[ -r "$IMAGE" ] || refuse "$IMAGE: there is no such file; 'make' builds it"
device=$(realpath "$1")
[ "$(lsblk -dno TYPE "$device")" = disk ] || refuse "$device is not a whole disk"
[ "$(lsblk -dno RM "$device" | tr -d ' ')" = 1 ] || refuse "$device is not removable"
[ "$(lsblk -dno RO "$device" | tr -d ' ')" = 0 ] || refuse "$device is write-protected"
[ -z "$(lsblk -no MOUNTPOINTS "$device" | tr -d '[:space:]')" ] || refuse "$device is mounted: unmount it first"
size=$(lsblk -bdno SIZE "$device" | tr -d ' ')
[ "$size" -ge "$(stat -c %s "$IMAGE")" ] || refuse "$device is too small, or has no medium in it"
[ "$size" -le "$LIMIT" ] || refuse "$device has $((size >> 30)) GiB: that is hardly a stick"

lsblk -dpno NAME,SIZE,VENDOR,MODEL "$device"
printf 'Everything on it will be lost. Write %s to it? (yes/no) ' "$IMAGE"
read -r answer
[ "$answer" = yes ] || refuse "nothing was written"
dd if="$IMAGE" of="$device" bs=1M conv=fsync status=none
cmp -n "$(stat -c %s "$IMAGE")" "$IMAGE" "$device" || refuse "$device does not hold what was written to it"
echo "$device: written and compared"
