#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Measures speed, for BIOS and UEFI with 1, 2, 4 and 8 CPUs, of a quick run (OPTIONS=quick) or a normal one: seconds
# from QEMU's start until the image has control (the time of firmware and GRUB), until the first log line and until the
# END line. The first line should come at most a tenth later than the image gets control; "after" shows by how much.
# Also: results a second; the cost of a step of the reference PMU, of a bare trap, of a call of the stepper and of a
# CPUID that the model answers; the tests that take longest;
# random walks a second on one CPU, and the share of the model in their time; what hosting/tools/bench.sh measures;
# processor time and memory of a comparison of FLEET logs made of these.
#
# usage: tools/bench.sh
set -u
cd "$(dirname "$0")/.." || exit 99
BUILD=${BUILD:-build}
BENCH_CPUS=${BENCH_CPUS:-1 2 4 8}       ## numbers of CPUs that make bench tries
BENCH_FIRMWARE=${BENCH_FIRMWARE:-bios uefi}    ## firmware that make bench tries
FLEET=${FLEET:-10000}
logs=$BUILD/logs
export BUILD SUMMARY=0 OPTIONS="bench${OPTIONS:+ $OPTIONS}"
mkdir -p "$logs"

now() {
    date +%s%N
}

# Prints when the log's first line, its last line and its line `# took boot` came, in nanoseconds.
watch() {
    first='' last='' took=''
    while IFS= read -r line; do
        case $line in
        '# pmucheck '*) [ -n "$first" ] || first=$(now) ;;
        '# took boot '*) took=$(now) ;;
        '# end '*) last=$(now) ;;
        esac
    done
    echo "${first:-0} ${last:-0} ${took:-0}"
}

# The value of a key in the last line of the log that carries it.
value() {
    tr -d '\r' <"$LOG" | sed -nE "s/^# .*[ ]$1=([^ ]+).*/\1/p" | tail -n 1
}

results() {
    tr -d '\r' <"$LOG" | grep -acE '^ *(not )?ok '
}

# Microseconds from the image's first instruction to its line `# took boot`, by its own clock.
image_us() {
    tr -d '\r' <"$LOG" | sed -nE 's/^# took boot us=([0-9]+).*/\1/p' | tail -n 1
}

# Prints one line for a run, from its start and the times of watch(), in nanoseconds.
report() {
    awk -v start="$1" -v times="$2" -v cpus="$CPUS" -v count="$(results)" -v verdict="$(value verdict)" \
        -v firmware="$FIRMWARE" -v image="$(image_us)" '
        BEGIN {
            split(times, at, " ")
            if (at[1] == 0 || at[2] == 0) {
                printf "%-8s %4d  no END line\n", firmware, cpus
                exit
            }
            spent = (at[2] - at[1]) / 1e9
            rate = spent > 0 ? count / spent : 0
            first = (at[1] - start) / 1e9
            before = image ? (at[3] - start) / 1e9 - image / 1e6 : 0
            control = before > 0 ? sprintf("%.2f", before) : "-"
            after = before > 0 ? sprintf("%+.1f %%", (first / before - 1) * 100) : "-"
            printf "%-8s %4d %10s %13.2f %8s %6.2f  %d tests, %.1f a second, verdict %s\n", firmware, cpus, control,
                first, after, (at[2] - start) / 1e9, count, rate, verdict
        }'
}

# Prints the log's `# bench` lines, which give picoseconds for each CPU and microseconds for each test.
details() {
    tr -d '\r' <"$LOG" | grep -a '^# bench ' | tr '=' ' ' >"$LOG.bench"
    # # bench cpu N trap-ps N step-ps N call-ps N site-ps N free-ps N loop-us N
    awk '$3 == "cpu" && !shown++ {
        printf "      a step %.0f ns, a bare #DB trap %.0f ns, a call of the stepper %.0f ns, a CPUID %.0f ns, ",
            $8 / 1000, $6 / 1000, $10 / 1000, $12 / 1000
        printf "an unstepped instruction %.1f ns\n", $14 / 1000
        if ($16) printf "      ten million instructions of a straight loop %.3f s\n", $16 / 1e6
    }' "$LOG.bench"
    # # bench test NAME us N steps N traps N exits N accesses N forwarded N native N shadowed N inside N by-exit N
    awk '$3 == "test" { steps += $8; traps += $10; exits += $12; accesses += $14; forwarded += $16
                        native += $18; shadowed += $20; inside += $22; by_exit += $24 }
        END {
            if (steps) printf "      %d steps (%d of them traps, %d forwarded), %d accesses\n",
                steps, traps, forwarded, accesses
            if (exits) printf "      %d VM exits; states after them, each checked: %d native, %d shadowed, %d inside, %d by exit\n",
                exits, native, shadowed, inside, by_exit
            if (steps) print "      the longest tests:"
        }' "$LOG.bench"
    awk '$3 == "test" { printf "      %10.3f s %s\n", $6 / 1e6, $4 }' "$LOG.bench" | sort -rn | head -n 3
}

echo "firmware CPUs  control s  first line s    after  END s"
for FIRMWARE in $BENCH_FIRMWARE; do
    for CPUS in $BENCH_CPUS; do
        LOG=$logs/bench-$FIRMWARE-$CPUS.log
        export CPUS LOG FIRMWARE
        start=$(now)
        times=$(tools/run.sh 2>"$LOG.err" | watch)
        report "$start" "$times"
        details
    done
done

# Random walks over some profiles, on one CPU.
walks() {
    for REFERENCE in skylake nehalem alder-lake lunar-lake; do
        FIRMWARE=bios CPUS=1 LOG=$logs/bench-walks.log OPTIONS="bench lockstep=1:2000" REFERENCE=$REFERENCE tools/run.sh \
            >/dev/null 2>&1
        # # bench lockstep walks N us N oracle-us N
        tr -d '\r' <"$logs/bench-walks.log" | grep -a '^# bench lockstep ' | tr '=' ' ' | awk -v profile="$REFERENCE" '{
            printf "      %-12s %6.0f walks a second, %2.0f %% of it the model beside the CPU\n", profile,
                $5 * 1e6 / $7, 100 * $9 / $7 }'
    done
}

# Processor time and memory of a comparison of a fleet's logs, which are made of the logs above.
fleet() {
    machines=$(mktemp -d)
    "$BUILD/tools/fleet" "$machines" "$FLEET" 50 "$logs"/bench-*-[0-9].log
    find "$machines" -name '*.log' | LC_ALL=C sort | xargs -s 2000000 -n "$FLEET" \
        /usr/bin/env time -o "$machines/cost" -f '%U %S %M' "$BUILD/tools/pmucheck" compare >/dev/null 2>&1
    awk -v logs="$FLEET" -v size="$(du -sk "$machines" | cut -f 1)" 'END {
        printf "a comparison of %d logs of %d KB: %.1f s of processor time, %d MB\n", logs, size / logs, $1 + $2, $3 / 1000
    }' "$machines/cost"
    rm -rf "$machines"
}

[ ! -e hosting/tools/bench.sh ] || hosting/tools/bench.sh
echo "random walks on one CPU"
walks
fleet
