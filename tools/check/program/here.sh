#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `pmucheck here` under another release of Debian: the static program in a clean root tells of this machine, as root and
# as an ordinary user, what it tells here, and of a recorded one, with eight CPUs and Linux' watchdog on a counter, every
# word. Status 77 if no root can be made.
# Would catch a file of /proc or /sys that a release has in another form, a library that it lacks.
#
# usage: tools/check/program/here.sh RELEASE          RELEASE: bookworm, trixie
set -eu
cd "$(dirname "$0")/../../.."
# shellcheck source=tools/check/program/root.sh
. tools/check/program/root.sh
static=$BUILD/static/pmucheck
clean_root "$1"
cp "$static" "$root/usr/bin/pmucheck"
machine=$root/tmp/machine
mkdir -p "$machine/sys/devices/system/cpu" "$machine/proc/sys/kernel"
echo 0-7 >"$machine/sys/devices/system/cpu/online"
echo 1 >"$machine/proc/sys/kernel/nmi_watchdog"
printf '* %s\n' '0 0 16 756e6547 6c65746e 49656e69' '1 0 000506e3 00100800 7ffafbbf bfebfbff' '7 0 0 029c6fbf 0 9c002400' \
    'a 0 07300404 0 0 603' >"$machine/cpuid"
printf '* %s\n' '345 33c5' '392 8000000200000000' '38d b0' '38f 70000000f' '38e 0' '30a fffff9d51d1b' '186 0' '187 0' \
    '188 0' '189 0' >"$machine/msr"

there() {
    in_root sh -c 'mount -t sysfs none /sys && exec "$@"' sh "$@"
}

# tell COMMAND...: what it says, and its status, in $work/said
tell() {
    status=0
    "$@" >"$work/said" 2>&1 || status=$?
    echo "status $status" >>"$work/said"
}
for format in text json line; do
    tell "$static" here --from="$machine" --format=$format
    mv "$work/said" "$work/here"
    grep -q 'status 0' "$work/here" || { cat "$work/here" && exit 1; }
    tell there pmucheck here --from=/tmp/machine --format=$format
    diff "$work/here" "$work/said"
done
# Programs come and go, clocks change: of this machine the line.
for user in 0 65534; do
    tell setpriv --reuid="$user" --clear-groups "$static" here --format=line
    mv "$work/said" "$work/here"
    tell there setpriv --reuid="$user" --clear-groups pmucheck here --format=line
    diff "$work/here" "$work/said"
done
echo "in $(sed -n 's/^PRETTY_NAME=//p' "$root/etc/os-release"): $(head -c 100 "$work/said" | head -n 1)"
