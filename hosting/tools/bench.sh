#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Measures the speed of hosted kernels: the time of a small one to count ten million instructions of a loop, translated
# and stepped one by one; its speed in kinds of code, in code that is sampled and in system calls, uncounted and counted.
# Part of `make bench`.
#
# usage: hosting/tools/bench.sh
set -u
cd "$(dirname "$0")/../.." || exit 99
BUILD=${BUILD:-build}
logs=$BUILD/logs
export BUILD

now() {
    date +%s%N
}

# Seconds between the two lines around the loop of ten million instructions.
hosted() {
    KERNEL=$BUILD/foreign/count64.elf ARGS=long CPUS=1 MEMORY=256 LOG=$logs/bench-hosted.log \
        OPTIONS=stepping=$1 hosting/tools/host.sh | while IFS= read -r line; do
        case $line in
        'ok counts'*) before=$(now) ;;
        'ok ten million'*) awk -v ns=$(($(now) - before)) 'BEGIN { printf "%.3f s\n", ns / 1e9 }' ;;
        esac
    done
}

# Times of the kernel's kinds of code, between its lines `begin` and `end`: stepping, how, name, instructions,
# nanoseconds.
mixed() {
    KERNEL=$BUILD/foreign/mixed64.elf ARGS="speed $1" CPUS=1 MEMORY=256 LOG=$logs/bench-mixed.log \
        OPTIONS='' hosting/tools/host.sh | while IFS= read -r line; do
        case $line in
        'begin '*) before=$(now) what=${line#begin } ;;
        'end'*) echo "$what $(($(now) - before))" ;;
        esac
    done | tr -d '\r' | while read -r how name count ns; do
        echo "$1 $how $name $((${count#instructions=})) $ns"
    done
}

# Kinds of code side by side: uncounted, as QEMU runs it, counted by the kernel, and by a program (seen from outside).
mixed_table() {
    { mixed inside && mixed narrow; } | awk '
        { rate[$1, $2, $3] = $4 * 1000 / $5
          if (!($3 in seen)) { seen[$3]; order[++n] = $3 } }
        function show(value) { return value ? sprintf("%10.2f", value) : "         -" }
        END {
            print "millions of instructions a second  uncounted  counted inside  from outside"
            for (i = 1; i <= n; i++)
                printf "      %-26s  %s      %s    %s\n", order[i], show(rate["inside", "plain", order[i]]),
                    show(rate["inside", "counted", order[i]]), show(rate["narrow", "counted", order[i]])
            bits = rate["inside", "counted", "bits-in-memory"]
            if (bits) printf "      an instruction of bits-in-memory: %.2f us\n", 1 / bits
            instructions = rate["inside", "counted", "instructions-sampled"]
            cycles = rate["inside", "counted", "cycles-sampled"]
            if (cycles) printf "      cycles are sampled in %.1f times the time of instructions\n", instructions / cycles
        }'
}

# A program that calls its kernel 50,000 times, 40 instructions a call: microseconds of QEMU's processor time for a call
# and the ratio to uncounted, for calls uncounted, with the program counted and with the kernel counted.
calls() {
    LOG=$logs/bench-calls.log
    KERNEL=$BUILD/foreign/calls64.elf ARGS='narrow free long kernel' CPUS=1 MEMORY=256 OPTIONS='' \
        hosting/tools/host.sh |
        while IFS= read -r line; do
            qemu=${qemu:-$(grep -lsa "[l]ogfile=$LOG" /proc/[0-9]*/cmdline | tr -dc '0-9\n' | sort -n | tail -n 1)}
            read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ <"/proc/${qemu:-0}/stat"
            ticks=$((${user:-0} + ${system:-0}))
            case $line in
            'ok   by interrupts'*) before=$ticks ;;
            'ok uncounted'* | 'ok many, the '*)
                name=${line#ok }
                echo "${name%% got=*}|$((${ticks:-0} - ${before:-0}))"
                before=$ticks
                ;;
            esac
        done | awk -F '|' -v a_second="$(getconf CLK_TCK)" '
            BEGIN { print "a call of the system from a hosted program" }
            { us = $2 * 1e6 / a_second / 50000
              free = free ? free : us
              printf "      %-26s %8.2f us, %5.1f times\n", $1, us, free ? us / free : 0 }'
}

export KERNEL ARGS CPUS MEMORY LOG OPTIONS FIRMWARE=bios
echo "a hosted kernel counts ten million instructions: $(hosted in-guest), each by itself: $(hosted single)"
mixed_table
calls
