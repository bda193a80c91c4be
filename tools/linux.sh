#!/bin/sh
# Boots Debian's own Linux on the reference PMU and lets perf count and sample a program of known length. Checks that the
# PMU's driver finds what the profile has, that counts are exact, and that samples lie where they must; and has rr record
# a program and replay it, which it can do only where conditional branches count exactly. Branch records must give the
# chain of calls, PERF_METRICS the parts of all slots, and processor trace each branch. Not asked: the time in a trace,
# which the reference PMU does not tell, and where an interrupt ended one: it writes no FUP packet there, and perf notes an
# error of decoding. What it needs is downloaded from Debian and kept in build/linux: linux-image-amd64, busybox-static, rr;
# linux-perf is installed.
#
# With CPUS= more than one that is done on the first, on a hybrid a P core; then a program is counted on each, on the last
# also after that was off, and on all at once, and sampled. On a hybrid the PMU of the CPU's own kind must have counted.
#
# LINUX=PACKAGE takes another kernel of Debian's, which apt must know: a newer one knows newer CPUs.
#
# usage: [REFERENCE=PROFILE] [VARIABLE=VALUE ...] tools/linux.sh
set -u
cd "$(dirname "$0")/.." || exit 99

BUILD=${BUILD:-build}
REFERENCE=${REFERENCE:-skylake}
MEMORY=${MEMORY:-1024}
CPUS=${CPUS:-1}
LOG=${LOG:-$BUILD/logs/linux-$REFERENCE.log}
WORK=$BUILD/linux
PROFILE=pmu/reference/model/profiles/$REFERENCE.profile
INSTRUCTIONS=300004
BRANCHES=100001
CONDITIONAL=100000
CALLS=182704
TURNS=300
SPINS=300
CHAINS_KNOWN="haswell broadwell skylake goldmont-plus ice-lake sapphire-rapids alder-lake panther-lake clearwater-forest diamond-rapids"
METRICS_KNOWN="ice-lake sapphire-rapids alder-lake panther-lake diamond-rapids"
RR_KNOWS="sandy-bridge ivy-bridge haswell broadwell skylake ice-lake"
BRANCH=401008

stop() {
    echo "$1" >&2
    exit 99
}

# shellcheck source=tools/linux-packages.sh
. tools/linux-packages.sh

# Programs with their libraries, in one directory each.
fill() {
    mkdir -p "$1/bin"
    cp tests/foreign/linux/init "$1/init"
    cp "$WORK/busybox-static/bin/busybox" "$BUILD/foreign/counted" "$BUILD/foreign/loads" "$BUILD/foreign/calls" \
        "$BUILD/foreign/looks" /usr/bin/perf "$1/bin/"
    libraries /usr/bin/perf "$1" && fill_rr "$1"
}

# rr looks for its own files beside itself.
fill_rr() {
    mkdir -p "$1/usr/bin" "$1/usr/lib"
    cp "$WORK/rr/usr/bin/rr" "$1/usr/bin/"
    cp -r "$WORK/rr/usr/lib/rr" "$1/usr/lib/"
    LD_LIBRARY_PATH=$PWD/$(echo "$WORK"/libcapnp-*)/usr/lib/x86_64-linux-gnu
    export LD_LIBRARY_PATH
    libraries "$WORK/rr/usr/bin/rr" "$1"
    unset LD_LIBRARY_PATH
}

prepare() {
    kernel=${LINUX:-$(kernel_package)}
    [ -n "$kernel" ] || stop "apt knows no linux-image-amd64: is 'apt-get update' due?"
    rm -rf "$WORK/new"
    unpack "$kernel"
    unpack busybox-static
    unpack rr
    unpack "$(apt-cache depends rr | sed -n 's/^ *Depends: \(libcapnp-.*\)$/\1/p')"
    rm -rf "$WORK/root"
    fill "$WORK/root" || stop "the initial RAM disk could not be filled"
    pack "$WORK/root" "$WORK/initrd"
}

# ---- What must be in the output.

bad=0
output() {
    tr -d '\r' <"$LOG"
}

expect() {
    what=$1 got=$2 want=$3
    if [ "$got" = "$want" ]; then
        echo "ok     $what: $got"
    else
        echo "not ok $what: $got, not $want"
        bad=1
    fi
}

