#!/bin/sh
# Boots one case of tools/screens.txt, reads the screen back as text and compares it with tests/screens/NAME.txt; what
# differs from boot to boot, as times and the commit, is left out on both sides. Without a name: lists them.
#
# usage: [WRITE=1] tools/check-screens.sh [NAME]      WRITE=1: the text is taken as the reference
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
TIMEOUT=60

rows() {
    sed -e '/^#/d' -e '/^[[:blank:]]*$/d' -e 's/[[:blank:]]*|[[:blank:]]*/|/g' tools/screens.txt
}

[ $# -gt 0 ] || {
    rows | cut -d '|' -f 1
    exit 0
}
row=$(rows | grep "^$1|") || {
    echo "$1: no such case in tools/screens.txt"
    exit 1
}
IFS='|' read -r name size cpus options pattern pause <<ROW
$row
ROW
log=$BUILD/logs/screen-$name.log
image=$BUILD/logs/screen-$name.iso
shot=$BUILD/logs/screen-$name.ppm
memory=$BUILD/logs/screen-$name.bin
mkdir -p "$BUILD/logs"
rm -f "$shot" "$memory"
: >"$log"
trap 'rm -f "$image" "$image.cfg"' EXIT

# The stick asks for the size, as its owner would.
cp "$BUILD/pmucheck.iso" "$image" || exit 1
if [ "$size" = text ]; then
    set --
else
    offset=$(xorriso -indev "$image" -report_system_area plain 2>/dev/null |
        awk '/^GPT start and size/ && $6 == 2 { print $7 * 512 }')
    echo "set gfxpayload=$size" >"$image.cfg"
    mcopy -o -i "$image@@$offset" "$image.cfg" ::/pmucheck.cfg || exit 1
    set -- -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
        -drive if=pflash,format=raw,snapshot=on,file=/usr/share/OVMF/OVMF_VARS_4M.fd
fi

# What the monitor is told, when the time has come.
tell() {
    waited=0
    until tr -d '\r' <"$log" | grep -aqE -e "$pattern"; do
        [ "$waited" -lt "$TIMEOUT" ] || exit
        sleep 1
        waited=$((waited + 1))
    done
    sleep "$pause"
    echo "screendump $shot"
    echo "pmemsave 0xb8000 4000 \"$memory\""
    echo quit
}
tell | timeout $((TIMEOUT + 10)) qemu-system-x86_64 -accel tcg -nic none -display none -no-reboot -monitor stdio \
    -serial "file:$log" -cpu max -smp "$cpus" -m 256 -vga none -device VGA,vgamem_mb=64 \
    -fw_cfg "name=opt/org.pmucheck/options,string=$(echo "$options" | sed 's/,/,,/g')" "$@" \
    -drive "if=none,id=medium,format=raw,snapshot=on,file=$image" -device qemu-xhci \
    -device usb-storage,drive=medium,removable=on,bootindex=0 >/dev/null
[ -f "$memory" ] || {
    echo "$name: the log never showed $pattern"
    exit 1
}

# What lasts from boot to boot.
lasting() {
    sed -E 's/\([0-9a-f]{12}(-dirty)?\)/(COMMIT)/; s/, [0-9]+ s +/, N s  /; s/ +(page [0-9]+) of [0-9]+$/  \1 of N/; s/code [0-9A-Z-]+$/code CODE/
        /^# (sync|heartbeat|bits) /d'
}

[ "$size" = text ] && screen=$memory || screen=$shot
"$BUILD/tools/screen-text" "$BUILD/gen/font.psf" "$screen" >"$BUILD/logs/screen-$name.txt" || exit 1
reference=tests/screens/$name.txt
if [ "${WRITE:-0}" = 1 ]; then
    lasting <"$BUILD/logs/screen-$name.txt" >"$reference"
else
    lasting <"$BUILD/logs/screen-$name.txt" | diff -u "$reference" -
fi
