#!/bin/sh
# With one CPU nothing can end an access that never comes back: the log's last line of its kind must name the register.
# And a CPU that cannot run the image at all gets a line that says so.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
log=$BUILD/logs/hang.log
status=0
LOG=$log CPUS=1 TIMEOUT=600 SILENCE=20 SUMMARY=0 OPTIONS="reference=skylake run=access.gp-counters defect=rdmsr-hangs" \
    tools/run.sh >/dev/null 2>&1 || status=$?
last=$(tr -d '\r' <"$log" | grep -a '^# access ' | tail -n 1)
echo "status $status, last access: $last"
[ "$status" = 124 ] && [ "$last" = "# access read reg=IA32_PMC3" ]

status=0
LOG=$log CPUS=1 CPU=max,-sse2 TIMEOUT=600 SILENCE=20 SUMMARY=0 tools/run.sh >/dev/null 2>&1 || status=$?
echo "status $status, without SSE2: $(head -c 60 "$log")"
[ "$status" = 124 ] && grep -aq "^pmucheck: this CPU has no SSE2" "$log"
