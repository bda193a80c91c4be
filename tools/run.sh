#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs `pmucheck run` with the options that make's variables ask for, and returns its exit status.
#
# usage: [VARIABLE=VALUE ...] tools/run.sh [OPTION OF pmucheck run]...
set -u
cd "$(dirname "$0")/.." || exit 99

BUILD=${BUILD:-build}
ACCEL=${ACCEL:-tcg}                     ## tcg, or kvm: the image as a guest on this machine's own PMU
REFERENCE=${REFERENCE-skylake}          ## profile of the reference PMU, or the file of one; empty: the machine's own PMU; no: an image without the reference PMU
CPUS=${CPUS:-4}                         ## how many CPUs
MACHINE=${MACHINE:-pc}                  ## pc, q35 or microvm (with MEDIUM=kernel), also with ,acpi=off
FIRMWARE=${FIRMWARE:-bios}              ## bios (SeaBIOS), uefi (OVMF) or uefi32 (its 32-bit build, on q35)
MEDIUM=${MEDIUM:-cd}                    ## cd, usb (the same image as a stick), stick (make stick), net (make netboot) or kernel (no loader)
CPU=${CPU-}                             ## QEMU's -cpu; empty: max, with kvm host,pmu=on
SERIAL=${SERIAL:-isa}                   ## the log's UART: isa (COM1), pci, or pci2 (a card's second port)
MEMORY=${MEMORY:-256}                   ## MiB
OPTIONS=${OPTIONS-}                     ## more options of the image, as on its command line
TIMEOUT=${TIMEOUT:-99999}               ## seconds for the whole run
SILENCE=${SILENCE:-120}                 ## seconds from one line of the log to the next
LOG=${LOG:-$BUILD/logs/run.log}         ## where the log is kept
IMAGE=${IMAGE-}                         ## the image; empty: the medium's own
SUMMARY=${SUMMARY:-1}                   ## 0: no summary at the end
STEADY=${STEADY:-0}                     ## 1: QEMU's clocks count its executed instructions

[ "$REFERENCE" != no ] || REFERENCE=
case $MEDIUM in
stick) MEDIUM=usb IMAGE=${IMAGE:-$BUILD/pmucheck.img} ;;
net) IMAGE=${IMAGE:-$BUILD/netboot} ;;
kernel) IMAGE=${IMAGE:-$BUILD/pmucheck.elf} ;;
*) IMAGE=${IMAGE:-$BUILD/pmucheck.iso} ;;
esac

program=$BUILD/tools/pmucheck
[ -x "$program" ] || {
    echo "$program is missing; 'make tools' builds it" >&2
    exit 99
}
[ "$SUMMARY" = 1 ] || set -- --quiet "$@"
[ -z "$CPU" ] || set -- --cpu="$CPU" "$@"
# Arguments for QEMU itself come after "--".
if [ "$STEADY" = 1 ]; then
    case " $* " in
    *" -- "*) ;;
    *) set -- "$@" -- ;;
    esac
    # 16 ns an instruction; while all CPUs wait, time jumps to the next event; the date at the image's start is fixed.
    # The CPUs take turns in one thread.
    set -- "$@" -icount shift=4,sleep=off -rtc base=2020-01-01T00:00:00,clock=vm
fi
mkdir -p "$(dirname "$LOG")"
case $LOG in "$BUILD"/*) rm -f "$LOG" ;; esac # others' logs are kept
exec "$program" run --accel="$ACCEL" --image="$IMAGE" --reference="$REFERENCE" --cpus="$CPUS" --machine="$MACHINE" \
    --firmware="$FIRMWARE" --medium="$MEDIUM" --memory="$MEMORY" --serial="$SERIAL" --options="$OPTIONS" \
    --timeout="$TIMEOUT" --silence="$SILENCE" --log="$LOG" "$@"
