#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The host program as a user runs it: every command with a real log, and its exit statuses.
# Would catch a command whose output, message or status contradicts its page.
#
# usage: [PROGRAM=COMMAND] tools/check/program/program.sh LOG         LOG: of a boot that passed; COMMAND: another program
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
program=${PROGRAM:-$BUILD/tools/pmucheck}
good=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

# expect STATUS ARGUMENT...: runs pmucheck ARGUMENT... and checks its exit status
expect() {
    wanted=$1
    shift
    "$program" "$@" >"$work/out" 2>&1 </dev/null
    status=$?
    [ "$status" = "$wanted" ] && return
    echo "pmucheck $*: exit status $status, expected $wanted"
    cat "$work/out"
    bad=1
}

# says TEXT: the output of the last command must hold TEXT.
says() {
    grep -qF -e "$1" "$work/out" || { echo "it does not say: $1"; bad=1; }
}

half=$(($(wc -c <"$good") / 2))
head -c "$half" "$good" >"$work/cut.log"
sed 's/^ok 2 /ok 3 /' "$good" >"$work/changed.log"

expect 99
expect 99 frobnicate
expect 0 --help
expect 0 --version
says "pmucheck "
expect 0 help --man
says ".TH PMUCHECK 1"
expect 0 help --completion
"$program" help --completion | bash -n || bad=1
expect 0 help first-boot
says "# The first boot"
expect 0 help lab
says "# pmucheck in a lab"
expect 0 help tests
says "# Writing a test"
expect 99 help no-such-guide
"$program" help >/dev/full 2>"$work/out"
[ $? = 99 ] || { echo "pmucheck help with a full disk: exit status 0"; bad=1; }
says "was not written completely"
for command in run report compare baseline judge adopt export profile scan here usb kexec collect help; do
    expect 0 "$command" --help
    says SYNOPSIS
    expect 99 "$command" --no-such-option
done

for format in text json junit ktap lava; do
    expect 0 report --format=$format "$good"
    expect 99 report --format=$format "$work/cut.log"
done
expect 99 report "$work/cut.log"
says "no END line"
expect 99 report "$work/changed.log"
says "damaged"
expect 99 report /no/such.log
says "/no/such.log cannot be read: No such file"
expect 99 report --format=pdf "$good"

code=$(tr -d '\r' <"$good" | sed -n 's/^# result .* code=//p')
expect 0 report --code="$code" "$good"
expect 0 report --code="$(echo "$code" | tr 'A-Z01-' 'a-zoi ')" "$good"
expect 99 report --code=7K3M-9XQA "$good"
says "the result code is $code, not 7K3M-9XQA"
expect 99 report --code=7K3M "$good"
says "eight letters and digits"

expect 0 report --image="$BUILD/pmucheck.iso" "$good"
says ", as $BUILD/pmucheck.iso"
expect 0 report --image="$BUILD/pmucheck.elf" "$good"
expect 99 report --image=README.md "$good"
says "name pmucheck.iso, pmucheck.img or pmucheck.elf"
expect 99 report --image=/no/such.iso "$good"
cp "$BUILD/pmucheck.elf" "$work/flipped.elf"
tools/check/flip-bit.sh "$work/flipped.elf" 900000
expect 99 report --image="$work/flipped.elf" "$good"
says "the image is damaged: its sum is"
sed '/^# pmucheck/s/ sum=.*/ sum=01234567/; /^# image/d' "$good" >"$work/other.log"
expect 99 report --image="$BUILD/pmucheck.iso" "$work/other.log"
says "image has the sum 01234567"
says "did not check its sum again"
"$program" report --format=json "$good" >"$work/out"
says '"of_image": true'

