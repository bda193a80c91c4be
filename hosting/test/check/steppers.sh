#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The two steppers count the same: all tests run on the reference PMU once under traps, in the image, and once under
# SVM, in the kernel that hosts others, with QEMU's clocks driven by its count of instructions. All lines of both logs
# must be the same, results of measurements included, but for times and for what follows from where code and data lie.
# Would catch an instruction that one stepper retires too often or not at all, an event that it does not report, and a
# test that one of them cannot run.
#
# usage: hosting/test/check/steppers.sh single|exit K/N      each N-th profile from the K-th on; SVM steps in that way:
#                                                            single: most code by the interpreter; exit: each
#                                                            instruction by a VM exit, some minutes a profile
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
way=${1:?usage: steppers.sh single|exit K/N}
part=${2:?usage: steppers.sh single|exit K/N}
export BUILD SUMMARY=0 STEADY=1 CPUS=1 SILENCE=300 REFERENCE='' MEDIUM=kernel
mkdir -p "$BUILD/logs"

# The log's lasting lines, also without the image's own sum and options, and without what follows from where data lie
# (the latency that the model gives a load) or from the number of instructions and branches before: the order in which
# branch records are written, which branches the model takes as mispredicted, when a reference clock ticks, and the
# largest skid that a summary tells.
same() {
    tools/check/boot/lasting.sh "$1" | sed -E -e '/^# options /d' -e '/^# (pmucheck|image) /s/ sum=[0-9a-f]+//' \
        -e '/^ *# measure (pebs.latency name=latency|topdown.levels|fixed.pairing name=fixed-2-of-event-2) /d' \
        -e '/^ *# good-for-fact (counting|rr) /d' \
        -e '/^ *# access write reg=(MSR|IA32)_(LASTBRANCH|LBR)_/d'
}

# boot NAME KERNEL WAY
boot() {
    export LOG="$BUILD/logs/steppers-$way-$1.log" IMAGE="$BUILD/$2.elf" OPTIONS="reference=all:$part quick stepping=$3"
    reference/proof/run.sh >/dev/null
    echo "$1: status $?, $(tr -d '\r' <"$LOG" | grep -acE '^ *(not )?ok ') results"
    same "$LOG" >"$LOG.same"
}

boot trap pmucheck trap
boot svm pmucheck-host "$way"
tail -n 1 "$BUILD/logs/steppers-$way-trap.log.same" | grep -a '^# end verdict=' || {
    echo "the run did not end"
    exit 1
}
diff "$BUILD/logs/steppers-$way-trap.log.same" "$BUILD/logs/steppers-$way-svm.log.same"
