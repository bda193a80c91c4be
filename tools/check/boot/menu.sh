#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the entries of GRUB's menu, and options from the stick: writes pmucheck.cfg into the EFI partition of a copy of
# the image, as a user would on a stick, and looks for a line in the log.
# Would catch an entry of the menu that does not do what it says, and a pmucheck.cfg that is ignored without a word.
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
copy=$BUILD/logs/menu.iso
trap 'rm -f "$copy"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

# entry NUMBER FIRMWARE PATTERN
entry() {
    printf 'set default=%s\nset pmucheck_options="machine=%s run=enum.* serial=com1"\n' "$1" "from-entry-$1" |
        tools/iso-settings.sh "$copy" || bad=1
    LOG=$BUILD/logs/menu-$1.log
    IMAGE=$copy FIRMWARE=$2 MEDIUM=usb CPUS=2 REFERENCE=skylake SUMMARY=0 LOG=$LOG tools/run.sh || bad=1
    for pattern in "name=from-entry-$1\$" "$3"; do
        tr -d '\r' <"$LOG" | grep -aqE -e "$pattern" || {
            echo "entry $1: no line of the log matches: $pattern"
            bad=1
        }
    done
}

# settings NAME FIRMWARE STATUS PATTERN <CONTENT: a line of the log must match; after "!", none may.
settings() {
    tools/iso-settings.sh "$copy" || bad=1
    LOG=$BUILD/logs/menu-$1.log
    IMAGE=$copy FIRMWARE=$2 MEDIUM=usb CPUS=1 REFERENCE='' OPTIONS=run=enum.leaf-0a SUMMARY=0 LOG=$LOG tools/run.sh
    status=$?
    [ $status = "$3" ] || {
        echo "settings $1: status $status, expected $3"
        bad=1
    }
    want=0
    case $4 in
    !*) want=1 ;;
    esac
    tr -d '\r' <"$LOG" | grep -aqE -e "${4#!}"
    [ $? = $want ] || {
        echo "settings $1: the log has the wrong lines for: $4"
        bad=1
    }
}

lost='^# options file=pmucheck.cfg understood=no reason="'
printf '\357\273\277set pmucheck_options="machine=lab-7"\n' |
    settings mark bios 99 "${lost}line 1 begins with a character that GRUB does not know, perhaps a byte-order mark"
printf 'set pmucheck_options="machine=lab-7"\n' | iconv -t UTF-16 |
    settings utf-16 uefi 99 "${lost}it is in UTF-16"
printf '# options\nset pmucheck_options="machine=lab-7 quick\n' |
    settings quote bios 99 "${lost}line 2: a quote is opened there and never closed"
printf 'set pmucheck_options=machine=lab-7 quick\r\n' |
    settings words uefi 99 "${lost}line 1: GRUB takes only the first word"
printf 'quick\n' | settings bare bios 99 "${lost}line 1: options are given by set"
printf '\357\273\277# options\r\nset pmucheck_options="machine=lab-7"\r\n' | settings right bios 77 ' name=lab-7$'
printf '# nothing\r\n' | settings nothing uefi 77 '!^# options file='

entry 0 bios '^# core-type .*cpus=0-1 '
entry 1 bios '^# core-type .*cpus=0-1 '
entry 2 bios '^# core-type .*cpus=0 '
entry 3 uefi '^# screen none'
entry 4 bios '^# options .* cpus=0 skip-step=acpi,cpus,pci"'
exit $bad
