#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots Debian's own Linux on the reference PMU and lets perf count and sample a program of known length. Checks that
# the PMU's driver finds the profile's PMU, that counts are exact, and that samples lie where they must; and has rr
# record and replay a program, which works only if conditional branches count exactly. Branch records must give the
# chain of calls, PERF_METRICS the parts of all slots, and processor trace each branch. Not checked: the time in a
# trace, which the reference PMU does not write, and the address at which an interrupt ends a trace: the reference PMU
# writes no FUP packet there, so that perf reports a decoding error. rr, PAPI, likwid, turbostat, rdmsr and perf's
# self-tests: hosting/tools/linux-programs.sh. Debian's packages are downloaded and kept in build/linux; linux-perf is
# installed.
#
# With more than one of CPUS= these checks run on the first CPU, which is a P core on a hybrid. Then a program is
# counted on each CPU, on the last one also after it was offline, and on all at once, and sampled. On a hybrid the PMU
# of the CPU's own kind must have counted.
#
# LINUX=PACKAGE takes another kernel of Debian, which apt must know: a newer one knows newer CPUs. PARTS=sample runs a
# part of the checks, for `make test`: counts, samples, and rr with threads. The status is 77 if a package cannot be
# downloaded.
#
# usage: [REFERENCE=PROFILE] [CPUS=N] [PARTS=all|sample] [LINUX=PACKAGE] [VARIABLE=VALUE ...] hosting/tools/linux.sh
set -u
cd "$(dirname "$0")/../.." || exit 99

BUILD=${BUILD:-build}
REFERENCE=${REFERENCE:-skylake}
MEMORY=${MEMORY:-1024}
CPUS=${CPUS:-1}
PARTS=${PARTS:-all}
LOG=${LOG:-$BUILD/logs/linux-$REFERENCE.log}
WORK=$BUILD/linux
PROFILES=reference/model/profiles
INSTRUCTIONS=300004
BRANCHES=100001
CONDITIONAL=100000
RACE_TURNS=40000
CALLS=182704
TURNS=300
SPINS=300
CHAINS_KNOWN="haswell broadwell skylake goldmont-plus ice-lake sapphire-rapids alder-lake panther-lake clearwater-forest diamond-rapids"
METRICS_KNOWN="ice-lake sapphire-rapids alder-lake panther-lake diamond-rapids"
NAMES_KNOWN="skylake ice-lake sapphire-rapids alder-lake"
RR_KNOWS="sandy-bridge ivy-bridge haswell broadwell skylake ice-lake alder-lake"
BRANCH=401008

stop() {
    echo "$1" >&2
    exit 99
}

# shellcheck source=hosting/tools/linux-packages.sh
. hosting/tools/linux-packages.sh
# shellcheck source=hosting/tools/linux-programs.sh
. hosting/tools/linux-programs.sh

# Fills the root file system with the programs and their libraries.
fill() {
    mkdir -p "$1/bin"
    cp hosting/test/foreign/linux/init "$1/init"
    cp hosting/test/foreign/linux/programs "$1/bin/programs"
    cp "$WORK/busybox-static/bin/busybox" "$BUILD/foreign/counted" "$BUILD/foreign/loads" "$BUILD/foreign/calls" \
        "$BUILD/foreign/looks" "$BUILD/foreign/race" /usr/bin/perf "$1/bin/"
    libraries /usr/bin/perf "$1" && libraries "$BUILD/foreign/race" "$1" && fill_rr "$1" || return
    [ "$PARTS" = sample ] || { fill_programs "$1" && fill_module "$WORK/$kernel" "$1"; }
}

# rr looks for its own files beside its binary.
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
    own_directory
    [ "$PARTS" = sample ] && PROGRAM_PACKAGES=
    for package in "$kernel" busybox-static rr \
        "$(apt-cache depends rr | sed -n 's/^ *Depends: \(libcapnp-.*\)$/\1/p')" $PROGRAM_PACKAGES; do
        unpack "$package" || exit 77
    done
    fill "$RUN/root" || stop "the initial RAM disk could not be filled"
    pack "$RUN/root" "$RUN/initrd"
}

