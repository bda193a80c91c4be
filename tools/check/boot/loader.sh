#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks GRUB before the image runs, on machines that it does not recognise as QEMU, so that it shows its countdown:
# which disks it reads, and how much of its own disk; which bytes of a serial line it takes for keys; its messages;
# where it finds another kernel. Without a name: lists the cases.
# Would catch a menu that waits for ever, takes noise for a key, or boots something else.
#
# usage: tools/check/boot/loader.sh [NAME]
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
[ $# -gt 0 ] || {
    printf '%s\n' disks-bios disks-uefi reads-bios reads-uefi bytes-bios bytes-uefi input-bios escape-bios drill-bios drill-uefi \
        words-bios words-uefi bits-bios bits-uefi \
        guest-bios guest-uefi
    exit 0
}
name=$1
firmware=${name##*-}
log=$BUILD/logs/loader-$name.log
work=$(mktemp -d)
image=$work/image.iso
qemu=
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir -p "$BUILD/logs"
mkfifo "$work/line.in" "$work/line.out" "$work/monitor.in" "$work/monitor.out"

fail() {
    echo "$name: $1"
    exit 1
}

# Is this text in the log? The log begins with the output of firmware and GRUB.
has() {
    tr -d '\r' <"$log" | grep -aqF -e "$1"
}

# await PATTERN: nothing is silent for longer than the menu, which waits a minute.
await() {
    tools/check/await.sh "$log" 90 "$1" 2>/dev/null || fail "the log never showed: $1"
}

# start [ARGUMENT]...: starts QEMU with the image, with pipes for its serial line and its monitor.
start() {
    [ "$firmware" = bios ] || set -- "$@" -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd
    : >"$log"
    : >"$work/answers"
    # QEMU stops when nobody reads its output.
    cat "$work/line.out" >/dev/null &
    cat "$work/monitor.out" >>"$work/answers" &
    timeout 900 qemu-system-x86_64 -accel tcg -cpu max -m 256 -smp 2 -nic none -display none -no-reboot \
        -smbios type=1,manufacturer=Maker -chardev "pipe,id=line,path=$work/line,logfile=$log" -serial chardev:line \
        -monitor "pipe:$work/monitor" "$@" -drive "if=none,id=medium,format=raw,snapshot=on,file=$image${throttle-}" \
        -device qemu-xhci -device usb-storage,drive=medium,removable=on,bootindex=0 \
        -fw_cfg "name=opt/org.pmucheck/options,string=reference=skylake quick run=enum.leaf-0a" 2>"$work/qemu" &
    qemu=$!
}

stop() {
    [ -z "$qemu" ] || kill "$qemu" 2>/dev/null || :
    [ -z "$qemu" ] || wait "$qemu" 2>/dev/null || :
    qemu=
}

# counts NUMBER: prints one of QEMU's counts of each disk, such as rd_operations.
counts() {
    echo "info blockstats" >"$work/monitor.in"
    sleep 2
    tr '\r' '\n' <"$work/answers" | sed -n "s/^\(medium\|disk[0-9]\):.* $1=\([0-9]*\) .*/\1=\2/p"
}

# Starts QEMU with four more disks, each with a partition; the firmware shows them to GRUB, SCSI's before USB's.
with_disks() {
    truncate -s 16M "$work/disk"
    echo '2048,,c' | /sbin/sfdisk --quiet --no-reread --no-tell-kernel "$work/disk" 2>/dev/null
    set --
    for disk in 1 2 3 4; do
        file=$work/disk$disk
        cp "$work/disk" "$file"
        set -- "$@" -drive "if=none,id=disk$disk,format=raw,file=$file" -device "virtio-scsi-pci,id=scsi$disk" \
            -device "scsi-hd,bus=scsi$disk.0,drive=disk$disk,bootindex=$disk"
    done
    start "$@"
}

# UEFI firmware reads every disk itself. Its own reads are measured with a GRUB that does nothing.
disks() {
    own="disk1=0 disk2=0 disk3=0 disk4=0"
    if [ "$firmware" = uefi ]; then
        grub-mkimage -O x86_64-efi -p /nowhere -o "$work/nothing.efi" fat
        tools/iso-settings.sh "$image" EFI/BOOT/BOOTX64.EFI <"$work/nothing.efi"
        with_disks
        await 'grub rescue>'
        own=$(counts rd_operations | grep disk | xargs)
        stop
    fi
    cp "$BUILD/pmucheck.iso" "$image"
    with_disks
    await '^# end '
    all=$(counts rd_operations | grep disk | xargs)
    echo "reads by the firmware alone: $own; with the image: $all"
    [ "$own" = "$all" ] || fail "a disk that GRUB did not start from was read"
}

# On a slow medium GRUB reads the kernel once, and does not read pmucheck-host.elf.
reads() {
    cp "$BUILD/pmucheck.iso" "$image"
    throttle=,throttling.bps-total=200000
    start
    await 'Loading pmucheck'
    before=$(counts rd_bytes)
    await '^# end '
    after=$(counts rd_bytes | tail -n 1)
    kernel=$(objcopy --strip-all "$BUILD/pmucheck.elf" "$work/kernel" && stat -c %s "$work/kernel")
    echo "$before before the kernel of $kernel bytes, $after after it"
    [ $((${after#*=} - ${before#*=})) -lt $((kernel * 5 / 4)) ] || fail "GRUB read more than the kernel once"
}

# press BYTE...: sends bytes, written as for printf, one after the other with a pause.
press() {
    await 'Esc: a menu'
    for byte; do
        # shellcheck disable=SC2059 # the format is the byte
        printf "$byte" >"$work/line.in"
        sleep 0.2
    done
}

settings() {
    echo "$1" | tools/iso-settings.sh "$image"
}

case $name in
disks-*) disks ;;
reads-*) reads ;;
bytes-bios) # on a BIOS no byte of the line counts as a key
    cp "$BUILD/pmucheck.iso" "$image"
    start
    press '\377' '\033'
    await '^# end '
    ! has "One CPU only" || fail "a byte of the line brought the menu"
    ;;
bytes-uefi | input-bios) # keys count, but only Esc brings the menu
    settings "set serial_input=y"
    start
    press '\377' a '\r'
    await '^# end '
    ! has "One CPU only" || fail "a byte that is not Esc brought the menu"
    ;;
escape-bios) # the menu starts by itself when nobody presses a key
    settings "set serial_input=y"
    start
    press '\033'
    await 'One CPU only'
    await '^# end '
    ;;
