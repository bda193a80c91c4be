#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Lets the image show its pages in QEMU, takes pictures of the screen, turns their QR codes back into a log, and
# compares that with the log of the serial line: the same result code, and the same outcome of every test. Without a
# name: lists the screens.
# Would catch QR codes that lack results of the log or contradict it.
#
# usage: tools/check/boot/codes.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
PAGES=${PAGES:-60}                      ## seconds for all pages to turn, one second each
program=$BUILD/tools/pmucheck
[ $# -gt 0 ] || {
    echo text
    echo framebuffer
    echo hosted
    exit 0
}
name=$1
ovmf=/usr/share/OVMF
case $name in
text | hosted) set -- ;;
framebuffer) # UEFI has no text mode
    set -- -drive "if=pflash,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.fd" \
        -drive "if=pflash,format=raw,snapshot=on,file=$ovmf/OVMF_VARS_4M.fd" ;;
*)
    echo "$name: there is no such screen"
    exit 1
    ;;
esac
shots=$BUILD/logs/codes-$name
log=$shots/serial.log
rm -rf "$shots"
mkdir -p "$shots" || exit 1
options="quick pages=1 after=halt"
[ "$name" = hosted ] && want=2 || want=1 # review, where no log has shown that class passing

fail() {
    echo "$name: $1"
    exit 1
}

# The commands for QEMU's monitor: a picture each half second, until every code has been seen.
watch_screen() {
    tools/check/await.sh "$log" 300 "^# end .* crc32=[0-9a-f]{8}\$"
    for shot in $(seq 1 $((2 * PAGES))); do
        echo "screendump $shots/$shot.png -f png"
        sleep 0.5
        set -- "$shots"/*.png
        [ -e "$1" ] && [ $((shot % 4)) = 0 ] && "$program" scan --output="$shots/scan.log" "$@" 2>"$shots/scan.txt" && break
    done
    echo quit
}

# The image runs the reference PMU itself, or is hosted on one, as on a lab's machine. Hosted, the reference PMU's
# monitor also writes to the serial line, before and after the image's log.
if [ "$name" = hosted ]; then
    mkfifo "$shots/monitor.in" "$shots/monitor.out" || exit 1
    cat "$shots/monitor.out" >"$shots/monitor.txt" &
    watch_screen >"$shots/monitor.in" &
    ARGS=$options KERNEL=$BUILD/pmucheck.elf OPTIONS=defect=fixed-ctr1-write-corrupt CPUS=2 LOG=$log \
        MONITOR=pipe:$shots/monitor tools/host.sh >"$shots/serial.txt"
    : 3<>"$shots/monitor.in" 4<>"$shots/monitor.out" # frees the processes that wait for a QEMU that never started
    wait
    tr -d '\r' <"$log" | tools/check/hosted-log.sh | sed '/^# end /q' >"$shots/hosted.log"
    log=$shots/hosted.log
else
    watch_screen | tools/check/silence.sh "$log" 600 qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 256 -nic none \
        -display none -no-reboot -serial "file:$log" -monitor stdio -cdrom "$BUILD/pmucheck.iso" \
        -fw_cfg "name=opt/org.pmucheck/options,string=reference=skylake defect=lvtpc-not-masked $options" \
        "$@" >"$shots/monitor.txt" 2>&1
fi

[ -e "$shots/scan.log" ] || fail "$(tail -n 1 "$shots/scan.txt" 2>/dev/null || echo "no picture was taken")"
tail -n 1 "$log" | grep -aq '^# end ' || fail "END is not the last line of the log"

code=$(tr -d '\r' <"$log" | sed -n 's/^# result .* code=//p')
[ -n "$code" ] || fail "the log has no result code"
"$program" report --code="$code" "$log" "$shots/scan.log" >"$shots/report.txt"
[ $? = "$want" ] || fail "both logs should report status $want, with the result code $code"

# Numbers, outcomes and names of all tests' results. The codes have no reasons of skips, and no result of random walks.
results() {
    tr -d '\r' <"$1" | grep -aE '^(not )?ok ' | sed -e 's/ # \([A-Z]*\).*/ # \1/' -e '/ok [0-9]* lockstep/d'
}
results "$log" >"$shots/results-serial.txt"
results "$shots/scan.log" >"$shots/results-scan.txt"
cmp "$shots/results-serial.txt" "$shots/results-scan.txt" || fail "the results differ"
"$program" compare --chapter=results "$log" "$shots/scan.log" >"$shots/compare.txt" || fail "compare refuses the logs"
! grep -q outcome "$shots/compare.txt" || fail "compare reports facts that the codes lack as differences"
echo "$name: $(wc -l <"$shots/results-scan.txt") results, result code $code"
