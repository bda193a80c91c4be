#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the image with a stepper that miscounts, once for each row below, in a copy of the sources: the self-proof must
# say so before any test runs, and by the right snippet. The copy takes the built files along, so that a lie only
# compiles its own file and links.
# Would catch a self-proof that does not see what a stepper gets wrong.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
top=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

# name | file of reference/step/trap | editing command of sed, which changes one line | the error's words
lies() {
    cat <<'TABLE'
a site counts twice|emulate.c|/^static enum emulated fall_through/,/^}/s/retire(s, f, kind, rip.*/& retire(s, f, kind, rip, f->cs \& 3, false);/|(cpuid|rdmsr) retired
an STI is lost|step.c|/^static void catch_up/,/^}/s/ retire(s, f, RETIRED_PLAIN.*/ (void)0;/|sti_cli retired
each iteration counts|step.c|/^void step_completed/,/^}/s/if (i->kind == KIND_REP_STRING.*/if (0)/|rep_movs retired
a refused access retires|emulate.c|/^static enum emulated register_access/,/^}/s/ deliver_gp(s, f);/ retire(s, f, RETIRED_PLAIN, f->rip, 0, false); deliver_gp(s, f);/|rdpmc_fault retired
an IRET does not retire|emulate.c|s/return transferred(s, f, return_from_interrupt(s, f), .*/return return_from_interrupt(s, f) ? EMULATED : EMULATED_NOT;/|(loop_fault|iretq) retired
an INT does not retire|emulate.c|s/return transferred(s, f, software_interrupt(s, f, i), .*/return software_interrupt(s, f, i) ? EMULATED : EMULATED_NOT;/|(int_n|int3|rdpmc_user) retired
NMIs are not blocked|step.c|/^static void deliver_pending/,/^}/s/s->nmi_blocked = true;/(void)0;/|an NMI is not held
an interrupt of a sleeping CPU is lost|sleep.c|/^static void wake/,/^}/s/ deliver(s, f, s->vector, 0);/ (void)f;/|does not end the HLT
TABLE
}

tools/check/copy-tree.sh "$copy"
mkdir "$copy/build"
tar -C "$BUILD" -cf - dependencies obj gen tools | tar -C "$copy/build" -xf -

# CURDIR is part of the compiler's flags, and must be the one that the copied objects were built with.
build() {
    env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES make -s -C "$copy" CURDIR="$top" BUILD=build COMMIT=none \
        build/pmucheck.elf >"$copy/output.txt" 2>&1
}

boot() {
    SUMMARY=0 MEDIUM=kernel IMAGE=$copy/build/pmucheck.elf REFERENCE=skylake CPUS=1 LOG=$copy/log.txt \
        OPTIONS="quick run=enum.leaf-0a" tools/run.sh >/dev/null 2>&1 || true
}

told() {
    file=$copy/reference/step/trap/$2
    cp "$file" "$copy/honest"
    sed -i "$3" "$file"
    if cmp -s "$file" "$copy/honest"; then
        echo "$1: its row changes nothing in $2"
        bad=1
    elif ! build; then
        echo "$1: does not build"
        tail -n 5 "$copy/output.txt"
        bad=1
    else
        boot
        grep -aqE -e "^not ok 1 start # ERROR reference PMU: .*($4)" "$copy/log.txt" || {
            echo "$1: the self-proof does not say so"
            grep -aE '^(not )?ok ' "$copy/log.txt" | head -n 3
            bad=1
        }
    fi
    cp "$copy/honest" "$file"
}

build || { tail -n 5 "$copy/output.txt"; exit 1; }
boot
grep -aq '^ok 1 enum.leaf-0a' "$copy/log.txt" || { echo "the honest stepper fails"; exit 1; }
lies >"$copy/lies"
while IFS='|' read -r name file edit words; do
    told "$name" "$file" "$edit" "$words" </dev/null
done <"$copy/lies"
[ "$bad" = 0 ] || exit 1
echo "each of $(wc -l <"$copy/lies") lies is told"
