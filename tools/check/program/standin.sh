#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `pmucheck run --accel=kvm` on simulated hosts: files in a mount name space stand for the kernel's, and a script stands
# for QEMU, which records its arguments and prints a log, or an error that must be shown whole. The host program must
# refuse the wrong hosts. Also runs the commands of the jobs of tools/ci; a directory stands for the download page, and
# the static program is used if it is built. This never ran on a host with an Intel PMU under KVM.
# Would catch a guest that is started on the wrong host, an error that is swallowed.
#
# usage: tools/check/program/standin.sh [LOG]     LOG: of a boot of the built image that passed
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
log=${1:-}                              # a log that passed
program=$PWD/$BUILD/tools/pmucheck
case $BUILD in /*) program=$BUILD/tools/pmucheck ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

cat >"$work/qemu-system-x86_64" <<'QEMU'
#!/bin/sh
here=$(dirname "$0")
printf '%s\n' "$@" >"$here/asked"
printf '%s\n' "$@" >>"$here/all-asked"
cat "$here/says" >&2
cat "$here/plays"
waits=$(cat "$here/waits")
[ "$waits" = 0 ] || exec sleep "$waits"
exit "$(cat "$here/ends")"
QEMU
chmod +x "$work/qemu-system-x86_64"

# host NAME...: sets the host of the next run: no-kvm, amd, hybrid, no-pmu, pmu-off, watchdog; without a name a good
# one.
host() {
    rm -rf "${work:?}/sys" "${work:?}/dev" "${work:?}/proc"
    mkdir -p "$work/sys/devices/cpu" "$work/sys/module/kvm/parameters" "$work/dev" "$work/proc"
    : >"$work/dev/kvm"
    echo Y >"$work/sys/module/kvm/parameters/enable_pmu"
    printf 'vendor_id\t: GenuineIntel\n' >"$work/proc/cpuinfo"
    echo 0 >"$work/proc/nmi_watchdog"
    echo 6.8.0-45-generic >"$work/proc/osrelease"
    for what; do
        case $what in
        no-kvm) rm "$work/dev/kvm" ;;
        amd) printf 'vendor_id\t: AuthenticAMD\n' >"$work/proc/cpuinfo" ;;
        hybrid) mkdir "$work/sys/devices/cpu_core" && rmdir "$work/sys/devices/cpu" ;;
        no-pmu) rmdir "$work/sys/devices/cpu" ;;
        pmu-off) echo N >"$work/sys/module/kvm/parameters/enable_pmu" ;;
        watchdog) echo 1 >"$work/proc/nmi_watchdog" ;;
        esac
    done
}

# qemu STATUS PLAYS [ERROR [SECONDS]]: the next QEMU prints the file PLAYS, the text ERROR, and ends with STATUS, or
# waits
qemu() {
    echo "${4-0}" >"$work/waits"
    echo "$1" >"$work/ends"
    cat "$2" >"$work/plays"
    printf '%s' "${3-}" >"$work/says"
}

# on_host STATUS COMMAND...: runs the command on the simulated host; it must end with this status
on_host() {
    want=$1
    shift
    status=0
    # shellcheck disable=SC2016 # the inner shell's
    unshare --mount sh -c 'work=$1; shift
        mount --bind "$work/proc/cpuinfo" /proc/cpuinfo
        mount --bind "$work/proc/osrelease" /proc/sys/kernel/osrelease
        [ ! -e /proc/sys/kernel/nmi_watchdog ] || mount --bind "$work/proc/nmi_watchdog" /proc/sys/kernel/nmi_watchdog
        mount --bind "$work/sys" /sys
        cp -a /dev/null "$work/dev"
        mount --bind "$work/dev" /dev
        PATH=$work:$PATH exec "$@"' sh "$work" "$@" >"$work/out" 2>&1 </dev/null || status=$?
    [ "$status" = "$want" ] || { echo "exit status $status, not $want: $*"; head -n 20 "$work/out"; bad=1; }
}

# run STATUS OPTION...: runs pmucheck run --accel=kvm on the simulated host
run() {
    want=$1
    shift
    on_host "$want" "$program" run --accel=kvm --log="$work/log" "$@"
}

# says FILE TEXT
says() {
    grep -qF -e "$2" "$work/$1" || { echo "it does not say: $2"; head -n 20 "$work/$1"; bad=1; }
}

[ "$(id -u)" = 0 ] || { echo "simulating other hosts needs root rights"; exit 77; }
qemu 0 /dev/null

host no-kvm
run 99
says out "there is no /dev/kvm"
host amd
run 99
says out "CPU is AuthenticAMD"
host hybrid
run 99
says out "two kinds of core"
host no-pmu
run 99
says out "no /sys/devices/cpu"
host pmu-off
run 99
says out "enable_pmu is N"
host

# QEMU's own messages are shown unchanged; if QEMU started nothing, a line of the host program says so, too.
qemu 1 /dev/null "qemu-system-x86_64: Could not access KVM kernel module: Permission denied
qemu-system-x86_64: failed to initialize kvm: Permission denied
"
host
run 99
says out "Could not access KVM kernel module: Permission denied"
says out "failed to initialize kvm: Permission denied"
says out "QEMU ended with status 1 before it started anything"

# A KVM that does not get the image to its first line.
qemu 0 /dev/null "" 60
run 124 --silence=1
says out "no line for 1 s since QEMU was started: a KVM in software, or under another hypervisor"
printf '# start screen\n' >"$work/begun"
qemu 0 "$work/begun" "" 60
run 124 --silence=1
says out "no line for 1 s; the log so far"

# A log that passed: QEMU must be called with the options and the CPU that a guest on the host's PMU needs.
if [ -n "$log" ]; then
    qemu 0 "$log"
    host watchdog
    run 0 --options=quick
    says asked "judge=virtual host-kernel=6.8.0-45-generic after=exit quick"
    says asked "host,pmu=on"
    says asked kvm
    [ ! -e /proc/sys/kernel/nmi_watchdog ] || says out "sysctl kernel.nmi_watchdog=0"
    # In a pipe --quiet prints nothing of a log that passed.
    host
    run 0 --quiet
    ! grep -v 'is now in' "$work/out" || { echo "run --quiet prints these"; bad=1; }
    run 0
    says out "# end verdict=pass"
    # Each shape is started, and has its line in one table; the log has all of them.
    : >"$work/all-asked"
    run 0 --sweep --options=quick
    says all-asked "judge=virtual host-kernel=6.8.0-45-generic after=exit machine=no-pmu quick"
    says all-asked "host,pmu=off"
    says all-asked "Icelake-Server-noTSX,pmu=on"
    [ "$(grep -c '^[a-z-]*  *[A-Za-z0-9,=-]*  .* pass  *[0-9]' "$work/out")" = 10 ] || { echo "no table of 10 shapes"; tail -n 15 "$work/out"; bad=1; }
    [ "$(grep -c '^# end verdict=pass' "$work/log")" = 10 ] || { echo "the log has not each shape"; bad=1; }
    run 99 --sweep --cpu=max
    says out "--sweep: it chooses the CPU itself"
fi

# ---- The jobs

release=$work/release
mkdir "$release"
cp "$BUILD/pmucheck.iso" "$release"
[ ! -e "$BUILD/static/pmucheck" ] || program=$(realpath "$BUILD/static/pmucheck")
cp "$program" "$release/pmucheck-1.2.3-x86_64"
(cd "$release" && sha256sum pmucheck.iso pmucheck-1.2.3-x86_64 >SHA256SUMS)
sed '1s/pmucheck.iso/not-fetched/; q' "$release/SHA256SUMS" >>"$release/SHA256SUMS.new"
cat "$release/SHA256SUMS.new" >>"$release/SHA256SUMS"
PMUCHECK=https://pmucheck.example/1.2.3 PMUCHECK_VERSION=1.2.3
export PMUCHECK PMUCHECK_VERSION PMUCHECK_SUMS RELEASE="$release"
cat >"$work/curl" <<'CURL'
#!/bin/sh
while [ $# -gt 1 ]; do
    [ "$1" != --output ] || to=$2
    shift
done
case $1 in
https://pmucheck.example/1.2.3/*) cp "$RELEASE/${1##*/}" "$to" ;;
*) exit 22 ;;
esac
CURL
chmod +x "$work/curl"