# The profile's leaf 0AH EAX. On hybrid CPUs it tells what both kinds of cores have; the driver knows better, and so does
# the profile's `gp`.
leaf_0a() {
    awk '$1 == "leaf" && $2 == "0a" { print substr($3, 1, 8); exit }' "$PROFILE"
}

# What Linux 6.1 calls the PMU of each profile, and 7.2 that of Panther Lake and later. The former came before Lunar Lake.
driver() {
    sed -n "s/^$REFERENCE  *//p" <<'LIST'
prescott        Netburst events
core-duo        Core events
conroe          Core2 events
penryn          Core2 events
bonnell         Atom events
nehalem         Nehalem events
sandy-bridge    SandyBridge events
silvermont      Silvermont events
haswell         Haswell events
broadwell       Broadwell events
skylake         Skylake events
goldmont-plus   Goldmont plus events
ice-lake        Icelake events
sapphire-rapids Sapphire Rapids events
alder-lake      Alderlake Hybrid events
lunar-lake      generic architected perfmon
panther-lake    Pantherlake Hybrid events
clearwater-forest  Darkmont events
diamond-rapids  Panthercove events
LIST
}

# The record format that the profile tells.
format() {
    echo "$((0x$(awk '$1 == "perfcap" { print $2; exit }' "$PROFILE") >> 8 & 15))"
}

check_driver() {
    eax=$(leaf_0a)
    line=$(output | grep -a '^Performance Events')
    echo "       $line"
    expect "driver" "$(echo "$line" | grep -o -F "$(driver)")" "$(driver)"
    [ -n "$eax" ] || return # NetBurst
    expect "version" "$(output | sed -n 's/^dmesg version //p' | head -n 1)" "$((0x$eax & 0xff))"
    found=$(output | sed -n 's/^dmesg generic [a-z]* //p' | head -n 1) told=$((0x$eax >> 8 & 0xff))
    own=$(awk '$1 == "gp" { print $2; exit }' "$PROFILE")
    [ "$found" = "$own" ] && told=$own
    expect "counters" "$found" "$told"
    case $line in
    *Architectural\ PEBS*)
        expect "PEBS format" "$(format)" 15
        ;;
    *PEBS\ fmt*)
        expect "PEBS format" "$(echo "$line" | sed 's/.*PEBS fmt\([0-9]*\).*/\1/')" "$(format)"
        ;;
    esac
}

samples() {
    output | awk -v what="$1" -v place="$2" '$1 == "sample" && $2 == what && $3 ~ place { sum += $4 } END { print sum + 0 }'
}

check_counts() {
    expect "instructions" "$(output | sed -n 's/^count instructions //p')" "$INSTRUCTIONS"
    expect "branches" "$(output | sed -n 's/^count branches //p')" "$BRANCHES"
    [ -z "$conditional" ] ||
        expect "conditional branches" "$(output | sed -n 's/^count conditional //p')" "$CONDITIONAL"
}

# A plain sample may skid, one now and then into an interrupt's entry; none of PEBS may. $1 plain ones may be missing.
check_samples() {
    all=$((INSTRUCTIONS / 10000)) got=$(samples instructions .)
    expect "samples ($got of $all)" "$((got <= all && got >= all - $1))" 1
    within=$(samples instructions '^4')
    expect "nearly all within the program" "$((within * 10 >= all * 9))" 1
    output | grep -aq '^sample precise' || return
    nearly_all "precise samples on the branch" "$(samples precise "^$BRANCH\$")" "$(samples precise .)"
}

# How many of the numbers on standard input, hexadecimal, are lower than the one before by the period or a little more:
# the loop counts down, and its branch is sampled.
steps_of() {
    last=
    while read -r value; do
        [ -z "$last" ] || [ $((last - value)) -lt "$1" ] || [ $((last - value)) -gt $(($1 + 10)) ] || echo step
        last=$value
    done | wc -l
}

# "part of whole", and whether that is nearly all of some: a record may be of the moment in which the counter was stopped.
nearly_all() {
    echo "       $1: $2 of $3"
    expect "$1, nearly all" "$((${3:-0} > 0 && $2 * 100 >= $3 * 97))" 1
}

check_records() {
    if output | grep -aq '^register'; then
        taken=$(output | grep -ac '^register')
        nearly_all "registers in step with the samples" \
            "$(output | sed -n 's/^register //p' | steps_of 1000)" "$((taken - 1))"
    fi
    for what in last address; do
        output | grep -aq "^$what" || continue
        nearly_all "$what in the loop" "$(of_records "$what" "$(place_of "$what")")" "$(of_records "$what" .)"
    done
}

