#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Lets the image show its pages in QEMU, takes pictures of the screen, turns their QR codes back into a log, and
# compares that with the log of the serial line: the same result code, the same outcome of every result, and the same
# failures in each command's output. Tests and walks fail, in walk only a walk. Without a name: lists the screens.
# Would catch QR codes that lack results of the log or contradict it, and a failure that a command does not see.
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
    [ ! -d hosting ] || echo hosted
    echo walk
    exit 0
}
name=$1
ovmf=/usr/share/OVMF
case $name in
text | hosted | walk) set -- ;;
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
want=1
case $name in
hosted) want=2 ;; # review, where no log has shown that class passing
walk) options="$options skip=a*,er*,f*,g*,h*,i*,l*,n*,o*,p*,r*,s*,t*,enum.events-count,enum.registers" ;;
esac
[ "$name" = walk ] && defect=counter-dead || defect=lvtpc-not-masked

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
        MONITOR=pipe:$shots/monitor hosting/tools/host.sh >"$shots/serial.txt"
    : 3<>"$shots/monitor.in" 4<>"$shots/monitor.out" # frees the processes that wait for a QEMU that never started
    wait
    tr -d '\r' <"$log" | hosting/test/check/hosted-log.sh | sed '/^# end /q' >"$shots/hosted.log"
    log=$shots/hosted.log
else
    options=$(echo "reference=skylake defect=$defect $options" | sed 's/,/,,/g') # QEMU's form of a comma
    watch_screen | tools/check/silence.sh "$log" 600 qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 256 -nic none \
        -display none -no-reboot -serial "file:$log" -monitor stdio -cdrom "$BUILD/pmucheck.iso" \
        -fw_cfg "name=opt/org.pmucheck/options,string=$options" \
        "$@" >"$shots/monitor.txt" 2>&1
fi

[ -e "$shots/scan.log" ] || fail "$(tail -n 1 "$shots/scan.txt" 2>/dev/null || echo "no picture was taken")"
tail -n 1 "$log" | grep -aq '^# end ' || fail "END is not the last line of the log"

# The summary, a page or more of findings and the codes are at most eight pages.
codes=$(sed -n 's/^# scan codes=//p' "$shots/scan.log")
[ "${codes:-99}" -le 6 ] || fail "the results take $codes codes, more than 6"

code=$(tr -d '\r' <"$log" | sed -n 's/^# result .* code=//p')
[ -n "$code" ] || fail "the log has no result code"
"$program" report --code="$code" "$log" "$shots/scan.log" >"$shots/report.txt"
[ $? = "$want" ] || fail "both logs should report status $want, with the result code $code"

# Numbers, outcomes and names of all results. The codes have no reasons of skips.
results() {
    tr -d '\r' <"$1" | grep -aE '^(not )?ok ' | sed 's/ # \([A-Z]*\).*/ # \1/'
}
results "$log" >"$shots/results-serial.txt"
results "$shots/scan.log" >"$shots/results-scan.txt"
cmp "$shots/results-serial.txt" "$shots/results-scan.txt" || fail "the results differ"
"$program" compare --chapter=results "$log" "$shots/scan.log" >"$shots/compare.txt" || fail "compare refuses the logs"
! grep -q outcome "$shots/compare.txt" || fail "compare reports facts that the codes lack as differences"

# The names of what failed, from each output of the report.
failures() {
    "$program" report --format=text "$1" | sed -nE 's/^  (fail|review) +([^ ,:]+).*/\2/p' | LC_ALL=C sort >"$2-text.txt"
    "$program" report --format=junit "$1" | awk -F'"' '/<testcase / { name = $4 } /<failure / { print name }' |
        LC_ALL=C sort >"$2-junit.txt"
    "$program" report --format=ktap "$1" | sed -nE 's/^ +not ok [0-9]+ ([^ ]+)( # REVIEW.*)?$/\1/p' |
        LC_ALL=C sort >"$2-ktap.txt"
    "$program" report --format=expect "$1" >"$2.expect"
    sed -nE 's/^([^# ]+) .*/\1/p' "$2.expect" | LC_ALL=C sort -u >"$2-expect.txt"
    "$program" report --expect="$2.expect" --quiet "$1" || fail "the list of failures of $1 does not accept that log"
}
failures "$log" "$shots/serial"
failures "$shots/scan.log" "$shots/scan"
[ -s "$shots/serial-text.txt" ] || fail "the report names no failure"
for form in text junit ktap expect; do
    for of in serial scan; do
        cmp "$shots/serial-text.txt" "$shots/$of-$form.txt" || fail "the $form report of $of names other failures"
    done
done
[ "$want" = 1 ] && verdict=fail || verdict=review
"$program" compare "$log" "$shots/scan.log" | head -n 1 | grep -q ": 2 $verdict" || fail "compare has another verdict"
[ "$name" != walk ] || [ "$(cat "$shots/serial-text.txt")" = lockstep ] || fail "not only walks failed"
echo "$name: $(wc -l <"$shots/results-scan.txt") results, $(wc -l <"$shots/serial-text.txt") failures, result code $code"
