# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # MAKE, JOBS, BUILD and profiles are tools/test.sh's
# The steps of hosting in `make test`: tools/test.sh sources this file, which uses its functions.

hosting_builds() {
    # shellcheck disable=SC2086 # MAKE is a command with its options
    step "build: small kernels" $MAKE -j "$JOBS" foreign
}

# Prints lines for tools/check/steps.sh: each commit runs another share of the kernels, the machines and the profiles.
hosting_steps() {
    hosting/test/check/host.sh | rotating 6 in-guest uefi | each hosted 'hosting/test/check/host.sh '
    ! its_turn 3/3 || tools/check/boot/each.sh "$(share "$profiles")" | each self 'hosting/test/check/self.sh '
    hosting/test/check/microcode.sh | rotating 3 | each "hosted microcode" 'hosting/test/check/microcode.sh '
    hosting/test/check/errata.sh | rotating 4 | each errata 'hosting/test/check/errata.sh '
    CASES=hosting/test/torture.txt tools/check/case/torture.sh |
        each "hosted torture" 'CASES=hosting/test/torture.txt tools/check/case/torture.sh '
    echo "steppers: the same logs, share $(share 7)|hosting/test/check/steppers.sh single $(share 7)"
    ! its_turn 5/6 || echo "steppers: the same log as by VM exits|hosting/test/check/steppers.sh exit $(share "$profiles")"
    rotating 3 <<STEPS
adopted: what a good machine showed accuses a bad one|hosting/test/check/adopted.sh
linux: a sample of what perf and rr do|PARTS=sample LOG=$BUILD/logs/linux-sample.log hosting/tools/linux.sh
check: the model in Unicorn counts exactly|hosting/test/check/unicorn.sh
STEPS
}
