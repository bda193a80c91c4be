#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Signs the image with a key made here, and starts it under Secure Boot with only that key enrolled (OVMF, with system
# management mode). One boot: the firmware refuses the unsigned CD and goes on to the signed stick; there GRUB refuses a
# kernel file of the stick that pmucheck.cfg asks for, and starts the one that was signed with GRUB.
# Would catch an image that Secure Boot refuses, and a way to start an unsigned kernel.
set -eu
cd "$(dirname "$0")/../../.."
tools/dependencies.sh signing
BUILD=${BUILD:-build}
log=$BUILD/logs/signed.log
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

openssl req -new -x509 -newkey rsa:2048 -nodes -sha256 -days 2 -subj "/CN=pmucheck test" \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
# Not into build/signed, which may hold the lab's own signed images.
make --no-print-directory signed KEY="$work/key.pem" CERT="$work/certificate.pem" SIGNED="$work/signed"

cp /usr/share/OVMF/OVMF_VARS_4M.fd "$work/variables.fd"
cert-to-efi-sig-list -g 4d9a6f3e-6b1c-4c0e-9a51-2f0f3f1f7c55 "$work/certificate.pem" "$work/list"
for variable in PK KEK db; do
    flash-var "$work/variables.fd" "$variable" "$work/list" >/dev/null
done

cp "$work/signed/pmucheck.img" "$work/stick.img"
# shellcheck disable=SC2016 # GRUB's variable
printf 'multiboot2 ($root)/boot/pmucheck.elf\nset pmucheck_options="machine=from-signed"\n' >"$work/pmucheck.cfg"
MTOOLS_SKIP_CHECK=1 mcopy -o -i "$work/stick.img@@1M" "$work/pmucheck.cfg" ::/pmucheck.cfg

MACHINE=q35 CPUS=2 REFERENCE=skylake OPTIONS="run=enum.registers" SUMMARY=0 LOG=$log tools/run.sh -- \
    -machine smm=on -global driver=cfi.pflash01,property=secure,value=on \
    -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.secboot.fd \
    -drive "if=pflash,format=raw,snapshot=on,file=$work/variables.fd" \
    -device qemu-xhci -drive "if=none,id=signed,format=raw,snapshot=on,file=$work/stick.img" \
    -device usb-storage,drive=signed,removable=on,bootindex=1
for pattern in 'failed to load .* "UEFI QEMU DVD-ROM .*: Access Denied' 'verification requested but nobody cares: .*/boot/pmucheck\.elf' \
    'name=from-signed$' '^ok 1 enum\.registers'; do
    tr -d '\r' <"$log" | grep -aqE -e "$pattern" || {
        echo "no line of the log matches: $pattern"
        exit 1
    }
done