# Prints the commands of a job: the lines below each "|" of a run or script.
commands() {
    awk '{ match($0, /^ */) }
        on && /[^ ]/ && RLENGTH <= on { on = 0 }
        on { print substr($0, deep ? deep : deep = RLENGTH + 1) }
        /^ *(- +)?(run: )?\|$/ { on = RLENGTH + 1; deep = 0 }' "$1"
}

# job STATUS FILE: runs the job's commands on the simulated host
job() {
    rm -rf "$work/job"
    mkdir -p "$work/job"
    { echo "set -e"; echo "cd '$work/job'"; commands "$2"; } >"$work/job.sh"
    [ ! -e "$work/known.txt" ] || cp "$work/known.txt" "$work/job/pmu-known.txt"
    on_host "$1" sh "$work/job.sh"
}

for file in tools/ci/*.yml; do
    yamllint -d '{extends: relaxed, rules: {line-length: disable}}' "$file" || bad=1
    commands "$file" | shellcheck -s sh - || bad=1
    [ "$(commands "$file" | grep -c '^pmucheck/bin/pmucheck')" = 3 ] || { echo "$file: not all commands were found"; bad=1; }
    [ -n "$log" ] || continue
    host
    rm -f "$work/known.txt"
    qemu 0 "$log"
    # Files that are not what was pinned are not used.
    PMUCHECK_SUMS=$(echo other | sha256sum | cut -d ' ' -f 1)
    job 1 "$file"
    [ ! -e "$work/job/pmu.log" ] || { echo "$file: an unknown release was run"; bad=1; }
    PMUCHECK_SUMS=$(sha256sum "$release/SHA256SUMS" | cut -d ' ' -f 1)
    echo x >>"$release/pmucheck.iso"
    job 1 "$file"
    cp "$BUILD/pmucheck.iso" "$release"
    job 0 "$file"
    grep -q '<testcase ' "$work/job/pmu.xml" || { echo "$file: no test in its JUnit"; bad=1; }
    # A difference fails the job until it is in the list of known ones; an error always fails it.
    printf '%s\n' "KTAP version 1" "# run pmu=virtual:KVMKVMKVM judge=virtual" 1..2 "ok 1 a.good" \
        "# fail b.bad label=some cpus=0 got=0 want=1" "not ok 2 b.bad" >"$work/differs"
    printf '# end verdict=fail pass=1 fail=1 known=0 review=0 skip=0 error=0 crc32=' >>"$work/differs"
    sum=$(gzip -1nc "$work/differs" | tail -c 8 | head -c 4 | od -An -tx4 | tr -d " ")
    echo "$sum" >>"$work/differs"
    qemu 0 "$work/differs"
    job 1 "$file"
    says out "new    b.bad some"
    "$program" report --format=expect -o "$work/known.txt" "$work/differs" || true
    job 0 "$file"
    qemu 1 /dev/null "qemu-system-x86_64: no"
    job 1 "$file"
done
[ "$bad" != 0 ] || echo "refusals, QEMU's errors and arguments, and the jobs of tools/ci, on simulated hosts"
exit "$bad"
