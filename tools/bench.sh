#!/bin/sh
# How fast it is, for 1, 2, 4 and 8 CPUs: seconds from QEMU's start to the first log line and to the END line, checks a
# second in between (tests, if the log does not count its checks), and what the log says of the cost of a step.
#
# usage: tools/bench.sh
set -u
cd "$(dirname "$0")/.." || exit 99
BUILD=${BUILD:-build}
BENCH_CPUS=${BENCH_CPUS:-1 2 4 8}       ## numbers of CPUs that make bench tries
logs=$BUILD/logs
export BUILD SUMMARY=0
mkdir -p "$logs"

now() {
    date +%s%N
}

# Notes when the first and the last line come by, in nanoseconds.
watch() {
    first='' last=''
    while IFS= read -r line; do
        case $line in
        '# pmucheck '*) [ -n "$first" ] || first=$(now) ;;
        '# end '*) last=$(now) ;;
        esac
    done
    echo "${first:-0} ${last:-0}"
}

# The value of a key in the last line of the log that carries it.
value() {
    tr -d '\r' <"$LOG" | sed -nE "s/^# .*[ ]$1=([^ ]+).*/\1/p" | tail -n 1
}

results() {
    tr -d '\r' <"$LOG" | grep -acE '^ *(not )?ok '
}

report() {
    awk -v start="$1" -v times="$2" -v cpus="$CPUS" -v count="$3" -v what="$4" -v verdict="$(value verdict)" '
        BEGIN {
            split(times, at, " ")
            if (at[1] == 0 || at[2] == 0) {
                printf "%4d  no END line\n", cpus
                exit
            }
            spent = (at[2] - at[1]) / 1e9
            rate = spent > 0 ? count / spent : 0
            printf "%4d %13.2f %6.2f %8d %s, %.0f a second, verdict %s\n", cpus, (at[1] - start) / 1e9,
                (at[2] - start) / 1e9, count, what, rate, verdict
        }'
}

echo "CPUs  first line s  END s"
for CPUS in $BENCH_CPUS; do
    LOG=$logs/bench-$CPUS.log
    export CPUS LOG
    start=$(now)
    times=$(tools/run.sh 2>"$LOG.err" | watch)
    checks=$(value checks)
    report "$start" "$times" "${checks:-$(results)}" "$([ -n "$checks" ] && echo checks || echo tests)"
    tr -d '\r' <"$LOG" | sed -nE 's/^# (bench|measure reference\.)/      \1/p'
done
