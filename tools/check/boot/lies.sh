#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs tests that lie (tools/check/boot/lies/lies.c), one for each register that can be written, on profiles that
# together have all these registers. Each test must leave its register changed, the harness must report it by name and
# value, and the next test must find the register restored. An interrupt that nobody waits for must be reported with the
# test, a STATUS bit that cannot be cleared must ask for review, and a test that sleeps for ever must be an error that
# says so.
# Would catch changes that a test can leave behind unseen.
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
LOG=$BUILD/logs/lies.log
PROFILES=${PROFILES:-skylake,alder-lake,goldmont-plus,clearwater-forest,panther-lake,prescott,nehalem}
export LOG

# shellcheck disable=SC2086 # a command and its options
${MAKE:-make} --no-print-directory -s lies || exit 1
boot() {
    SUMMARY=0 MEDIUM=kernel IMAGE=$BUILD/pmucheck-lies.elf REFERENCE='' CPUS=${CPUS:-1} SILENCE=${SILENCE:-300} OPTIONS=$1 tools/run.sh >/dev/null 2>&1
}

boot "reference=skylake run=lies.stuck_status defect=status-bit-stays quick"
grep -aq '# REVIEW IA32_PERF_GLOBAL_STATUS=0x[0-9a-f]*: cleared after the test, and still set' "$LOG" || {
    echo "lies.stuck_status: the log says nothing of the bit that cannot be cleared"
    exit 1
}
for CPUS in 1 2; do
    boot "reference=skylake run=endless.sleep quick"
    grep -aqE '^not ok 1 endless.sleep # ERROR slept in HLT, and no interrupt came, in sleep_for_ever\+' "$LOG" || {
        echo "endless.sleep, $CPUS CPUs: no error says that it slept for ever"
        exit 1
    }
done
CPUS=1
boot "reference=$PROFILES run=lies.* quick"
tr -d '\r' <"$LOG" | awk '
    function bad(text) { print test ": " text; wrong++ }
    { sub(/^ */, "") }
    /^# lie / {
        for (i = 3; i <= NF; i++) {
            split($i, part, "=")
            told[part[1]] = part[2]
        }
        lied = 1
        next
    }
    /^# stray .* in=lies\.stray_interrupt vector=0x70 count=1 / { strays++ }
    /^(not )?ok [0-9]+ lies\./ {
        test = $0
        sub(/^(not )?ok [0-9]+ /, "", test)
        sub(/ .*/, "", test)
        if (/ # SKIP /) {
            if (/ # SKIP signature=/)
                met[test] += 0
        } else {
            met[test]++
            lies++
            sent += told["expect"] == "stray" && lied
            want = told["expect"]
            text = "the test left " told["reg"] "=" told["value"]
            if (want == "unmasked") text = "the test left LVTPC unmasked"
            if (want == "priority") text = "the test left the task priority raised"
            if (test == "lies.ended_early") text = "ended early, of its own"
            if (!lied)
                bad("printed no line about what it left: " $0)
            else if (test != "lies.ended_early" && (want == "cleared" || want == "handed-back" || want == "stray")) {
                if ($1 != "ok") bad("expected no report of " told["reg"] ": " $0)
            } else if (!index($0, "# ERROR " text))
                bad("expected \"" text "\": " $0)
        }
        lied = 0
        split("", told)
    }
    END {
        # These may show nothing: registers that point to areas of the test, which the harness releases; registers that
        # count by themselves; registers that only clear bits.
        split("lies.ds_area lies.netburst_ds_area lies.pebs_base lies.pebs_index lies.rtit_output lies.rtit_pointers " \
              "lies.perf_metrics lies.global_status lies.status_reset", areas, " ")
        for (i in areas)
            delete met[areas[i]]
        for (test in met)
            if (!met[test]) {
                print test ": could not leave its register changed on any of these CPUs"
                wrong++
            }
        if (!sent || strays != sent) {
            print "reported " strays + 0 " stray interrupts of " sent + 0
            wrong++
        }
        print lies + 0 " lies of " length(met) " kinds"
        exit wrong > 0 || lies < 100
    }'
