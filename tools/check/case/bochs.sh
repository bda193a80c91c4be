#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots one case in Bochs, an emulator of other makers than QEMU, whose CPUs have neither a PMU nor SVM, and judges the
# log by the host program. Bochs shows its screen to nobody; the clocks of its machine follow the executed instructions.
# Would catch what the image takes from QEMU alone, a hang or a wrong word on a machine whose registers answer otherwise,
# and a reference PMU that needs more than the CPU has. Status 77 if there is no Bochs here.
#
# usage: [CASES=TABLE] [BOUND=SECONDS] [IPS=N] tools/check/case/bochs.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
. tools/check/case/case.sh
BOUND=${BOUND:-420}                     # seconds for one boot
IPS=${IPS:-50000000}                    # instructions in a second of the machine's time
IFS='|' read -r name model cpus unknown options want pattern <<ROW
$row
ROW
command -v bochs >/dev/null || { echo "there is no Bochs here; 'make dependencies' installs it" && exit 77; }

# unknown: what a register that Bochs does not know does: "zero" (it reads as 0), or "fault" (#GP).
case $unknown in
zero) ignore=1 ;;
fault) ignore=0 ;;
*) wrong "an unknown register can do zero or fault, not $unknown" && finish ;;
esac

# The options go into the file that a user edits on a stick. At a power-off Bochs ends.
printf 'set pmucheck_options="serial=com1 after=poweroff %s"\nset timeout=0\n' "$options" |
    tools/iso-settings.sh "$work/image.iso" || exit 1
cat >"$work/bochsrc" <<RC
config_interface: textconfig
display_library: term
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
cpu: model=$model, count=$cpus, ips=$IPS, reset_on_triple_fault=0, ignore_bad_msrs=$ignore
memory: guest=256, host=256
ata0: enabled=1
ata0-master: type=cdrom, path=$work/image.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$LOG
log: $LOG.bochs
panic: action=fatal
RC

# A Bochs with a debugger waits for its first command. After the END line it has a moment to power off.
echo continue | TERM=dumb timeout --kill-after=5 "$BOUND" bochs -q -f "$work/bochsrc" >"$work/screen" 2>&1 &
bochs=$!
trap 'kill "$bochs" 2>/dev/null; rm -rf "$work"' EXIT
moments=3
while [ "$moments" -gt 0 ] && kill -0 "$bochs" 2>/dev/null; do
    sleep 1
    ! grep -aqs '^# end verdict=' "$LOG" || moments=$((moments - 1))
done
kill "$bochs" 2>/dev/null
wait "$bochs" 2>/dev/null
[ -s "$LOG" ] || {
    wrong "no line came"
    grep -a PANIC "$LOG.bochs" || tail -n 3 "$work/screen"
    finish
}
output | grep -aq '^# end verdict=' || wrong "no END line in $BOUND s, the last line is: $(output | tail -n 1)"
"$BUILD/tools/pmucheck" report "$LOG" >"$LOG.report" 2>&1
expect status $? "$want"
expect_line "$pattern"
! grep -a contradicts "$LOG.report" || wrong "the log contradicts itself"
[ "$result" = 0 ] || cat "$LOG.report"
finish
