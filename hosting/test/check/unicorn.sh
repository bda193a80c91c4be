#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The model's library in a third-party emulator, Unicorn: a program there must measure exactly the manual's numbers:
# leaf 0AH of the profile; 34 and 3,004 instructions, which are 10 and 1,000 turns of three and the four that stop the
# counter; 1,000 branches; 10 PMIs, each with STATUS bit 0 set and the LVT entry masked by its delivery. Haswell, whose
# leaf differs, must count the same; and so must a PMU that is saved and loaded after each instruction, or after 7.
# Would catch a model that counts only under pmucheck's own monitor, and one that forgets something in a snapshot.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
HOST_CC=${HOST_CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
[ -e /usr/include/unicorn/unicorn.h ] || {
    echo "libunicorn-dev is not installed"
    exit 77
}

nasm -f bin -o "$work/guest" hosting/test/unicorn/guest.asm
"$HOST_CC" -std=c17 -O1 -Wall -Wextra -Wshadow -Werror -I "$BUILD/include" hosting/test/unicorn/emulator.c \
    "$BUILD/libpmumodel.a" -lunicorn -o "$work/emulator"
timeout 60 "$work/emulator" "$work/guest" >"$work/skylake"
diff hosting/test/unicorn/guest.txt "$work/skylake"
timeout 60 "$work/emulator" "$work/guest" haswell >"$work/haswell"
[ "$(sed -n 1p "$work/haswell")" = 0000000007300403 ] || { echo "leaf 0AH is not Haswell's"; exit 1; }
sed -n '2,7p' "$work/skylake" >"$work/counts"
sed -n '2,7p' "$work/haswell" | diff "$work/counts" -
for every in 1 7; do
    timeout 300 "$work/emulator" "$work/guest" skylake "$every" | diff hosting/test/unicorn/guest.txt -
done
# A register that does not exist must fault; the program has no handler for faults, and must end.
printf '\271\021\021\000\000\017\062\364' >"$work/faults"
if timeout 60 "$work/emulator" "$work/faults" >"$work/out" 2>&1; then echo "an absent register was read"; exit 1; fi
grep 'the program has no gate' "$work/out" >/dev/null
echo "counts, PMIs and a fault in Unicorn, as they must be, also when saved and loaded in mid-count"
