#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs all checks: builds, static checks, host tests, fuzzing for seconds, reproducibility, boots in QEMU, proofs.
# Prints one line a step; the last line counts them. Called by `make test`.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
FUZZ_SECONDS=${FUZZ_SECONDS:-3}         ## seconds for each fuzz target; make fuzz takes 300
ROTATE=${ROTATE:-1}                     ## 0: all steps instead of this commit's share of the long ones; takes hours
MAKE="${MAKE:-make} --no-print-directory"
RESULTS=$BUILD/logs/results.txt
WHOLE=1                                 # static checks look at every file, changed or not
export BUILD RESULTS JOBS FUZZ_SECONDS WHOLE
mkdir -p "$BUILD/logs"
: >"$RESULTS"
faults=tests/boot/faults.txt
profiles=$(find reference/model/profiles -name '*.profile' | wc -l)
started=$(date +%s)

step() {
    tools/check/step.sh "$@"
}

# each LABEL COMMAND: prints a line for tools/check/steps.sh for each name on standard input, which completes the
# command.
each() {
    while IFS= read -r name; do
        echo "$1: $name|$2$name"
    done
}

built() {
    find "$BUILD/$1" -maxdepth 1 -type f -executable 2>/dev/null | LC_ALL=C sort | sed 's,.*/,,'
}

# share N: prints K/N, this commit's share of work that is too much for every commit.
commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
share() {
    [ "$ROTATE" = 1 ] && echo "$((commits % $1 + 1))/$1" || echo 1/1
}

# rotating N [NAME]...: prints this commit's N-th part of the names or steps on standard input, and always the given
# names.
rotating() {
    part=$(share "$1")
    shift
    awk -v k="${part%/*}" -v n="${part#*/}" -v always=" $* " 'index(always, " " $1 " ") || NR % n == k % n'
}