of_records() {
    output | awk -v what="$1" -v place="$2" '$1 == what && $2 ~ place { sum += $NF } END { print sum + 0 }'
}

# Where the last branches are, and where the loaded word.
place_of() {
    [ "$1" = last ] && echo "^$BRANCH-" && return
    nm "$BUILD/foreign/loads" | sed -n 's/^0*\([0-9a-f]*\) . word_loaded$/^\1$/p'
}

known() {
    case " $1 " in *" $REFERENCE "*) ;; *) return 1 ;; esac
}

# Linux 6.1 follows calls by branch records since Haswell and Goldmont, and not on CPUs that came later than itself. Now
# and then a chain has lost its calls, or has more of an earlier turn.
check_chains() {
    if ! known "$CHAINS_KNOWN"; then
        expect "chains of calls" "$(output | grep -ac '^chain [^r]')" 0
        return
    fi
    all=$(of_records chain .) want=$((CALLS / 2000))
    expect "chains of calls ($all of $want)" "$((all <= want && all >= want - 1))" 1
    whole=$(of_records chain '^inner,middle,outer,_start')
    expect "whole chains ($whole), nearly all" "$((whole * 10 >= all * 9))" 1
}

slots() {
    output | sed -n "s/^slots $1 //p"
}

# The parts of PERF_METRICS are 255ths. Each instruction is one slot that retires.
check_slots() {
    known "$METRICS_KNOWN" || return
    all=$(slots slots) retiring=$(slots topdown-retiring)
    [ -n "$all" ] && [ -n "$retiring" ] || all=0
    echo "       slots: $all, retiring $retiring"
    rest=$((all - retiring - $(slots topdown-bad-spec) - $(slots topdown-fe-bound) - $(slots topdown-be-bound)))
    expect "parts add up to the slots" "$((all > INSTRUCTIONS && rest >= -4 && rest <= 4))" 1
    less=$((INSTRUCTIONS - retiring))
    expect "slots that retire are the instructions, to a 255th" "$((less <= all / 255 + 4 && -less <= all / 255 + 4))" 1
    shares=$(output | sed -n 's/^shares //p')
    echo "       shares: $shares"
    expect "perf's own shares add up to a hundred" \
        "$(echo "$shares" | awk '{ sum = $1 + $2 + $3 + $4; print (sum > 99.5 && sum < 100.5) }')" 1
}

# How often a branch of the traced program was taken, by where it is and where it goes.
traced() {
    output | awk -v branch="$1" '$1 == "trace" && $2 ~ branch { sum += $3 } END { print sum + 0 }'
}

# The branches that were taken, from no more bytes than they need: one for each conditional branch, nine for each return,
# and little more where the trace begins and ends. Around an interrupt a decoder may miss one, or take one twice. Half of
# the table was full before the program ended.
check_trace() {
    grep -q '^leaf 14\.0' "$PROFILE" || return
    nearly_all "traced calls" "$(traced '^401005-401017$')" "$TURNS"
    nearly_all "traced turns of the loop" "$(traced '^40102a-401028$')" "$((TURNS * (SPINS - 1)))"
    nearly_all "traced returns" "$(traced '^401(01c-40100a|022-40101c|02c-401022)$')" "$((TURNS * 3))"
    expect "traced branches elsewhere" \
        "$(($(traced '^4010') - $(traced '^4010(05-401017|0c-401005|17-40101d|1d-401023|2a-401028|2c-401022|22-40101c|1c-40100a)$')))" 0
    bytes=$(output | sed -n 's/^trace bytes //p') interrupts=$(output | sed -n 's/^trace interrupts //p')
    least=$((TURNS * (SPINS + 1 + 3 * 9)))
    echo "       trace: ${bytes:-0} bytes, ${interrupts:-0} interrupts, ends by interrupts: $(traced error)"
    expect "bytes of the trace are those of its branches" \
        "$((${bytes:-0} >= least - 8192 && ${bytes:-0} <= least + 8192))" 1
    expect "interrupts of the trace" "$((${interrupts:-0} > 0))" 1
}

# The kinds of a hybrid's CPUs follow each other in equal parts.
kind_of() {
    case $REFERENCE in
    alder-lake | panther-lake) [ "$1" -lt $((CPUS / 2)) ] && echo " cpu_core" || echo " cpu_atom" ;;
    esac
}

