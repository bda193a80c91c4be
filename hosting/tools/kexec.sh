#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Starts the image from a running Linux, from end to end, without a serial line for the image: Debian starts, `pmucheck
# kexec` starts the image, the tests run on the reference PMU, the machine resets itself, Debian starts again, and
# `pmucheck collect` makes the log from pstore. With hang the image hangs instead, and the chipset's watchdog resets the
# machine. Downloads Debian's packages and keeps them in build/linux.
#
# usage: [REFERENCE=PROFILE] [VARIABLE=VALUE ...] hosting/tools/kexec.sh [bios|uefi|hang]
set -u
cd "$(dirname "$0")/../.." || exit 99

BUILD=${BUILD:-build}
REFERENCE=${REFERENCE:-skylake}
MODE=${1:-bios}
OPTIONS=${OPTIONS:-quick}
CPUS=2
LOG=${KEXEC_LOG:-$BUILD/logs/kexec-$MODE.log}
WORK=$BUILD/linux
AREA=0x10000000,0x100000
case $MODE in
uefi) FIRMWARE=uefi ;;
hang) FIRMWARE=bios CPUS=1 OPTIONS="quick watchdog=30 run=access.gp-counters,enum.leaf-0a defect=rdmsr-hangs" ;;
*) FIRMWARE=bios ;;
esac

stop() {
    echo "$1" >&2
    exit 99
}
# shellcheck source=hosting/tools/linux-packages.sh
. hosting/tools/linux-packages.sh

prepare() {
    kernel=$(kernel_package)
    [ -n "$kernel" ] || stop "apt knows no linux-image-amd64: is 'apt-get update' due?"
    own_directory
    xen=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
        kexec-tools | grep "^libxen")
    for package in "$kernel" busybox-static kexec-tools $xen; do
        unpack "$package" || exit 99
    done
    root=$RUN/root
    mkdir -p "$root/bin" "$root/modules" "$root/lib/x86_64-linux-gnu"
    cp hosting/test/foreign/linux/kexec-init "$root/init"
    cp "$WORK/busybox-static/bin/busybox" "$BUILD/tools/pmucheck" "$WORK/kexec-tools/sbin/kexec" "$root/bin/"
    cp "$BUILD/pmucheck.elf" "$root/"
    for module in lib/reed_solomon/reed_solomon fs/pstore/ramoops fs/efivarfs/efivarfs; do
        cp "$WORK/$kernel/lib/modules/"*"/kernel/$module.ko" "$root/modules/"
    done
    # kexec is linked with Xen's libraries.
    for package in $xen; do
        cp -L "$WORK/$package/usr/lib/x86_64-linux-gnu/"*.so.* "$root/lib/x86_64-linux-gnu/"
    done
    libraries "$root/bin/pmucheck" "$root" || stop "the initial RAM disk could not be filled"
    LD_LIBRARY_PATH=$root/lib/x86_64-linux-gnu libraries "$root/bin/kexec" "$root"
    pack "$root" "$RUN/initrd"
}

bad=0
output() {
    tr -d '\r' <"$LOG"
}

has() {
    if output | grep -aqE -e "$2"; then
        echo "ok     $1: $(output | grep -aoE -m 1 -e "$2.*" | cut -c 1-100)"
    else
        echo "not ok $1: no line matches: $2"
        bad=1
    fi
}

# QEMU splits the values of options at commas; a doubled comma is a comma.
value() {
    printf '%s' "$1" | sed 's/,/,,/g'
}

# boot OPTIONS: boots Linux, which starts the image with these options
boot() {
    words=$(echo "$1" | tr " " "+")
    set -- -accel tcg -machine q35 -cpu max -smp "$CPUS" -m 768 -nic none -display none -monitor none -serial "file:$LOG" \
        -global ICH9-LPC.noreboot=off
    if [ "$FIRMWARE" = uefi ]; then
        set -- "$@" -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
            -drive "if=pflash,format=raw,file=$(value "$RUN/variables.fd")"
    fi
    tools/check/silence.sh "$LOG" 600 qemu-system-x86_64 "$@" -kernel "$(echo "$WORK/$kernel"/boot/vmlinuz-*)" \
        -initrd "$RUN/initrd" -append "console=ttyS0 quiet panic=-1 memmap=1M\$${AREA%,*} area=$AREA options=$words"
}

# A run from a medium must leave its results in a variable of UEFI, which outlives a power cycle.
run_from_medium() {
    tools/check/silence.sh "$LOG.medium" 300 qemu-system-x86_64 -accel tcg -machine q35 -cpu max -smp 2 -m 256 -nic none \
        -display none -monitor none -serial "file:$LOG.medium" -device isa-debug-exit,iobase=0xf4,iosize=4 \
        -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
        -drive "if=pflash,format=raw,file=$(value "$RUN/variables.fd")" -cdrom "$BUILD/pmucheck.iso" -fw_cfg \
        "name=opt/org.pmucheck/options,string=after=exit machine=stick save=efi reference=$(value "$REFERENCE") quick run=gp.*"
}

prepare
mkdir -p "$(dirname "$LOG")"
rm -f "$LOG"
started=$(date +%s)
if [ "$FIRMWARE" = uefi ]; then
    cp /usr/share/OVMF/OVMF_VARS_4M.fd "$RUN/variables.fd" && run_from_medium
fi
boot "serial=none reference=$REFERENCE $OPTIONS" || stop "QEMU failed (log: $LOG)"
if [ "$MODE" = uefi ]; then
    has "the run before, in a variable" "the log is that of /sys/firmware/efi/efivars/Pmucheck-"
    has "its host and verdict" "^first: .*name=stick"
    has "its log is whole" "^status of the first report: 0"
fi
has "into the image" '^/pmucheck\.elf after=reboot machine=lab7 .*save=ramoops:0x10000000,0x100000 serial=none'
has "back, and the log is in pstore" 'pmucheck collect: the log is that of /sys/fs/pstore/console-ramoops'
has "the host's name" "^log: # machine .*firmware=$FIRMWARE .*board=\"[^\"].* cpus=$CPUS .*name=lab7"
if [ "$MODE" = hang ]; then
    has "the log tells that it is cut" "there is no END line: the log ends here"
    has "and in which test" "^  lost     access.gp-counters"
    has "no verdict" "^status of report: 99"
else
    has "the log is whole" "^status of collect: 0"
    has "the verdict" "^status of report: 0"
fi
has "no kexec without root" "only root may load"
has "nor where it is switched off" "kexec is switched off until the next boot"
has "nor under lockdown" "this kernel is locked down"
output | grep -aq "^refused .*: 0" && bad=1
echo "       $(($(date +%s) - started)) s from start to end (log: $LOG)"
exit $bad