# A recorded machine, and this one, whatever it is.
mkdir -p "$work/machine/sys/devices/system/cpu"
echo 0-3 >"$work/machine/sys/devices/system/cpu/online"
cat >"$work/machine/cpuid" <<CPUID
* 0 0 16 756e6547 6c65746e 49656e69
* 1 0 000506e3 00100800 7ffafbbf bfebfbff
* a 0 07300404 0 0 603
CPUID
expect 0 here --from="$work/machine"
says "CPUs 0-3: skylake, signature 000506e3"
says "SKL91 counting,rr: "
says "registers        not read"
expect 0 here --from="$work/machine" --format=line
says "skylake 000506e3, microcode 00000000, version 4, 4 counters x 48 bits"
expect 0 here --from="$work/machine" --format=json
says '"schema":"pmucheck-here-1"\|"schema": "pmucheck-here-1"'
expect 99 here --from=/no/such/machine
expect 99 here --format=pdf
expect 99 here skylake
says "it takes no argument"
"$program" here --format=line >"$work/out" 2>&1
case $? in
0) says "hypervisor" ;;
77) says . ;;
*) cat "$work/out"; bad=1 ;;
esac

# A picture of some of a run's codes, one without, and files that are no pictures. tools/check/kinds/codes.py makes a log
# of pictures.
expect 99 scan docs/pictures/codes.png
says "no photo has the other codes with the results"
expect 99 scan docs/pictures/comparison.png
says "1 of 1 photos show no code"
expect 99 scan
expect 99 scan /no/such.png
says "/no/such.png: No such file"
expect 99 scan "$good"
says "$good: this is neither PNG nor JPEG"
printf '\211PNG broken' >"$work/broken.png"
expect 99 scan "$work/broken.png"
says "$work/broken.png: "
printf '\377\330\377\340 broken' >"$work/broken.jpg"
expect 99 scan "$work/broken.jpg"
says "$work/broken.jpg: "
echo 'PMU1R12ABCDEF:000' >"$work/codes.txt"
expect 99 scan "$work/codes.txt"
says ": 2 of 2"

for format in text markdown html; do
    expect 99 compare --format=$format "$good" "$work/cut.log"
    says "damaged log"
done
expect 99 compare "$good" "$work/cut.log"
says "LOGS THAT ARE NOT WHOLE"
expect 99 compare /dev/null
expect 99 compare "$good" /dev/null
says "1 machine, 1 model"
says "/dev/null: nothing to compare"
expect 99 compare "$good" /no/such.log
says "/no/such.log: nothing to compare"
expect 99 compare --chapter=TYPO "$good"
says "it must be one of identity"
expect 0 compare --chapter=hand-off "$good" "$good"
says "nothing differs in handoff"

# A log of the reference PMU is refused; a whole log of hardware is shared, without the machine's name.
expect 99 report --share "$good"
says "from the reference PMU"
expect 99 report --share "$work/cut.log"
says "the log is not whole"
expect 99 report --board "$good"
mkdir "$work/one"
"$BUILD/tools/fleet" "$work/one" 1 0 "$good"
expect 0 report --share --output="$work/shared.log" "$work/one/m00000.log"
says '# machine name="m00000"'
grep -q m00000 "$work/shared.log" && { echo "the shared file has the machine's name"; bad=1; }
expect 0 compare "$work/shared.log" "$work/one/m00000.log"
expect 0 report "$work/shared.log"

expect 77 baseline "$work/baseline" "$good"
expect 99 baseline --accept "$work/baseline" "$good"
expect 0 baseline --accept --why=test "$work/baseline" "$good"
expect 0 baseline "$work/baseline" "$good"
says "1 runs: 0 worse"
for format in text json junit; do
    expect 0 baseline --format=$format "$work/baseline" "$good"
done
# A full disk: must not report a log as accepted that was not saved.
full=$( (
    trap '' XFSZ
    ulimit -f 1
    "$BUILD/tools/pmucheck" baseline --accept --why=test "$work/baseline" "$good" || echo "status $?"
) 2>&1)
for words in "was not written completely" "0 runs accepted" "status 99"; do
    case $full in *"$words"*) ;; *) echo "no room: it does not say: $words"; bad=1 ;; esac
done
case $full in *"accepted into"*) echo "reported as accepted, but not saved"; bad=1 ;; esac
[ -z "$(find "$work/baseline" -name '*.new')" ] || { echo "the unfinished file is left"; bad=1; }

# Every command refuses a file that is no log.
for command in judge profile "export --output=$work/none.sqlite" "baseline $work/baseline" "adopt --name=none"; do
    for file in LICENSE /dev/null; do
        # shellcheck disable=SC2086 # a command and its options
        expect 99 $command $file
        says "$file: no log of pmucheck"
    done
