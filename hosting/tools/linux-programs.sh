# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Debian's packages of other people's programs for a PMU: their files for the root of a hosted Linux, and the checks of
# their results. To be sourced by hosting/tools/linux.sh after hosting/tools/linux-packages.sh.
#
# Of perf's self-tests those run that use a PMU's counters, or the debug registers, which stepping must leave to
# programs. Not run, though they use a PMU: "Number of exit events", which samples each second cycle and gives up after
# 1000 wake-ups, which depending on the machine's speed is before or after the program's end; "perf record tests", whose
# program ends within the first period that the kernel chooses for a frequency; "perf stat CSV output linter", which
# does not know the lines of the second level of topdown; "Object code reading", "Test data symbol" and "Check branch
# stack sampling", which need objdump or a compiler; "Miscellaneous Intel PT testing", which needs the time in a trace;
# and tests that count the whole system for minutes: metrics, "perf all PMU test".

PROGRAM_PACKAGES="msr-tools papi-tools libpapi7.0 libpfm4 libsde1 likwid libhwloc15 liblua5.3-0 lua5.3 linux-cpupower libpci3"
PAPI_KNOWS="sandy-bridge ivy-bridge haswell broadwell skylake"
LIKWID_KNOWS="sandy-bridge haswell broadwell skylake ice-lake"
PERF_CORE=/usr/lib/perf-core
PAPI_INSTRUCTIONS=200851968
PAPI_BRANCHES=20032768

# The programs look for their own files where the packages have them.
fill_programs() {
    root=$1
    libraries_of=usr/lib/x86_64-linux-gnu
    LD_LIBRARY_PATH=
    for package in $PROGRAM_PACKAGES; do
        LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$PWD/$WORK/$package/$libraries_of
    done
    export LD_LIBRARY_PATH
    mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/share" "$root/$libraries_of" "$root/modules" "$root$PERF_CORE"
    cp -r "$PERF_CORE/tests" "$root$PERF_CORE/"
    for program in msr-tools/usr/sbin/rdmsr msr-tools/usr/sbin/wrmsr papi-tools/usr/bin/papi_avail \
        papi-tools/usr/bin/papi_command_line linux-cpupower/usr/sbin/turbostat lua5.3/usr/bin/lua5.3 \
        likwid/usr/sbin/likwid-accessD; do
        cp "$WORK/$program" "$root/${program#*/}"
        libraries "$WORK/$program" "$root"
    done
    cp "$WORK/likwid/usr/bin/likwid-perfctr" "$root/usr/bin/"
    cp -r "$WORK/likwid/usr/share/likwid" "$WORK/likwid/usr/share/lua" "$root/usr/share/"
    cp -L "$WORK/likwid/$libraries_of/liblikwid.so" "$root/$libraries_of/"
    libraries "$root/$libraries_of/liblikwid.so" "$root"
    cp -L "$WORK/libhwloc15/$libraries_of"/libhwloc.so.?? "$WORK/likwid/$libraries_of"/liblikwid*.so.? \
        "$root/lib/x86_64-linux-gnu/"
    unset LD_LIBRARY_PATH
}

# fill_module KERNEL'S-DIRECTORY ROOT: adds the module msr, which shows the registers of each CPU as a file; newer
# kernels pack their modules.
fill_module() {
    module=$(find "$1" -name "msr.ko*" | grep arch/x86) || stop "there is no msr.ko in $1"
    mkdir -p "$2/modules"
    case $module in
    *.xz) xz -dc "$module" >"$2/modules/msr.ko" ;;
    *) cp "$module" "$2/modules/" ;;
    esac
}

told() {
    output | sed -n "s/^$1 //p" | head -n 1
}

# between WHAT VALUE LEAST MOST
between() {
    expect "$1 (${2:-none}), from $3 to $4" "$((${2:--1} >= 0 && ${2:-0} >= $3 && ${2:-0} <= $4))" 1
}

check_registers() {
    row "rdmsr, wrmsr" exact
    expect "rdmsr of IA32_PERF_CAPABILITIES" "$(told "msr capabilities")" \
        "$(awk '$1 == "perfcap" { print $2; exit }' "$PROFILE" | sed 's/^0*//')"
    expect "a counter that wrmsr wrote" "$(told "msr counter")" 123456789ab
    expect "status of wrmsr for a reserved bit, which is refused" "$(told "msr reserved")" 4
}

