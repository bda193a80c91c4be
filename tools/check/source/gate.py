# SPDX-License-Identifier: BSD-2-Clause
"""Ways around the write gate, planted in a copy of the sources."""

import os
import re
import subprocess
import tempfile

OUTSIDE = r"(undefined reference to|undefined symbol:) .?"
TWICE = r"(multiple definition of|duplicate symbol:) .?"
USED = "__attribute__((used)) static "


def asm(function, text, operands=""):
    return f'{USED}void {function}(void)\n{{\n    __asm__ volatile({text}{operands});\n}}\n'


# What one build must refuse: {file: what is appended to it}, and patterns of what the build must say.
WAYS = (
    # Functions that write without asking the gate cannot be called after declaring them by hand.
    ({"tests/gp/halt.c": f"""\
fault_t wrmsr_ungated_try(u32 msr, u64 value);
bool native_wrmsr(u32 msr, u64 value);
fault_t gate_write(u32 msr, u64 value, const char **rule);
fault_t system_write(u32 msr, u64 value, const char **rule);
{USED}void bypass(void)
{{
    const char *rule;
    wrmsr_ungated_try(MSR_MISC_ENABLE, 0);
    native_wrmsr(MSR_MISC_ENABLE, 0);
    gate_write(MSR_MISC_ENABLE, 0, &rule);
    system_write(MSR_MISC_ENABLE, 0, &rule);
}}
"""}, [OUTSIDE + name for name in ("wrmsr_ungated_try", "native_wrmsr", "gate_write", "system_write")]),
    # Nor can another file define the gate's decision, or its number of rows.
    ({"tests/gp/halt.c": """\
const char *system_refuses(const void *write);
const char *system_refuses(const void *write)
{
    return write ? "none" : NULL;
}
const unsigned register_row_count = 1;
"""}, [TWICE + name for name in ("system_refuses", "register_row_count")]),
    # The inlined instruction is for the two gates only.
    ({"tests/gp/halt.c": f"""\
#include "kernel/register/wrmsr.h"
{USED}fault_t inlined(void)
{{
    return wrmsr_instruction(MSR_MISC_ENABLE, 0);
}}
"""}, [r"WRMSR in inlined\(\) of tests/gp/halt\.c"]),
    # A WRMSR is found however it is spelled, and also in a function whose name is allowed in another file.
    ({"pmu/sampling/branch_record.c": asm(
        "bypass", r'"mov $0x1a0, %%ecx\n xor %%eax, %%eax\n xor %%edx, %%edx\n wrmsr"', ' : : : "eax", "ecx", "edx"'),
      "tests/pebs/clear-enable.c": asm("bypass", '".byte 0x0f, 0x30"', ' : : "a"(0), "c"(MSR_MISC_ENABLE), "d"(0)'),
      "pmu/run/pmi.c": asm("native_wrmsr", '"wrmsr"', ' : : "a"(0), "c"(MSR_MISC_ENABLE), "d"(0)'),
      "tests/gp/classes.asm": "section .text\nbypass:\n    db 0x0f, 0x30\n    ret\n",
      # An instruction of SVM outside hosting/, where alone it may be.
      "pmu/cpu/caps.c": asm("call_monitor", '"vmmcall"'),
      # A store to the local APIC past its driver, and a counted block that does not ask the gate.
      "tests/gp/halt.c": f"{USED}void past_driver(void)\n{{\n    *(volatile u32 *)0xfee00340ul = 0;\n}}\n",
      "pmu/workload/plain.asm": "section .text\nglobal forgot_run\nforgot_run:\n    wrmsr\n    ret\n"},
     [r"WRMSR in bypass\(\) of pmu/sampling/branch_record\.c", r"WRMSR in bypass\(\) of tests/pebs/clear-enable\.c",
      r"WRMSR in native_wrmsr\(\) of pmu/run/pmi\.c", r"WRMSR in .* of tests/gp/classes\.asm",
      r"WRMSR in forgot_run\(\) .* before the write gate is asked", r"APIC in past_driver\(\) of tests/gp/halt\.c",
      r"SVM in call_monitor\(\) of pmu/cpu/caps\.c"]),
)


def build(copy):
    """(did it succeed, what it said). CURDIR is part of the compiler's flags, and must be the one that the copied
    objects were built with."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES")}
    done = subprocess.run(["make", "-s", "-C", copy, f"CURDIR={os.getcwd()}", "BUILD=build", "COMMIT=none", "kernel"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False)
    return done.returncode == 0, done.stdout.decode("latin-1")


def refused(copy, plants, patterns):
    """The build must fail and say all this; then the plants are removed."""
    before = {}
    for path, text in plants.items():
        with open(f"{copy}/{path}", "r+", encoding="latin-1") as file:
            before[path] = file.read()
            file.write(text)
    good, told = build(copy)
    if good:
        yield f"the build did not fail: {patterns}"
    for pattern in patterns:
        found = re.search(pattern, told)
        print(found[0] if found else told[-500:], flush=True)
        if not found:
            yield f"the build did not report: {pattern}"
    for kernel in ("pmucheck", "pmucheck-host"):
        if os.path.exists(f"{copy}/build/{kernel}.elf"):
            yield f"{kernel}.elf was left behind"
    for path, text in before.items():
        with open(f"{copy}/{path}", "w", encoding="latin-1") as file:
            file.write(text)


def bypass(tree):
    """The build of the kernel fails for ways around the write gate and names each of them, while the unchanged copy
    builds. The copy takes the built files along, so that a plant only compiles its own file and links."""
    with tempfile.TemporaryDirectory() as copy:
        subprocess.run(["tools/check/copy-tree.sh", copy], check=True)
        os.mkdir(f"{copy}/build")
        subprocess.run(f"tar -C '{tree.build}' -cf - dependencies obj gen tools | tar -C '{copy}/build' -xf -",
                       shell=True, check=True)
        good, told = build(copy)
        if not good:
            yield f"the unchanged copy does not build: {told[-2000:]}"
            return
        for kernel in ("pmucheck", "pmucheck-host"):
            os.remove(f"{copy}/build/{kernel}.elf")
        for plants, patterns in WAYS:
            yield from refused(copy, plants, patterns)
