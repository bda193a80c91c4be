#!/bin/sh
# Boots the image in QEMU, shows its serial log live and keeps it. Exit status: 0 pass, 1 fail, 2 review, 77 untested,
# 99 error or no valid END line, 124 time-out, 130 interrupted.
#
# usage: [VARIABLE=VALUE ...] tools/run.sh
set -u
cd "$(dirname "$0")/.." || exit 99

BUILD=${BUILD:-build}
REFERENCE=${REFERENCE-skylake}          ## profile of the reference PMU; empty: the machine's own PMU
CPUS=${CPUS:-4}                         ## how many CPUs
MACHINE=${MACHINE:-pc}                  ## pc or q35
FIRMWARE=${FIRMWARE:-bios}              ## bios (SeaBIOS) or uefi (OVMF)
MEDIUM=${MEDIUM:-cd}                    ## cd or usb
CPU=${CPU:-max}                         ## QEMU's -cpu
MEMORY=${MEMORY:-256}                   ## MiB
OPTIONS=${OPTIONS-}                     ## more options of the image, as on its command line
TIMEOUT=${TIMEOUT:-120}                 ## seconds
LOG=${LOG:-$BUILD/logs/run.log}         ## where the log is kept
IMAGE=${IMAGE:-$BUILD/pmucheck.iso}     ## which image
SUMMARY=${SUMMARY:-1}                   ## 0: no summary at the end

refuse() {
    echo "$1" >&2
    exit 99
}

one_of() {
    name=$1 value=$2
    shift 2
    for choice in "$@"; do
        [ "$value" = "$choice" ] && return
    done
    refuse "$name=$value: must be one of: $*"
}

number() {
    case $2 in
    '' | *[!0-9]* | ??????*) refuse "$1=$2: must be a number from $3 to $4" ;;
    esac
    if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
        refuse "$1=$2: must be a number from $3 to $4"
    fi
}

one_of MACHINE "$MACHINE" pc q35
one_of FIRMWARE "$FIRMWARE" bios uefi
one_of MEDIUM "$MEDIUM" cd usb
one_of SUMMARY "$SUMMARY" 0 1
number CPUS "$CPUS" 1 255
number MEMORY "$MEMORY" 4 65536
number TIMEOUT "$TIMEOUT" 1 99999
[ -r "$IMAGE" ] || refuse "IMAGE=$IMAGE: there is no such file; 'make' builds it"
[ -x "$BUILD/tools/pmucheck" ] || refuse "$BUILD/tools/pmucheck is missing; 'make tools' builds it"
mkdir -p "$(dirname "$LOG")" || exit 99

options="${REFERENCE:+reference=$REFERENCE }after=exit${OPTIONS:+ $OPTIONS}"

# QEMU splits option strings at commas; a doubled one stands for itself.
quoted() {
    printf '%s' "$1" | sed 's/,/,,/g'
}

set -- -accel tcg -machine "$MACHINE" -cpu "$CPU" -smp "$CPUS" -m "$MEMORY" -nic none -display none -no-reboot \
    -chardev "stdio,id=serial,signal=on,logfile=$(quoted "$LOG")" -serial chardev:serial -monitor none \
    -device isa-debug-exit,iobase=0xf4,iosize=4 \
    -fw_cfg "name=opt/org.pmucheck/options,string=$(quoted "$options")"
if [ "$FIRMWARE" = uefi ]; then
    ovmf=/usr/share/OVMF
    set -- "$@" -drive "if=pflash,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.fd" \
        -drive "if=pflash,format=raw,snapshot=on,file=$ovmf/OVMF_VARS_4M.fd"
fi
medium="if=none,id=medium,format=raw,file=$(quoted "$IMAGE")"
case $MEDIUM in
cd) set -- "$@" -drive "$medium,media=cdrom,readonly=on" -device ide-cd,drive=medium,bus=ide.1,bootindex=0 ;;
usb) set -- "$@" -drive "$medium,snapshot=on" -device qemu-xhci \
    -device usb-storage,drive=medium,removable=on,bootindex=0 ;;
esac

# After its END line an image may halt; QEMU is then stopped after a while.
stop_after_end() {
    until grep -aqs '^# end ' "$LOG"; do
        sleep 1
    done
    sleep 3
    kill "$1"
}

# Ctrl-C reaches QEMU by itself (same process group); it must not end this script before QEMU is gone.
interrupted=
trap 'interrupted=1' INT
trap 'interrupted=1; kill "$qemu" 2>/dev/null' TERM HUP
rm -f "$LOG"
timeout --foreground -k 5 "$TIMEOUT" qemu-system-x86_64 "$@" </dev/null &
qemu=$!
stop_after_end "$qemu" 2>/dev/null &
watcher=$!
wait "$qemu"
status=$?
[ -z "$interrupted" ] || wait "$qemu"
trap - INT TERM HUP
kill "$watcher" 2>/dev/null
[ -z "$interrupted" ] || exit 130

if [ "$status" = 124 ] || [ "$status" = 137 ]; then
    echo "time-out: no end after $TIMEOUT s (log: $LOG)" >&2
    exit 124
fi
if [ "$SUMMARY" = 1 ]; then
    echo
    "$BUILD/tools/pmucheck" report "$LOG"
else
    "$BUILD/tools/pmucheck" report -q "$LOG"
fi
verdict=$?

# The END line decides. QEMU's status must not contradict it: 2v + 1 of what the image wrote to isa-debug-exit, or 0
# after a power-off, a reset or a halt.
case $status-$verdict in
0-* | 33-0 | 35-1 | 37-77 | 39-99 | 41-2) exit "$verdict" ;;
esac
echo "QEMU ended with status $status, which does not fit the log (log: $LOG)" >&2
exit 99
