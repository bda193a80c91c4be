# SPDX-License-Identifier: BSD-2-Clause
"""Ways around the write gate, planted in a copy of the sources."""

import os
import re

from runner import copied

OUTSIDE = r"(undefined reference to|undefined symbol:) .?"
TWICE = r"(multiple definition of|duplicate symbol:) .?"
KERNELS = ("pmucheck.elf", "pmucheck-host.elf")
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


def refused(copy, plants, patterns):
    """The build must fail and say all this; then the plants are removed."""
    with copy.planted({path: copy.text(path) + text for path, text in plants.items()}):
        if copy.build("kernel"):
            yield f"the build did not fail: {patterns}"
    for pattern in patterns:
        found = re.search(pattern, copy.told)
        print(found[0] if found else copy.told[-500:], flush=True)
        if not found:
            yield f"the build did not report: {pattern}"
    for kernel in KERNELS:
        if os.path.exists(f"{copy.folder}/build/{kernel}"):
            yield f"{kernel} was left behind"


def bypass(tree):
    """The build of the kernel fails for ways around the write gate and names each of them, while the unchanged copy
    builds."""
    with copied.Copy(tree.build) as copy:
        if not copy.build("kernel"):
            yield f"the unchanged copy does not build: {copy.told[-2000:]}"
            return
        for kernel in KERNELS:
            os.remove(f"{copy.folder}/build/{kernel}")
        for plants, patterns in WAYS:
            yield from refused(copy, plants, patterns)