# ---- Checks of the output.

bad=0 row_of='' cell='' row_bad=0
output() {
    tr -d '\r' <"$LOG"
}

# Begins a row of the table at the end of `make linux`: the name of the check, and its cell if all of it holds.
row() {
    row_ends
    row_of=$1 cell=$2 row_bad=0
}

# Changes the row's cell, once it is known that the check applies.
row_says() {
    cell=$1
}

row_ends() {
    [ "$row_bad" = 0 ] || cell=failed
    [ -z "$row_of" ] || echo "$row_of|$cell" >>"$LOG.rows"
}

expect() {
    what=$1 got=$2 want=$3
    if [ "$got" = "$want" ]; then
        echo "ok     $what: $got"
    else
        echo "not ok $what: $got, not $want"
        bad=1 row_bad=1
    fi
}

# The lines of a profile, then the lines of the profile that it is like: a key's first line counts.
profile_lines() {
    cat "$PROFILES/$1.profile"
    other=$(sed -n 's/^like  *\([^ ]*\).*/\1/p' "$PROFILES/$1.profile")
    [ -z "$other" ] || profile_lines "$other"
}

# The profile's leaf 0AH EAX. On hybrid CPUs it has the smaller count of both kinds of cores; the driver knows the real
# count, which is the profile's `gp`.
leaf_0a() {
    awk '$1 == "leaf" && $2 == "0a" { print substr($3, 1, 8); exit }' "$lines"
}

# The name of each profile's PMU in Linux 6.1, which is older than Lunar Lake; from Panther Lake on the name in Linux
# 7.2.
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

# The profile's format of PEBS records.
format() {
    echo "$((0x$(awk '$1 == "perfcap" { print $2; exit }' "$lines") >> 8 & 15))"
}

check_driver() {
    row "the driver finds the PMU" exact
    eax=$(leaf_0a)
    line=$(output | grep -a '^Performance Events')
    echo "       $line"
    expect "driver" "$(echo "$line" | grep -o -F "$(driver)")" "$(driver)"
    [ -n "$eax" ] || return # NetBurst
    expect "version" "$(output | sed -n 's/^dmesg version //p' | head -n 1)" "$((0x$eax & 0xff))"
    found=$(output | sed -n 's/^dmesg generic [a-z]* //p' | head -n 1) told=$((0x$eax >> 8 & 0xff))
    own=$(awk '$1 == "gp" { print $2; exit }' "$lines")
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
    row "perf stat" exact
    expect "instructions" "$(output | sed -n 's/^count instructions //p')" "$INSTRUCTIONS"
    expect "branches" "$(output | sed -n 's/^count branches //p')" "$BRANCHES"
    [ -z "$conditional" ] ||
        expect "conditional branches" "$(output | sed -n 's/^count conditional //p')" "$CONDITIONAL"
}

# Events by the names of perf's tables for this CPU, with the right counts; two names of conditional branches exist.
check_names() {
    row "events by name" exact
    expect "near calls" "$(told "name near_call")" $((TURNS * 3))
    expect "near returns" "$(told "name near_return")" $((TURNS * 3))
    expect "near branches taken" "$(told "name near_taken")" $((TURNS * (3 + 3 + SPINS) - 1))
    expect "conditional branches" "$(told "name cond\(itional\)\?")" $((TURNS * (SPINS + 1)))
    expect "all branches" "$(told "name all_branches")" $((TURNS * (3 + 3 + SPINS + 1) + 1))
}

# A plain sample may skid, now and then into an interrupt's entry; a PEBS sample may not. Up to $1 plain ones may be
# missing.
check_samples() {
    row "perf record" ok
    all=$((INSTRUCTIONS / 10000)) got=$(samples instructions .)
    expect "samples ($got of $all)" "$((got <= all && got >= all - $1))" 1
    within=$(samples instructions '^4')
    expect "nearly all within the program" "$((within * 10 >= all * 9))" 1
    row "perf record :pp" "not known"
    output | grep -aq "^sample precise" || return
    row_says exact
    nearly_all "precise samples on the branch" "$(samples precise "^$BRANCH\$")" "$(samples precise .)"
}