# its_turn K/N: true for each N-th commit, for steps that take too long for every commit.
its_turn() {
    [ "$ROTATE" != 1 ] || [ "$(share "${1#*/}")" = "$1" ]
}

# shellcheck source=hosting/test/steps.sh
[ ! -d hosting ] || . hosting/test/steps.sh

# ---- Packages for the steps below, which install nothing themselves, because several run at once.

step "packages" tools/dependencies.sh test
export INSTALL=no

# ---- Builds

# shellcheck disable=SC2046,SC2086 # commands with their options, and lists of names
{
    step "build: image and tools" $MAKE -j "$JOBS" all netboot
    step "build: the model's library" $MAKE -j "$JOBS" model
    [ ! -d hosting ] || hosting_builds
    step "build: host tests" $MAKE -k -j "$JOBS" host-tests
    step "build: fuzz targets" $MAKE -k -j "$JOBS" $(make -s print-FUZZ_TARGETS | tr ' ' '\n' | rotating 3)
    ! its_turn 2/3 || step "build: clang and lld" $MAKE -j "$JOBS" iso BUILD="$BUILD/clang" CC=clang LD=ld.lld
    ! its_turn 1/3 || step "build: packages" $MAKE deb
}
# Builds everything two more times.
! its_turn 1/5 || step "images: same bytes from another directory" tools/check/source/reproducible.sh

# ---- Steps that need only the builds

# Of the longest steps each commit runs another share: of the proofs, in which CPUs take turns on one core; of the
# profiles, boots, loaders, screens and hosted kernels; the image hosted on itself with one profile, and a normal run of
# that profile; of the broken machines. `make prove`, `make self`, `make torture` and tools/check/boot/each.sh normal
# run all of them.
{
    cat <<STEPS
prove: every defect is caught, share $(share 40)|PARTS=1 SHARE=$(share 40) reference/proof/prove.sh prove
prove: no variation fails, share $(share 60)|PARTS=1 SHARE=$(share 60) reference/proof/prove.sh prove-benign
prove: errata excuse what mimics them, share $(share 60)|PARTS=1 SHARE=$(share 60) reference/proof/prove.sh prove-excuses
profiles: each, quick, share $(share 4)|tools/check/boot/profiles.sh $(share 4)
STEPS
    tools/check/case/boot.sh | rotating 4 bios-cd bios-usb uefi-cd no-pmu defect | each boot 'tools/check/case/boot.sh '
    [ ! -d hosting ] || hosting_steps
    tools/check/boot/each.sh "$(share "$profiles")" | each normal 'tools/check/boot/each.sh normal '
    tools/check/boot/codes.sh | rotating 3 | each "QR codes" 'tools/check/boot/codes.sh '
    rotating 3 <<STEPS
unasked: NMIs, machine checks, late PMIs are told|tools/check/boot/unasked.sh
build: by an ordinary user|tools/check/program/ordinary.sh
check: no way around the write gate|tools/check/source/bypass.sh
lies: what a test leaves changed is told, by name and value|tools/check/boot/lies.sh
lies: what the stepper miscounts is told by its self-proof|tools/check/boot/stepper-lies.sh
hang: one CPU names the access|tools/check/boot/hang.sh
without: the instrument builds and boots without the reference PMU|tools/check/boot/without.sh
profile: from a log and back|tools/check/boot/profile.sh haswell
image: menu entries and pmucheck.cfg|tools/check/boot/menu.sh
stall: a reader that pauses loses nothing|tools/check/boot/stall.sh
flip: GRUB refuses a damaged kernel|JOBS=1 tools/check/boot/flip.sh 2
flip: a damaged kernel that GRUB let through never passes|GRUB_LOOKS=0 JOBS=1 tools/check/boot/flip.sh 6
repair: a damaged GRUB starts, CD|tools/check/boot/repair.sh iso
repair: a damaged GRUB starts, stick|tools/check/boot/repair.sh img
previous: a run that hung is told after a reset, BIOS|tools/check/boot/previous.sh
previous: a run that hung is told after a reset, UEFI|tools/check/boot/previous.sh --uefi
STEPS
    ! its_turn 2/3 || echo "boot: built by clang|IMAGE=$BUILD/clang/pmucheck.iso LOG=$BUILD/logs/boot-clang.log tools/check/case/boot.sh bios-cd"
    ! its_turn 2/3 || echo "host tests: as many assertions on another machine|tools/check/host-kinds.sh"
    ! its_turn 1/3 || echo "packages: installed and used in a clean root|tools/check/program/deb.sh"
    ! its_turn 1/6 || echo "Debian 12: the image in a clean root|tools/check/program/anywhere.sh bookworm"
    ! its_turn 3/6 || echo "Debian 13: the image in a clean root|tools/check/program/anywhere.sh trixie"
    ! its_turn 11/30 || echo "Debian 13: everything in a clean root|tools/check/program/anywhere.sh trixie whole"
    ! its_turn 2/4 || echo "proven: a machine's own log is the same after a proof|tools/check/boot/proven.sh"
    tools/check/case/reset.sh | rotating 4 | each reset 'tools/check/case/reset.sh '
    tools/check/case/microcode.sh | rotating 3 | each microcode 'tools/check/case/microcode.sh '
    CASES=$faults tools/check/case/torture.sh | each fault "CASES=$faults tools/check/case/torture.sh "
    tools/check/boot/loader.sh | rotating 2 | each loader 'tools/check/boot/loader.sh '
    tools/check/boot/firmware.sh | rotating 2 | each firmware 'tools/check/boot/firmware.sh '
    tools/check/boot/media.sh | rotating 2 | each media 'tools/check/boot/media.sh '
    tools/check/case/screen.sh | rotating 2 | each screen 'tools/check/case/screen.sh '
    tools/check/case/bochs.sh | rotating 4 | each Bochs 'tools/check/case/bochs.sh '
    tools/check/qemu-next.sh | rotating 12 skylake-2 | each next 'tools/check/qemu-next.sh '
    built fuzz | each fuzz 'tools/fuzz.sh '
    built host | each host "$BUILD/host/"
    tools/check/boot/torture.sh "$(share 20)" | each torture 'tools/check/case/torture.sh '
    cat tools/check/static.txt
    echo "check: dead functions|tools/check/source/dead.sh"
    echo "check: forms and jobs of the public host|tools/check/source/workflow.sh"
    echo "check: commands for editors|tools/check/source/compile-commands.sh"
} | tools/check/steps.sh

# ---- The host program, on the logs of some boots

step "program: its pages" tools/check/program/manual.sh
step "program: every command" tools/check/program/program.sh "$BUILD/logs/boot-bios-cd.log"
step "program: a guest on this machine's PMU" tools/check/program/standin.sh "$BUILD/logs/boot-bios-cd.log"
step "program: static, in an empty root" sh -c "${MAKE:-make} -s static && tools/check/program/static.sh $BUILD/logs/boot-bios-cd.log"
step "program: installed for all" tools/check/program/install.sh
step "download page" sh -c "${MAKE:-make} -s static netboot && tools/check/program/download.sh"
step "program: fleets" env MANY=3000 tools/check/program/fleet.sh "$BUILD/logs/profiles.log" "$BUILD/logs/boot-defect.log"
step "page: comparison" "$BUILD/tools/pmucheck" compare --format=html --output="$BUILD/logs/compare.html" \
    "$BUILD/logs/boot-bios-cd.log" "$BUILD/logs/profiles.log"
step "page: in a browser" tools/check/program/page.sh "$BUILD/logs/compare.html" "$BUILD/logs/compare.png"

# ---- A step that takes all cores

step "steady: load changes no line of a log" tools/check/boot/steady.sh

# ---- Sum

sum=$(tools/check/sum.sh "$started")
status=$?
echo "$sum"
# tools/release.sh asks for it.
echo "commit=$(tools/version.sh --commit) $(echo "$sum" | tail -n 1)" >"$BUILD/logs/test.txt"
exit $status
