#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# With one CPU nothing can end an access that never returns: the log's last line must name the register. And on a CPU
# that cannot run the image at all a line must say so.
# Would catch a machine that hangs without a line in the log about where.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
log=$BUILD/logs/hang.log

# boot STATUS CPU OPTIONS PATTERN: the run must end with STATUS (124: stopped after silence) and its last line must
# match. Tried again where the machine was so busy that the silence was the firmware's.
boot() {
    for silence in 20 300; do
        status=0
        LOG=$log CPUS=1 CPU=$2 SILENCE=$silence SUMMARY=0 OPTIONS=$3 tools/run.sh >/dev/null 2>&1 || status=$?
        last=$(tr -d '\r' <"$log" | grep -aE '^(# access |(Bail out! )?pmucheck: )' | tail -n 1)
        echo "status $status, last words: $last"
        [ "$status" != "$1" ] || ! echo "$last" | grep -aq "$4" || return 0
    done
    exit 1
}

boot 124 max "reference=skylake run=access.gp-counters defect=rdmsr-hangs" '^# access read reg=IA32_PMC3$'
boot 99 max,-sse2 "" '^Bail out! pmucheck: this CPU has no SSE2'
! "$BUILD/tools/pmucheck" report "$log" | grep contradicts
