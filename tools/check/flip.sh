#!/bin/sh
# Flips single bits of the kernel on the medium, one an image, at places that a seed draws, and boots each with a defect in
# the reference PMU. However it ends, it must not end in a pass: the damaged image says so, or nothing comes of it.
#
# usage: tools/check/flip.sh [HOW MANY [SEED]]
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
count=${1:-4}
seed=${2:-$(git rev-parse --short=8 HEAD 2>/dev/null || echo 1)}
image=$BUILD/pmucheck.iso
work=$BUILD/logs/flip
rm -rf "$work"
mkdir -p "$work"

# The file's first byte and its length on the medium, in bytes.
place() {
    xorriso -indev "$image" -find /boot/pmucheck.elf -exec report_lba 2>/dev/null |
        awk -F '[,:] *' '/^File data lba/ { print $3 * 2048, $5 }'
}
read -r first length <<PLACE
$(place)
PLACE

# As many random numbers below 2^31 as asked for.
draw() {
    awk -v n="$count" -v seed="$seed" 'BEGIN {
        for (i = 1; i <= length(seed); i++)
            x = (x * 131 + index("0123456789abcdefghijklmnopqrstuvwxyz", substr(seed, i, 1))) % 2147483647
        for (i = 0; i < n; i++) {
            x = (x * 48271 + 11) % 2147483647
            print x
        }
    }'
}

flip() {
    at=$((first + $1 / 8 % length))
    byte=$(od -An -tu1 -j "$at" -N 1 "$2")
    # shellcheck disable=SC2059 # the format is the byte
    printf "\\$(printf '%03o' $((byte ^ (1 << ($1 % 8)))))" | dd of="$2" bs=1 seek="$at" conv=notrunc status=none
}

# How a boot ended: its verdict, or what was the last word of it.
outcome() {
    tr -d '\r' <"$1" | grep -a '^# end' | sed -n 's/.*verdict=\([a-z]*\).*/\1/p;q' | grep . ||
        { grep -aq '^# pmucheck' "$1" && echo silent; } || echo nothing
}

boot() {
    cp "$image" "$work/$1.iso"
    flip "$1" "$work/$1.iso"
    IMAGE=$work/$1.iso LOG=$work/$1.log CPUS=2 TIMEOUT=90 SUMMARY=0 REFERENCE=skylake \
        OPTIONS="quick run=pmi.*,enum.* defect=lvtpc-not-masked" tools/run.sh >/dev/null 2>&1 || :
    rm "$work/$1.iso"
    echo "$1 $(outcome "$work/$1.log")" >"$work/$1.result"
}

for number in $(draw); do
    boot "$number"
done
cat "$work"/*.result | awk '{ n[$2]++; if ($2 == "pass") print "bit " $1 ": a pass" }
    END { for (how in n) printf "%s: %u\n", how, n[how]; exit n["pass"] > 0 }'
