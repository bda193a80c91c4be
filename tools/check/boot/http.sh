#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the stick's image from a web server: by iPXE on a BIOS, by UEFI's HTTP boot. The servers are Debian's dnsmasq,
# with the example configuration of the netboot tree, and busybox, in a network of their own that nothing else reaches.
# The options that this writes into the image's pmucheck.cfg must be in the log.
# Would catch a loader that does not find its files by HTTP.
#
# usage: tools/check/boot/http.sh bios | uefi
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
SECONDS_LEFT=600 # for all of it; UEFI tries other boot devices first
firmware=$1

# Called from outside: checks that this machine allows a network of its own, then runs this script again inside it.
if [ "${2-}" != inside ]; then
    if [ "$(id -u)" != 0 ] || [ ! -c /dev/net/tun ] || ! unshare --net true 2>/dev/null; then
        echo "this machine allows no network of its own: HTTP was not tried"
        exit 77
    fi
    tools/dependencies.sh http
    exec unshare --net "$0" "$firmware" inside
fi

log=$BUILD/logs/http-$firmware.log
work=$(mktemp -d)
servers=
end() {
    # shellcheck disable=SC2086 # numbers of processes are words
    [ -z "$servers" ] || kill $servers 2>/dev/null || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' HUP INT TERM
mkdir -p "$work/pmucheck" "$(dirname "$log")"
cp "$BUILD/pmucheck.img" iso/pmucheck.ipxe "$work/pmucheck"
printf 'set pmucheck_options="machine=from-http-%s run=enum.registers reference=skylake after=exit"\n' "$firmware" \
    >"$work/pmucheck.cfg"
MTOOLS_SKIP_CHECK=1 mcopy -o -i "$work/pmucheck/pmucheck.img@@1M" "$work/pmucheck.cfg" ::/pmucheck.cfg

ip link set lo up
ip tuntap add tap0 mode tap
ip address add 192.168.0.1/24 dev tap0
ip link set tap0 up
sed "s,/srv/tftp,$work," iso/dnsmasq.conf >"$work/dnsmasq.conf"
dnsmasq --keep-in-foreground --conf-file="$work/dnsmasq.conf" --interface=tap0 --bind-interfaces --user=root \
    --dhcp-leasefile="$work/leases" --log-dhcp --log-facility=- >"$work/dnsmasq.txt" 2>&1 &
servers=$!
busybox httpd -f -vv -p 192.168.0.1:80 -h "$work" >"$work/httpd.txt" 2>&1 &
servers="$servers $!"

# On BIOS, iPXE is in the card's ROM. OVMF has its own drivers; its PXE, which it would wait for first, is switched off.
set -- -device virtio-net-pci,netdev=net,bootindex=0
if [ "$firmware" = uefi ]; then
    ovmf=/usr/share/OVMF
    set -- -drive "if=pflash,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.fd" \
        -drive "if=pflash,format=raw,snapshot=on,file=$ovmf/OVMF_VARS_4M.fd" \
        -device virtio-net-pci,netdev=net,bootindex=0,romfile= -device virtio-rng-pci \
        -fw_cfg name=opt/org.tianocore/IPv4PXESupport,string=n -fw_cfg name=opt/org.tianocore/IPv6PXESupport,string=n
fi
rm -f "$log"
status=0
timeout "$SECONDS_LEFT" qemu-system-x86_64 -accel tcg -cpu max -m 512 -smp 2 -display none -monitor none -no-reboot \
    -netdev tap,id=net,ifname=tap0,script=no,downscript=no -serial "file:$log" \
    -device isa-debug-exit,iobase=0xf4,iosize=4 "$@" || status=$?
for pattern in "name=from-http-$firmware\$" '^ok 1 enum\.registers'; do
    [ -f "$log" ] && tr -d '\r' <"$log" | grep -aqE -e "$pattern" && continue
    echo "$firmware: QEMU ended with $status, and no line of the log matches: $pattern"
    cat "$work/dnsmasq.txt" "$work/httpd.txt"
    exit 1
done