# papi_command_line has two loops: 20,000,000 turns of 10 instructions and 32,768 of 26, each turn with one conditional
# branch. PAPI's own instructions between its two readings come on top.
check_papi() {
    if ! known "$PAPI_KNOWS"; then
        row PAPI "not known"
        expect "presets of PAPI" "$(told "papi presets")" 0
        return
    fi
    row PAPI exact
    between "presets of PAPI" "$(told "papi presets")" 20 108
    between PAPI_TOT_INS "$(told "papi PAPI_TOT_INS")" $PAPI_INSTRUCTIONS $((PAPI_INSTRUCTIONS + 500))
    between PAPI_BR_CN "$(told "papi PAPI_BR_CN")" $PAPI_BRANCHES $((PAPI_BRANCHES + 100))
    conditional_ones=$(told "papi PAPI_BR_CN") others=$(told "papi PAPI_BR_UCN")
    expect "PAPI_BR_CN and PAPI_BR_UCN are PAPI_BR_INS" "$((${conditional_ones:-0} + ${others:-0}))" "$(told "papi PAPI_BR_INS")"
}

# likwid counts all code in user mode: the program, and likwid itself at the program's start and end.
check_likwid() {
    if ! known "$LIKWID_KNOWS"; then
        row likwid-perfctr "not known"
        expect "likwid's name of the CPU" "$(told "likwid type")" "Unknown Intel Processor"
        return
    fi
    row likwid-perfctr ok
    between "instructions by likwid" "$(told "likwid INSTR_RETIRED_ANY")" "$INSTRUCTIONS" $((INSTRUCTIONS * 103 / 100))
    between "branches by likwid" "$(told "likwid BR_INST_RETIRED_ALL_BRANCHES")" "$BRANCHES" $((BRANCHES * 103 / 100))
}

# near WHAT VALUE OTHER PER-MILLE
near() {
    between "$1" "$2" $((${3:-1} * (1000 - $4) / 1000)) $((${3:-1} * (1000 + $4) / 1000))
}

# With one CPU the measured frequencies must be the CPU's. MSR_PLATFORM_INFO gives them in units of 100 MHz.
check_frequencies() {
    if [ "$CPUS" -gt 1 ]; then
        row turbostat "-"
        return
    fi
    row turbostat ok
    leaf_15=$(told "turbostat leaf-15") leaf_16=$(told "turbostat leaf-16") measured=$(told "turbostat measured")
    base=${leaf_16% *} most=${leaf_16#* } tsc=${measured% *} busy=${measured#* }
    near "MHz by leaf 15H" "$leaf_15" "${base:-0}" 2
    between "MHz by MSR_PLATFORM_INFO" "$(told "turbostat platform")" $((${base:-0} - 50)) $((${base:-0} + 50))
    near "MHz of the TSC" "$tsc" "$leaf_15" 10
    near "MHz of a busy core" "$busy" "$most" 10
    expect "rdmsr's ratio" "$(told "msr platform")00" "$(told "turbostat platform")"
}

# Four threads raced, and rr interrupted each at the branch that it chose.
check_race() {
    if ! known "$RR_KNOWS"; then
        row "rr, threads" "not known"
        output | grep -aq "^race complaint: .*Intel CPU type .* unknown"
        expect "rr says that it does not know the CPU" $? 0
        return
    fi
    row "rr, threads" exact
    expect "rr record of threads" "$(told "race record")" 0
    expect "rr replay of threads" "$(told "race replay")" 0
    expect "what was replayed of threads" "$(told "race differs")" 0
    expect "complaints of rr" "$(output | grep -ac '^race complaint')" 0
    sum=$(told "race sum" | cut -d " " -f 1)
    between "of $RACE_TURNS that threads added, interrupted ones lost some" "$sum" 1 $((RACE_TURNS - 1))
}

# With several CPUs the tests that also count the kernel take minutes.
check_self_tests() {
    if [ "$CPUS" -gt 1 ]; then
        row "perf test" "-"
        return
    fi
    row "perf test" ok
    output | sed -n 's/^self-test Skip /       skipped by perf itself: /p'
    output | sed -n 's/^self-test FAILED! /       failed: /p'
    expect "perf's own tests that failed" "$(output | grep -ac '^self-test FAILED')" 0
    expect "perf's own tests that passed" "$(output | grep -ac '^self-test Ok')" 13
}