# What the program had counted on a CPU: on-cpu or again-on-cpu, and which one.
counted_on() {
    expect "instructions $1 $2" "$(output | sed -n "s/^$1 $2 //p" | sed 's/ *$//')" "$INSTRUCTIONS$(kind_of "$2")"
}

check_cpus() {
    [ "$CPUS" -gt 1 ] || return
    last=$((CPUS - 1))
    expect "CPUs" "$(output | sed -n 's/^cpus \([0-9].*\)/\1/p')" "0-$last"
    expect "without the last" "$(output | sed -n 's/^cpus without the last //p')" \
        "$(seq -s , 0 $((last - 1)) | sed 's/,.*,/-/; s/,/-/')"
    expect "with it again" "$(output | sed -n 's/^cpus again //p')" "0-$last"
    for cpu in $(seq 0 $last); do
        counted_on on-cpu "$cpu"
    done
    counted_on again-on-cpu $last
    all=$(output | sed -n 's/^everywhere //p') all=${all:-0}
    expect "instructions on all CPUs ($all), hardly more" "$((all >= INSTRUCTIONS && all < 2 * INSTRUCTIONS))" 1
    got=$(output | sed -n "s/^sampled-on \\[0*$last\\] //p" | head -n 1)
    nearly_all "samples of the program on CPU $last" "${got:-0}" "$((INSTRUCTIONS / 10000))"
}

# Both must end well, and the program print the same each time.
check_rr() {
    known "$RR_KNOWS" || return
    expect "rr record" "$(output | sed -n 's/^rr record //p')" 0
    expect "rr replay" "$(output | sed -n 's/^rr replay //p')" 0
    expect "what was replayed" "$(output | sed -n 's/^rr differs //p')" 0
}

# Where the profile encodes conditional branches in an event and a umask; those with a second umask came after Linux 6.1.
conditional_event() {
    awk '$1 == "event-conditional" && length($2) == 4 { print $2; exit }' "$PROFILE"
}

# What a program sees by RDPMC of counters that are not its own: nothing where the PMU can hide them (and Linux 7.0 or later
# asks for it), unless rdpmc=2 lets all see all.
check_looks() {
    expect "counters of others in a program's sight" "$(output | sed -n 's/^others with rdpmc=1 //p')" \
        "$(known diamond-rapids && echo 0 || echo 1)"
    expect "and with rdpmc=2" "$(output | sed -n 's/^others with rdpmc=2 //p')" 1
}

# Instructions in periods of 20,000, and branches of them, one in three, that start both anew at each 5,000th: none is
# sampled. At each 7,000th branches come too late for that.
check_reload() {
    output | grep -aq '^reloaded' || return
    expect "samples, each period cut short by a reload" "$(output | sed -n 's/^reloaded 5000 //p')" 0
    expect "samples, each reload too late" "$(output | sed -n 's/^reloaded 7000 //p')" "$((INSTRUCTIONS / 20000))"
}

# ----

command -v perf >/dev/null || stop "perf is missing: apt-get install linux-perf"
[ -r "$PROFILE" ] || stop "REFERENCE=$REFERENCE: there is no such profile"
prepare
conditional=$(conditional_event)
started=$(date +%s)
KERNEL=$(find "$WORK/$kernel" -name "vmlinuz*") MODULE=$WORK/initrd MEMORY=$MEMORY REFERENCE=$REFERENCE CPUS=$CPUS LOG=$LOG \
    ARGS="console=ttyS0 quiet panic=-1 nmi_watchdog=0 no_timer_check count_conditional=$conditional" \
    tools/host.sh >/dev/null || stop "QEMU failed (log: $LOG)"
output | grep -aq '^the end' || stop "Linux did not come to its end (log: $LOG)"
check_driver
# On NetBurst Linux programs a counter twice, the second time with the period that its last user had left (since 6.1:
# p4_pmu_set_period() reads it before it is set). So no count holds, and of samples the first is lost or comes early.
if [ "$REFERENCE" = prescott ]; then
    check_samples 2
else
    check_counts
    check_rr
    check_samples 0
    check_records
    check_chains
    check_slots
    check_trace
    check_looks
    check_reload
    check_cpus
fi
output | sed -n 's/^seconds /       seconds of its clock: /p'
echo "       $(($(date +%s) - started)) s from start to end (log: $LOG)"
exit $bad