drill-*) # in QEMU nobody waits, unless pmucheck.cfg asks for it: the drill of docs/first-boot.md, its second step
    printf 'set timeout=3\nset pmucheck_options="machine=lab7 quick reference=skylake"\nuse_serial\n' |
        tools/iso-settings.sh "$image"
    start -smbios type=1,manufacturer=QEMU
    await 'Esc: a menu'
    echo 'sendkey esc' >"$work/monitor.in"
    await 'One CPU only'
    for key in down down down down ret; do
        echo "sendkey $key" >"$work/monitor.in"
        sleep 0.3
    done
    await '^# step acpi state=left-out'
    await '^# end '
    has ' name=lab7' || fail "the options of pmucheck.cfg are lost"
    ;;
words-*)
    cp "$BUILD/pmucheck.iso" "$image"
    start
    await '^# end '
    # GRUB's text after it cleared the screen for the last time must hold no warning of GRUB's own.
    sed '/^KTAP/,$d' "$log" | tr -d '\r' | tr '\033' '\n' | awk '/^\[2?J/ { text = "" } { text = text "\n" $0 } END { print text }' \
        >"$work/last"
    grep -q 'pmucheck starts\. If nothing else is seen' "$work/last" ||
        { cat "$work/last"; fail "no message in GRUB's last text"; }
    ! grep -q WARNING "$work/last" || fail "GRUB's last text has a warning"
    ;;
bits-bios) # both GRUB and the image say it
    cp "$BUILD/pmucheck.iso" "$image"
    start -cpu n270
    await 'this CPU cannot be tested'
    await 'this CPU has no 64-bit mode'
    ;;
bits-uefi) # QEMU's UEFI does not start on a 32-bit CPU, so GRUB's test of the CPU is changed
    LC_ALL=C sed "s/if cpuid -l;/if test '' ;/" "$BUILD/pmucheck.iso" >"$image"
    start
    await 'this CPU cannot be tested'
    sleep 5
    ! has 'Loading pmucheck' || fail "the kernel was loaded all the same"
    ;;
guest-*) # on GRUB's own disk, which is searched by default
    image=$work/stick.img
    cp "$BUILD/pmucheck.img" "$image"
    MTOOLS_SKIP_CHECK=1 mmd -i "$image@@1M" ::/guest
    mcopy -i "$image@@1M" "$BUILD/foreign/count64.elf" ::/guest/kernel
    printf 'set default=host\nset guest_kernel=kernel\n' | mcopy -i "$image@@1M" - ::/guest/guest.cfg
    start
    await '^PASS'
    ;;
*) fail "no such case" ;;
esac
