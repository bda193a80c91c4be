#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Events that no test provoked must be reported: QEMU's monitor sends an NMI and a machine check to a CPU, on the
# machine's own PMU and on the reference PMU. The log must name CPU, bank, status and address, and the verdict must be
# an error for the machine check. On the reference PMU it goes to the core's second thread, which mostly runs no test:
# nearly all tests of branch records run on one thread of a core. If a test runs there, the error is that test's.
# Would catch an interrupt that changes a count but is not reported.
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
SILENCE=300 # seconds from one line to the next
STATUS=0xbe00000000000135
bad=0

lines() {
    tr -d '\r' <"$log"
}

# The commands for QEMU's monitor, sent when a line of the log matches.
tell() {
    tools/check/await.sh "$log" "$SILENCE" "$1"
    echo "nmi"
    echo "mce 1 3 $STATUS 5 0xdeadbe00 0x8c"
    tools/check/await.sh "$log" "$SILENCE" '^# end .* crc32=[0-9a-f]{8}$'
    echo quit
}

expect() {
    lines | grep -aqE -e "$1" || { echo "$log: no line matches $1"; bad=1; }
}

# boot NAME OPTIONS PATTERN: sends both once a line of the log matches PATTERN
boot() {
    log=$BUILD/logs/unasked-$1.log
    mkdir -p "$BUILD/logs"
    : >"$log"
    tell "$3" | tools/check/silence.sh "$log" "$SILENCE" qemu-system-x86_64 -accel tcg -nic none -display none \
        -no-reboot -monitor stdio -serial "file:$log" -cpu max -smp 2,threads=2 -m 256 -cdrom "$BUILD/pmucheck.iso" \
        -fw_cfg "name=opt/org.pmucheck/options,string=$(echo "$2" | sed 's/,/,,/g')" >/dev/null
    expect "^# machine-check cpu=1 [a-z]+=[a-z0-9.-]+ bank=3 status=$STATUS address=0xdeadbe00 misc=0x8c mcg-status=0x5$"
    expect '^# error (cpu=1 after=[a-z0-9.-]+|[a-z0-9.-]+ cpus=1) code=noise\.machine-check reason="1 machine check came"$'
    expect '^# foreign-nmi cpu=0 count=1 code=noise\.nmi$'
    expect '^# advice noise\.machine-check '
    expect '^# advice noise\.nmi '
    expect '^# end verdict=error .* error=1 '
    "$BUILD/tools/pmucheck" report "$log" | grep -q '^reason     machine-check cpu=1 ' ||
        { echo "$log: its report has no reason"; bad=1; }
}

# Slow output, or the run ends before QEMU's monitor has read a command.
boot hardware "pace=1500" '^# machine '
# No test here lets its PMIs come as NMIs: such a test may take another's NMI for its own, for an NMI states no source.
boot reference "reference=skylake quick repeat=20 run=lbr.call-stack,lbr.filters,lbr.order,lbr.rings,lbr.save-restore" \
    '^ok 3 '

# One each third of a second: a second machine check during the handling of the first would be a reset.
many() {
    tools/check/await.sh "$log" "$SILENCE" '^ok 2 '
    while kill -0 $$ && ! grep -aqE '^# end .* crc32=[0-9a-f]{8}' "$log"; do
        echo "mce 0 1 0xb200000000000000 5 0 0"
        sleep 0.3
    done
    echo quit
}
log=$BUILD/logs/unasked-many.log
: >"$log"
many | tools/check/silence.sh "$log" "$SILENCE" qemu-system-x86_64 -accel tcg -nic none -display none -no-reboot \
    -monitor stdio -serial "file:$log" -cpu max -m 256 -cdrom "$BUILD/pmucheck.iso" \
    -fw_cfg "name=opt/org.pmucheck/options,string=reference=ice-lake quick repeat=2 run=access.*,,gp.*,,fixed.*,,topdown.*,,pmi.*" >/dev/null
expect '^# end verdict=error .* fail=0 '
[ "$(lines | grep -ac '^# machine-check cpu=0 [a-z]*=[a-z0-9.-]* bank=1 ')" -gt 3 ] ||
    { echo "$log: fewer than four machine checks are reported"; bad=1; }
if lines | grep -a '^# fault '; then
    echo "$log: a machine check became a fault"
    bad=1
fi

# An error that the hardware corrects raises no machine check. It is reported once, at the end, and does not change the
# verdict. Errors that the banks hold at the start are reported at the start and not again.
CORRECTED=0x9400000000000005
silent() {
    tools/check/await.sh "$log" "$SILENCE" "$1"
    echo "mce 0 4 $CORRECTED 0 0xdeadbe00 0"
    tools/check/await.sh "$log" "$SILENCE" '^ok 2 '
    echo "mce 1 5 $CORRECTED 0 0xdeadbe00 0"
    tools/check/await.sh "$log" "$SILENCE" '^# end .* crc32=[0-9a-f]{8}$'
    echo quit
}
log=$BUILD/logs/unasked-corrected.log
: >"$log"
silent '^# start memory' | tools/check/silence.sh "$log" "$SILENCE" qemu-system-x86_64 -accel tcg -nic none \
    -display none -no-reboot -monitor stdio -serial "file:$log" -cpu max -smp 2 -m 256 -cdrom "$BUILD/pmucheck.iso" \
    -fw_cfg "name=opt/org.pmucheck/options,string=pace=1500 reference=skylake quick run=gp.r*,,enum.*" >/dev/null
expect "^# machine-check cpu=0 at=start bank=4 status=$CORRECTED address=0xdeadbe00 mcg-status=0x0$"
expect "^# machine-check cpu=1 at=end bank=5 status=$CORRECTED address=0xdeadbe00 mcg-status=0x0$"
expect '^# end verdict=pass '
[ "$(lines | grep -c '^# machine-check ')" = 2 ] || { echo "$log: more or fewer than two errors are reported"; bad=1; }

# A late PMI must end the test during which it comes as an error with vector and CPU, and must fail no test. Several
# tests, because in a single one each late PMI may come just while the next repeat awaits a PMI of its own.
log=$BUILD/logs/unasked-late.log
LOG=$log CPUS=2 SUMMARY=0 STEADY=1 REFERENCE=skylake OPTIONS="quick defect=pmi-very-late run=pmi.adds-counts,pmi.vectors,pmi.small-periods,rdpmc.user" \
    tools/run.sh >/dev/null 2>&1
expect '^# stray-pmi cpu=[01] (in|after)=[a-z.-]+ code=pmi\.stray vector=0xe0 strays=[1-9]'
expect '^# error .* code=pmi\.stray reason="[0-9]+ PMIs? on vector 0xe0 came while none was awaited"$'
expect '^# advice pmi\.stray '
expect '^# end verdict=error .* fail=0 '
exit $bad
