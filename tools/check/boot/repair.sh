#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Damages GRUB itself on the medium, as a bad block of a stick would: 2 KiB at a random place of the part that its own
# first part can repair, and a single bit elsewhere in it. The image starts all the same and finds the defect in the
# reference PMU. On a BIOS only; UEFI firmware checks its loader by no more than a signature.
# Would catch a code that GRUB does not read, or that repairs too little.
#
# usage: tools/check/boot/repair.sh iso|img [HOW MANY [SEED]]
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
kind=$1
seed=${3:-$(git rev-parse --short=6 HEAD 2>/dev/null || echo 1)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# Where GRUB's startup code begins on the medium, and the length from there on.
case $kind in
iso)
    place=$(xorriso -indev "$BUILD/pmucheck.iso" -find /boot/grub/bios.img -exec report_lba 2>/dev/null |
        awk -F '[,:] *' '/^File data lba/ { print $3 * 2048 + 2560, $5 - 2560 }')
    medium="cd"
    ;;
*)
    # The list of blocks in the core's first sector has the number of the others.
    place=$(od -An -tu2 -j $((512 + 508)) -N 2 "$BUILD/pmucheck.img" | awk '{ print 1024, $1 * 512 }')
    medium="usb"
    ;;
esac
first=${place% *} length=${place#* }
open=$(od -An -tu2 -j $((first + 20)) -N 2 "$BUILD/pmucheck.$kind" | tr -d ' ')
bad=0
awk -v n="${2:-1}" -v seed="$seed" -v first=$((first + open)) -v length_="$((length - open - 2048))" 'BEGIN {
    for (i = 1; i <= length(seed); i++)
        x = (x * 131 + index("0123456789abcdef", substr(seed, i, 1))) % 2147483647
    for (i = 0; i < 2 * n; i++) {
        x = (x * 48271 + 11) % 2147483647
        printf "%d%s", first + x % length_, i % 2 ? "\n" : " "
    }
}' >"$work/places"
while read -r hole bit; do
    cp "$BUILD/pmucheck.$kind" "$work/image.$kind"
    head -c 2048 /dev/zero | tr '\0' '\377' | dd of="$work/image.$kind" bs=1 seek="$hole" conv=notrunc status=none
    tools/check/flip-bit.sh "$work/image.$kind" $((bit * 8))
    MEDIUM=$medium IMAGE=$work/image.$kind LOG=$work/log CPUS=1 SILENCE=60 TIMEOUT=240 SUMMARY=0 REFERENCE=skylake \
        OPTIONS="quick run=pmi.mask-set defect=lvtpc-not-masked" tools/run.sh >/dev/null 2>&1 || :
    grep -aq '^# end verdict=fail' "$work/log" || { echo "$kind: 2 KiB at $hole, a bit at $bit: it did not start"; bad=1; }
done <"$work/places"
exit $bad