done
expect 99 baseline --format=pdf "$work/baseline" "$good"
expect 99 baseline --accept --why=test "$work/baseline" "$work/cut.log"
for file in "$work"/baseline/*; do
    echo '{' >"$file"
done
expect 99 baseline "$work/baseline" "$good"
says "repair it"

expect 99 export "$good"
says "needs --output=PATH"
for format in sqlite csv ndjson kcidb; do
    expect 0 export --format=$format --output="$work/export.$format" "$good" "$good"
    says "1 logs written, 1 were there"
done
expect 99 export --format=pdf --output="$work/export.pdf" "$good"

expect 0 judge "$good"
says "unchanged; no result changes"
expect 0 judge --format=json "$good"
says '"schema": "pmucheck-rejudgement-1"'
expect 99 judge --format=pdf "$good"
expect 99 judge
expect 99 judge /no/such.log

mkdir -p "$work/tree/tests/evidence" "$work/tree/reference/model/profiles"
cp tests/evidence/* "$work/tree/tests/evidence"
expect 99 adopt --tree="$work/tree" --hosted --name=hosted-skylake "$work/shared.log"
expect 99 adopt --tree="$work/tree" --name=lab-7 "$good"
says "only real silicon is evidence"
expect 99 adopt "$good"
says "the machine by --name"

# The files that Linux would show, copied from another machine; this machine has none of their directories.
expect 0 collect -o "$work/collected.log" "$good"
says "the log is from $good"
cmp "$good" "$work/collected.log" || bad=1
expect 99 collect "$work/cut.log"
says "no END line"
expect 99 collect README.md
says "README.md: this is no log of the image"
printf "\007\000\000\000PMU1R\001\002\003\004no deflate" >"$work/variable"
expect 99 collect "$work/variable"
says "do not match their check sum"
expect 99 scan "$work/variable"
says "do not match their check sum"

expect 0 profile "$good" --name=copy
says "name            copy"
expect 99 profile "$good" --name="No Name"

truncate -s 16M "$work/stick"
expect 0 usb --image="$BUILD/pmucheck.iso" "$work/stick"
says "written and compared"
cmp -n "$(wc -c <"$BUILD/pmucheck.iso")" "$BUILD/pmucheck.iso" "$work/stick" || bad=1
expect 99 usb --image=README.md "$work/stick"
says "README.md is no image"
# An image that firmware would start, but not one of ours.
truncate -s 1M "$work/foreign.img"
printf '\125\252' | dd of="$work/foreign.img" bs=1 seek=510 conv=notrunc status=none
expect 99 usb --image="$work/foreign.img" "$work/stick"
says "is no image of pmucheck"
expect 0 usb --image="$work/foreign.img" --even-if=foreign "$work/stick"
expect 99 usb --image="$BUILD/pmucheck.iso" ""
says "name a device"
truncate -s 1M "$work/stick"
expect 99 usb --image="$BUILD/pmucheck.iso" "$work/stick"
expect 99 usb --image="$BUILD/pmucheck.iso" /dev/null
expect 99 usb --image="$BUILD/pmucheck.iso" --even-if=reckless "$work/stick"

expect 99 run --image=/no/such.iso
expect 99 run --image="$BUILD/pmucheck.iso" --cpus=0
expect 99 run --image="$BUILD/pmucheck.iso" --firmware=bio
says "one of bios, uefi, uefi32"
expect 99 run --image="$BUILD/pmucheck.iso" --firmware=uefi32
expect 99 run --image="$BUILD/pmucheck.iso" --medium=net
says "not a directory"
[ -z "${PROGRAM-}" ] || { # in a root without QEMU
    expect 99 run --image="$BUILD/pmucheck.iso" --log="$work/run.log"
    says "qemu-system-x86_64 cannot be started"
    exit $bad
}
expect 124 run --image="$BUILD/pmucheck.iso" --reference=skylake --timeout=1 --log="$work/run.log"
says "no end after 1 s"
expect 124 run --image="$BUILD/pmucheck.iso" --reference=skylake --silence=1 --log="$work/run.log" -- -S
says "no line for 1 s"
expect 99 run --image="$BUILD/pmucheck.iso" --log="$work/run.log" -- -no-such-option
says "before it started anything"
exit $bad