# Counts the hexadecimal numbers on standard input that are lower than the previous one by the period or a little more:
# the loop counts down, and its branch is sampled.
steps_of() {
    last=
    while read -r value; do
        [ -z "$last" ] || [ $((last - value)) -lt "$1" ] || [ $((last - value)) -gt $(($1 + 10)) ] || echo step
        last=$value
    done | wc -l
}

# nearly_all WHAT PART WHOLE: PART must be nearly WHOLE. A few records may come from the moment when the counter was
# stopped.
nearly_all() {
    echo "       $1: $2 of $3"
    expect "$1, nearly all" "$((${3:-0} > 0 && $2 * 100 >= $3 * 97))" 1
}

check_records() {
    row "registers, LBRs, addresses" "-"
    if output | grep -aq "^register"; then
        row_says ok
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

# The addresses of the last branches, and the address of the loaded word.
place_of() {
    [ "$1" = last ] && echo "^$BRANCH-" && return
    nm "$BUILD/foreign/loads" | sed -n 's/^0*\([0-9a-f]*\) . word_loaded$/^\1$/p'
}

known() {
    case " $1 " in *" $REFERENCE "*) ;; *) return 1 ;; esac
}

# Linux 6.1 follows calls by branch records from Haswell and Goldmont on, but not on CPUs that are newer than itself.
# Now and then a chain lacks its calls, or has more from an earlier turn.
check_chains() {
    row "call graphs by LBR" "not known"
    if ! known "$CHAINS_KNOWN"; then
        expect "chains of calls" "$(output | grep -ac '^chain [^r]')" 0
        return
    fi
    row_says ok
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
    row "perf stat --topdown" "-"
    known "$METRICS_KNOWN" || return
    row_says ok
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

# How often a branch of the traced program was taken, by its address and its target.
traced() {
    output | awk -v branch="$1" '$1 == "trace" && $2 ~ branch { sum += $3 } END { print sum + 0 }'
}

# The trace must have the branches that were taken, in no more bytes than they need: one for each conditional branch,
# nine for each return, and a few at the start and end of the trace. Around an interrupt a decoder may miss a branch, or
# count it twice. Half of the output table was full before the program ended.
check_trace() {
    row "perf record intel_pt" "-"
    grep -q '^leaf 14\.0' "$lines" || return
    row_says ok
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

# A hybrid has as many P cores as Atom cores, P cores first.
kind_of() {
    case $REFERENCE in
    alder-lake | panther-lake) [ "$1" -lt $((CPUS / 2)) ] && echo " cpu_core" || echo " cpu_atom" ;;
    esac
}

# counted_on on-cpu|again-on-cpu CPU: the count of the program on this CPU must be right.
counted_on() {
    expect "instructions $1 $2" "$(output | sed -n "s/^$1 $2 //p" | sed 's/ *$//')" "$INSTRUCTIONS$(kind_of "$2")"
}

check_cpus() {
    row "each CPU" "-"
    [ "$CPUS" -gt 1 ] || return
    row_says exact
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

# Both must end well, and the program must print the same each time.
check_rr() {
    row rr "not known"
    known "$RR_KNOWS" || return
    row_says exact
    expect "rr record" "$(output | sed -n 's/^rr record //p')" 0
    expect "rr replay" "$(output | sed -n 's/^rr replay //p')" 0
    expect "what was replayed" "$(output | sed -n 's/^rr differs //p')" 0
}

# The profile's encoding of conditional branches, if it is an event and a umask: Linux 6.1 does not know the second
# umask.
conditional_event() {
    awk '$1 == "event" && $3 ~ /^BR_INST_RETIRED[.](COND|CONDITIONAL|JCC)$/ && length($2) == 4 { print $2; exit }' "$lines"
}

# Counters of others that a program can read by RDPMC: none if the PMU can hide them (and Linux 7.0 or later has it do
# so), unless rdpmc=2 shows all counters to all programs.
check_looks() {
    row "rdpmc by a program" exact
    expect "counters of others in a program's sight" "$(output | sed -n 's/^others with rdpmc=1 //p')" \
        "$(known diamond-rapids && echo 0 || echo 1)"
    expect "and with rdpmc=2" "$(output | sed -n 's/^others with rdpmc=2 //p')" 1
}

# Instructions are sampled in periods of 20,000. Branches, one in three instructions, reload both counters at each
# 5,000th branch: no sample comes. A reload at each 7,000th branch is too late for that.
check_reload() {
    row "counters that reload" "-"
    output | grep -aq '^reloaded' || return
    row_says exact
    expect "samples, each period cut short by a reload" "$(output | sed -n 's/^reloaded 5000 //p')" 0
    expect "samples, each reload too late" "$(output | sed -n 's/^reloaded 7000 //p')" "$((INSTRUCTIONS / 20000))"
}

check_all_else() {
    check_registers
    check_rr
    check_records
    check_chains
    check_slots
    check_trace
    check_looks
    check_reload
    check_papi
    check_likwid
    check_frequencies
    check_self_tests
    check_cpus
}

profiles() {
    for file in reference/model/profiles/*.profile; do
        basename "$file" .profile
    done | tr '\n' ' '
}

# The error, with the image's own message if the log has one.
complaint() {
    said=$(output 2>/dev/null | sed -n 's/^ *not ok .*# ERROR //p' | tail -n 1)
    echo "$1${said:+: $said} (log: $LOG)"
}

# On a CPU without IA32_TSC_ADJUST, Linux with several CPUs checks the TSCs by the HPET, which goes on while they are
# held back.
time_is_watched() {
    [ "$CPUS" -gt 1 ] && ! grep -q '^tsc-adjust *yes' "$lines"
}

# ----

command -v perf >/dev/null || stop "perf is missing: apt-get install linux-perf"
[ -r "$PROFILES/$REFERENCE.profile" ] || stop "REFERENCE=$REFERENCE: there is no such profile; there are: $(profiles)"
case $CPUS in '' | *[!0-9]* | 0*) stop "CPUS=$CPUS: it must be a number from 1 to 255" ;; esac
case $PARTS in all | sample) ;; *) stop "PARTS=$PARTS: it must be one of all, sample" ;; esac
prepare
rm -f "$LOG.rows"
lines=$LOG.profile
profile_lines "$REFERENCE" >"$lines"
conditional=$(conditional_event)
reliable=''
time_is_watched && reliable=' tsc=reliable'
started=$(date +%s)
KERNEL=$(find "$WORK/$kernel" -name "vmlinuz*") MODULE=$RUN/initrd MEMORY=$MEMORY REFERENCE=$REFERENCE CPUS=$CPUS LOG=$LOG \
    ARGS="console=ttyS0 quiet panic=-1 nmi_watchdog=0 no_timer_check count_conditional=$conditional parts=$PARTS$reliable" \
    hosting/tools/host.sh >/dev/null || stop "$(complaint "QEMU failed")"
output | grep -aq '^the end' || stop "$(complaint "Linux did not reach its end")"
check_driver
# On NetBurst Linux programs a counter twice, the second time with the period that its last user left (since 6.1:
# p4_pmu_set_period() reads the period before it is set). So no count is right, and the first sample is lost or comes
# early.
if [ "$REFERENCE" = prescott ]; then
    check_samples 2
else
    check_counts
    known "$NAMES_KNOWN" && check_names
    check_samples 0
    check_race
    [ "$PARTS" = sample ] || check_all_else
fi
row_ends
output | sed -n 's/^seconds /       seconds of its clock: /p'
echo "       $(($(date +%s) - started)) s from start to end (log: $LOG)"
exit $bad
