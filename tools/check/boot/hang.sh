#!/bin/sh
# With one CPU nothing can end an access that never comes back: the log's last line of its kind must name the register.
# And a CPU that cannot run the image at all gets a line that says so.
# Would catch a machine that dies without having told where.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
log=$BUILD/logs/hang.log

# boot STATUS CPU OPTIONS PATTERN: the run ends like this (124: for its silence), and its last words are these. On a busy
# machine the firmware alone may take longer than a hung access has to be waited for.
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
