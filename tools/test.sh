#!/bin/sh
# Everything that can be checked here: builds, static checks, host tests, fuzzing for seconds, reproducibility, boots in
# QEMU, proofs. One line a step; the last line counts them. Called by `make test`.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
FUZZ_SECONDS=${FUZZ_SECONDS:-3}         ## seconds for each fuzz target; make fuzz takes 300
MAKE="${MAKE:-make} --no-print-directory"
RESULTS=$BUILD/logs/results.txt
export BUILD RESULTS
mkdir -p "$BUILD/logs"
: >"$RESULTS"
started=$(date +%s)

step() {
    tools/check/step.sh "$@"
}

# Steps of one kind, JOBS at a time. Standard input: what stands for {} in the name and in the command.
steps() {
    xargs -r -P "$JOBS" -I '{}' tools/check/step.sh "$@"
}

built() {
    find "$BUILD/$1" -maxdepth 1 -type f -executable 2>/dev/null | LC_ALL=C sort | sed 's,.*/,,'
}

# ---- What the steps below may need. None of them installs anything: several run at once.

step "packages" tools/dependencies.sh --test
export INSTALL=no

# ---- Builds

# shellcheck disable=SC2086 # MAKE is a command with its option
{
    step "build: image and tools" $MAKE -j "$JOBS" all netboot
    step "build: the model's library" $MAKE -j "$JOBS" model
    step "build: small kernels" $MAKE -j "$JOBS" foreign
    step "build: host tests" $MAKE -k -j "$JOBS" host-tests
    step "build: fuzz targets" $MAKE -k -j "$JOBS" fuzz-targets
    step "build: clang and lld" $MAKE -j "$JOBS" iso BUILD="$BUILD/clang" CC=clang LD=ld.lld
}

# ---- Static checks

step "check: layers" tools/check/layers.sh
step "check: citations" tools/check/citations.sh
step "check: circles" tools/check/circles.sh
step "check: owners of the model's state" tools/check/owners.sh
step "check: dead functions" tools/check/dead.sh
step "check: pure code" tools/check/pure.sh
step "check: house rules and lengths" tools/check/style.sh
step "check: clang-format" tools/check/format.sh
step "check: cppcheck" tools/check/cppcheck.sh
step "check: shellcheck" shellcheck -x tools/*.sh tools/*/*.sh iso/*.sh tests/foreign/linux/init tests/foreign/linux/kexec-init \
    tests/foreign/linux/programs .ci/run
step "check: no way around the write gate" tools/check/bypass.sh
step "check: the model's library and its example" tools/check/library.sh
step "check: labels are permanent" tools/proof/labels.sh --check
step "check: what is promised and what is judged" tools/proof/coverage.sh --check
step "check: README's options" tools/docs/readme-options.sh --check

# ---- On this machine

built host | steps "host: {}" "$BUILD/host/{}"
built fuzz | FUZZ_SECONDS=$FUZZ_SECONDS steps "fuzz: {}" tools/fuzz.sh '{}'
step "images: same bytes from another directory" tools/check/reproducible.sh

# ---- In QEMU

tools/check/boot-case.sh | steps "boot: {}" tools/check/boot-case.sh '{}'
tools/check/host-case.sh | steps "hosted: {}" tools/check/host-case.sh '{}'
# Two of the profiles, others with each commit; `make self` has all.
tools/check/self.sh $(($(git rev-list --count HEAD 2>/dev/null || echo 0) % 14 + 1))/14 |
    steps "self: {}" tools/check/self.sh '{}'
IMAGE=$BUILD/clang/pmucheck.iso LOG=$BUILD/logs/boot-clang.log step "boot: built by clang" tools/check/boot-case.sh bios-cd
tools/check/screens.sh | steps "screen: {}" tools/check/screens.sh '{}'
# The host program on the logs of some boots.
step "program: every command" tools/check/program.sh "$BUILD/logs/boot-bios-cd.log"
step "program: fleets" tools/check/fleet.sh "$BUILD/logs/boot-every-profile.log" "$BUILD/logs/boot-defect.log"
step "page: comparison" "$BUILD/tools/pmucheck" compare --format=html --output="$BUILD/logs/compare.html" \
    "$BUILD/logs/boot-bios-cd.log" "$BUILD/logs/boot-every-profile.log"
step "page: in a browser" tools/check/page.sh "$BUILD/logs/compare.html" "$BUILD/logs/compare.png"
step "profile: from a log and back" tools/check/profile.sh haswell
step "image: menu entries and pmucheck.cfg" tools/check/menu.sh
tools/check/media.sh | steps "media: {}" tools/check/media.sh '{}'
step "hang: one CPU names the access" tools/check/hang.sh
step "stall: a reader that pauses loses nothing" tools/check/stall.sh
step "flip: GRUB refuses a damaged kernel" tools/check/flip.sh 2
GRUB_LOOKS=0 step "flip: a damaged kernel that GRUB let through never passes" tools/check/flip.sh 6
step "previous: a run that hung is told after a reset, BIOS" tools/check/previous.sh
step "previous: a run that hung is told after a reset, UEFI" tools/check/previous.sh --uefi
tools/check/fault-case.sh | steps "fault: {}" tools/check/fault-case.sh '{}'
# A twelfth of the broken machines, another one with each commit; `make torture` has all.
tools/check/torture.sh $(($(git rev-list --count HEAD 2>/dev/null || echo 0) % 12 + 1))/12 |
    steps "torture: {}" tools/check/torture-case.sh '{}'
tools/check/reset-case.sh | steps "reset: {}" tools/check/reset-case.sh '{}'
step "linux: a sample of what perf and rr do" env PARTS=sample LOG="$BUILD/logs/linux-sample.log" tools/linux.sh
step "unasked: NMIs, machine checks, late PMIs are told" tools/check/unasked.sh
tools/check/codes.sh | steps "QR codes: {}" tools/check/codes.sh '{}'
step "adopted: what a good machine showed accuses a bad one" tools/check/adopted.sh

step "steady: load changes no line of a log" tools/check/steady.sh

# Each takes all cores.
# The whole of both proofs takes longer than all else: each commit has another tenth of the deviations, `make prove` all.
SHARE=$(($(git rev-list --count HEAD 2>/dev/null || echo 0) % 10 + 1))/10
export SHARE
step "prove: every defect is caught, share $SHARE" tools/proof/prove.sh prove
step "prove: no variation fails, share $SHARE" tools/proof/prove.sh prove-benign

# ---- Sum

tools/check/sum.sh "$started"
