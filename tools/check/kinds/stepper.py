# SPDX-License-Identifier: BSD-2-Clause
"""The image is built with a stepper that miscounts, once for each lie below: the self-proof must say so before any test
runs, and by the right snippet. Would catch a self-proof that does not see what a stepper gets wrong."""

import re

from runner import copied, serial

FOLDER = "reference/step/trap"
HONEST = "^ok 1 enum.leaf-0a"
SAYS = "^not ok 1 start # ERROR reference PMU: .*"

# Name, file, the function's beginning ("": anywhere), what changes there, its replacement, the error's words.
LIES = (
    ("a site counts twice", "emulate.c", "static enum emulated fall_through", r"(retire\(s, f, kind, rip.*)",
     r"\1 retire(s, f, kind, rip, f->cs & 3, false);", "(cpuid|rdmsr) retired"),
    ("an STI is lost", "step.c", "static void catch_up", r" retire\(s, f, RETIRED_PLAIN.*", " (void)0;",
     "sti_cli retired"),
    ("each iteration counts", "step.c", "void step_completed", r"if \(i->kind == KIND_REP_STRING.*", "if (0)",
     "rep_movs retired"),
    ("a refused access retires", "emulate.c", "static enum emulated register_access", r" (deliver_gp\(s, f\);)",
     r" retire(s, f, RETIRED_PLAIN, f->rip, 0, false); \1", "rdpmc_fault retired"),
    ("an IRET does not retire", "emulate.c", "", r"return transferred\(s, f, return_from_interrupt\(s, f\), .*",
     "return return_from_interrupt(s, f) ? EMULATED : EMULATED_NOT;", "(loop_fault|iretq) retired"),
    ("an INT does not retire", "emulate.c", "", r"return transferred\(s, f, software_interrupt\(s, f, i\), .*",
     "return software_interrupt(s, f, i) ? EMULATED : EMULATED_NOT;", "(int_n|int3|rdpmc_user) retired"),
    ("NMIs are not blocked", "step.c", "static void deliver_pending", r"s->nmi_blocked = true;", "(void)0;",
     "an NMI is not held"),
    ("an interrupt of a sleeping CPU is lost", "sleep.c", "static void wake", r" deliver\(s, f, s->vector, 0\);",
     " (void)f;", "does not end the HLT"),
)


def told(text, function, pattern, lie):
    """The text with the lie, in one function if it has a name."""
    within = rf"(?ms)^{re.escape(function)}.*?^\}}" if function else "(?s).*"
    return re.sub(within, lambda found: re.sub(pattern, lie, found[0]), text, count=1)


def boot(trial, copy):
    trial.run(MEDIUM="kernel", IMAGE=f"{copy.folder}/build/pmucheck.elf", REFERENCE="skylake", CPUS=1,
              OPTIONS=trial.case.options)
    return trial.lines()


def try_lie(trial, copy, lie):
    name, file, function, pattern, instead, words = lie
    path = f"{FOLDER}/{file}"
    text = told(copy.text(path), function, pattern, instead)
    if text == copy.text(path):
        trial.wrong(f"{name}: its row changes nothing in {file}")
        return
    with copy.planted({path: text}):
        if not copy.build("build/pmucheck.elf"):
            trial.wrong(f"{name}: does not build: {copy.told[-400:]}")
        elif not serial.matching(boot(trial, copy), f"{SAYS}({words})"):
            trial.wrong(f"{name}: the self-proof does not say so: {serial.matching(trial.lines(), '^(not )?ok ')[:3]}")


def try_case(trial):
    with copied.Copy(trial.build) as copy:
        if not copy.build("build/pmucheck.elf"):
            trial.fail(f"the copy does not build: {copy.told[-400:]}")
        if not serial.matching(boot(trial, copy), HONEST):
            trial.fail("the honest stepper fails")
        for lie in LIES:
            try_lie(trial, copy, lie)
    print(f"{len(LIES)} lies")
