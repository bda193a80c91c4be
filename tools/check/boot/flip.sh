#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Flips a single bit of the kernel on the medium, one an image, at a random place drawn from a seed, and boots the image
# with a defect in the reference PMU. A boot may end without a verdict, with "error", or with "fail", as the defect
# deserves: GRUB refuses the file, the damaged image says so itself, or the bit does not matter. GRUB_LOOKS=0 leaves out
# GRUB's look at the sum, as if the medium were good and the memory bad.
# Would catch a pass of a program that is not what was built.
#
# usage: [GRUB_LOOKS=0] [JOBS=N] tools/check/boot/flip.sh [HOW MANY [SEED]]
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
GRUB_LOOKS=${GRUB_LOOKS:-1}
work=${FLIP_WORK:-$BUILD/logs/flip-$GRUB_LOOKS}
image=$work/image.iso

# As many random numbers below 2^31 as asked for.
draw() {
    awk -v n="$1" -v seed="$2" 'BEGIN {
        for (i = 1; i <= length(seed); i++)
            x = (x * 131 + index("0123456789abcdefghijklmnopqrstuvwxyz", substr(seed, i, 1))) % 2147483647
        for (i = 0; i < n; i++) {
            x = (x * 48271 + 11) % 2147483647
            print x
        }
    }'
}

# How a boot ended, in words, by its END line or the last message before it stopped.
outcome() {
    lines=$(tr -d '\r' <"$1" | tr -c '\n -~' '?')
    verdict=$(echo "$lines" | sed -n 's/^# end .*verdict=\([a-z]*\).*/\1/p' | tail -n 1)
    stage=$(echo "$lines" | sed -n 's/^# start //p' | tail -n 1)
    case $lines in
    *"pmucheck: the image is damaged"*) echo "GRUB refuses it: its sum" ;;
    *"pmucheck: GRUB could not load"*) echo "GRUB refuses it: no kernel" ;;
    *"error the image is damaged"*) echo "error: the image's sum" ;;
    *"pmucheck: this image is damaged"*) echo "error: the image's sum, and nothing after it" ;;
    *) case $verdict in
        fail) echo "fail: the defect is found" ;;
        error) echo "error: otherwise" ;;
        ?*) echo "WRONG: $verdict" ;;
        *) case $stage in
            ?*) echo "stops, after: start $stage" ;;
            *) echo "silent" ;;
            esac ;;
        esac ;;
    esac
}

# One boot, with the number of the bit as argument.
[ -z "${FLIP_WORK-}" ] || {
    cp "$image" "$work/$1.iso"
    tools/check/flip-bit.sh "$work/$1.iso" $((first * 8 + $1))
    status=0
    IMAGE=$work/$1.iso LOG=$work/$1.log CPUS=1 SILENCE=60 TIMEOUT=240 SUMMARY=0 REFERENCE=skylake \
        OPTIONS="quick run=pmi.mask-set,pmi.masked,enum.leaf-0a defect=lvtpc-not-masked" tools/run.sh >/dev/null 2>&1 ||
        status=$?
    rm "$work/$1.iso"
    echo "$1 $status $(outcome "$work/$1.log")" >"$work/$1.result"
    exit
}

rm -rf "$work"
mkdir -p "$work"
looks=hashsum
[ "$GRUB_LOOKS" = 1 ] || looks='echo   '
LC_ALL=C sed "s/if hashsum /if $looks /" "$BUILD/pmucheck.iso" >"$image"
# Where the kernel starts on the medium, and its length, in bytes.
place=$(xorriso -indev "$image" -find /boot/pmucheck.elf -exec report_lba 2>/dev/null |
    awk -F '[,:] *' '/^File data lba/ { print $3 * 2048, $5 + 0 }')
first=${place% *} length=${place#* }
export first FLIP_WORK="$work"
draw "${1:-4}" "${2:-$(git rev-parse --short=8 HEAD 2>/dev/null || echo 1)}" |
    awk -v bits="$((length * 8))" '{ print $1 % bits }' | xargs -P "$JOBS" -n 1 tools/check/boot/flip.sh
rm "$image"
cat "$work"/*.result | awk '{ bit = $1; status = $2; $1 = $2 = ""; n[$0]++; if (!/^ *(GRUB|error|fail)/) print "bit " bit ", status " status ":" $0 }
    / WRONG/ { wrong++ }
    END { for (how in n) printf "%6u %s\n", n[how], how; exit wrong > 0 }'
