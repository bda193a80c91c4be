#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Plants ways around the write gate in a copy of the sources; the build of the kernel must fail and name each of them,
# while the unchanged copy builds. The copy takes the built files along, so that a plant only compiles its own file and
# links.
# Would catch a rule of source/instructions.sh or of the linker that no longer protects the write gate, or lets an
# instruction of SVM pass.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
top=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' HUP INT TERM
output=$copy/output.txt
bad=0

tools/check/copy-tree.sh "$copy"
mkdir "$copy/build"
tar -C "$BUILD" -cf - dependencies obj gen tools | tar -C "$copy/build" -xf -

# CURDIR is part of the compiler's flags, and must be the one that the copied objects were built with.
build() {
    env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES make -s -C "$copy" CURDIR="$top" BUILD=build COMMIT=none kernel \
        >"$output" 2>&1
}

# plant FILE: appends standard input to it.
plant() {
    [ -e "$copy/$1.original" ] || cp "$copy/$1" "$copy/$1.original"
    cat >>"$copy/$1"
}

# refused NAME...: the build must fail and name each of these; then the plants are removed.
refused() {
    if build; then
        echo "the build did not fail: $*"
        bad=1
    fi
    for words; do
        grep -E -m 1 -e "$words" "$output" || { echo "the build did not report: $words"; tail -n 5 "$output"; bad=1; }
    done
    for kernel in pmucheck pmucheck-host; do
        [ ! -e "$copy/build/$kernel.elf" ] || { echo "$kernel.elf was left behind"; bad=1; }
    done
    find "$copy" -name '*.original' | while read -r file; do
        mv "$file" "${file%.original}"
        touch "${file%.original}"
    done
}

build || { tail -n 5 "$output"; exit 1; }
rm -f "$copy/build/pmucheck.elf" "$copy/build/pmucheck-host.elf"

# Functions that write without asking the gate cannot be called after declaring them by hand.
plant tests/gp/halt.c <<'TEXT'
fault_t wrmsr_ungated_try(u32 msr, u64 value);
bool native_wrmsr(u32 msr, u64 value);
fault_t gate_write(u32 msr, u64 value, const char **rule);
fault_t system_write(u32 msr, u64 value, const char **rule);
__attribute__((used)) static void bypass(void)
{
    const char *rule;
    wrmsr_ungated_try(MSR_MISC_ENABLE, 0);
    native_wrmsr(MSR_MISC_ENABLE, 0);
    gate_write(MSR_MISC_ENABLE, 0, &rule);
    system_write(MSR_MISC_ENABLE, 0, &rule);
}
TEXT
not_there='(undefined reference to|undefined symbol:) .?'
refused "${not_there}wrmsr_ungated_try" "${not_there}native_wrmsr" "${not_there}gate_write" "${not_there}system_write"

# Nor can another file define the gate's decision, or its number of rows.
plant tests/gp/halt.c <<'TEXT'
const char *system_refuses(const void *write);
const char *system_refuses(const void *write)
{
    return write ? "none" : NULL;
}
const unsigned register_row_count = 1;
TEXT
refused '(multiple definition of|duplicate symbol:) .?system_refuses' \
    '(multiple definition of|duplicate symbol:) .?register_row_count'

# The inlined instruction is for the two gates only.
plant tests/gp/halt.c <<'TEXT'
#include "kernel/register/wrmsr.h"
__attribute__((used)) static fault_t inlined(void)
{
    return wrmsr_instruction(MSR_MISC_ENABLE, 0);
}
TEXT
refused 'WRMSR in inlined\(\) of tests/gp/halt\.c'

# A WRMSR is found however it is spelled, and also in a function whose name is allowed in another file.
plant pmu/sampling/branch_record.c <<'TEXT'
__attribute__((used)) static void bypass(void)
{
    __asm__ volatile("mov $0x1a0, %%ecx\n\t"
                     "xor %%eax, %%eax\n\t"
                     "xor %%edx, %%edx\n\t"
                     "wrmsr" : : : "eax", "ecx", "edx");
}
TEXT
plant tests/pebs/clear-enable.c <<'TEXT'
__attribute__((used)) static void bypass(void)
{
    __asm__ volatile(".byte 0x0f, 0x30" : : "a"(0), "c"(MSR_MISC_ENABLE), "d"(0));
}
TEXT
plant pmu/run/pmi.c <<'TEXT'
__attribute__((used)) static void native_wrmsr(void)
{
    __asm__ volatile("wrmsr" : : "a"(0), "c"(MSR_MISC_ENABLE), "d"(0));
}
TEXT
plant tests/gp/classes.asm <<'TEXT'
section .text
bypass:
    db 0x0f, 0x30
    ret
TEXT
# An instruction of SVM outside hosting/, where alone it may be.
plant pmu/cpu/caps.c <<'TEXT'
__attribute__((used)) static void call_monitor(void)
{
    __asm__ volatile("vmmcall");
}
TEXT
# A store to the local APIC past its driver, and a counted block that does not ask the gate.
plant tests/gp/halt.c <<'TEXT'
__attribute__((used)) static void past_driver(void)
{
    *(volatile u32 *)0xfee00340ul = 0;
}
TEXT
plant pmu/workload/plain.asm <<'TEXT'
section .text
global forgot_run
forgot_run:
    wrmsr
    ret
TEXT
refused 'WRMSR in bypass\(\) of pmu/sampling/branch_record\.c' 'WRMSR in bypass\(\) of tests/pebs/clear-enable\.c' \
    'WRMSR in native_wrmsr\(\) of pmu/run/pmi\.c' 'WRMSR in .* of tests/gp/classes\.asm' \
    'WRMSR in forgot_run\(\) .* before the write gate is asked' \
    'APIC in past_driver\(\) of tests/gp/halt\.c' 'SVM in call_monitor\(\) of pmu/cpu/caps\.c'
exit $bad
