# SPDX-License-Identifier: BSD-2-Clause
"""Tests that lie (tools/check/boot/lies/lies.c), one for each register that can be written, on profiles that together
have all these registers. Each test must leave its register changed, the harness must report it by name and value, and
the next test must find the register restored. An interrupt that nobody waits for must be reported with the test, a
STATUS bit that cannot be cleared must ask for review, and a test that sleeps for ever must be an error that says so.
Would catch changes that a test can leave behind unseen. The row's options are those of the long boot."""

import re

from runner import serial

STUCK = "# REVIEW IA32_PERF_GLOBAL_STATUS=0x[0-9a-f]*: cleared after the test, and still set"
ASLEEP = r"^not ok 1 endless.sleep # ERROR slept in HLT, and no interrupt came, in sleep_for_ever\+"
STRAY = r"# stray .* in=lies\.stray_interrupt vector=0x70 count=1 "
LEAST = 100  # lies, on all profiles

# These may show nothing: registers that point to areas of the test, which the harness releases; registers that count by
# themselves; registers that only clear bits.
MAY_SHOW_NOTHING = {"lies." + name for name in (
    "ds_area", "netburst_ds_area", "pebs_base", "pebs_index", "rtit_output", "rtit_pointers", "perf_metrics",
    "global_status", "status_reset")}
SILENT = ("cleared", "handed-back", "stray")  # no report of these
WORDS = {"unmasked": "the test left LVTPC unmasked", "priority": "the test left the task priority raised"}


def boot(trial, options, cpus=1):
    trial.run(MEDIUM="kernel", IMAGE=f"{trial.build}/pmucheck-lies.elf", CPUS=cpus, SILENCE=300, OPTIONS=options)


def lies(lines):
    """(test, line of its result, what it said that it left) for each lie that was tried."""
    said = {}
    for line in map(str.strip, lines):
        if line.startswith("# lie "):
            said = dict(word.partition("=")[::2] for word in line.split()[2:])
        elif found := re.match(r"(?:not )?ok [0-9]+ (lies\.\S+)", line):
            yield found[1], line, said
            said = {}


def fault(test, line, said):
    """What is wrong with a lie's result; empty: nothing."""
    early, want = test == "lies.ended_early", said.get("expect")
    if not said:
        return f"printed no line about what it left: {line}"
    if not early and want in SILENT:
        return "" if line.startswith("ok") else f"expected no report of {said.get('reg')}: {line}"
    left = WORDS.get(want, f"the test left {said.get('reg')}={said.get('value')}")
    text = "ended early, of its own" if early else left
    return "" if f"# ERROR {text}" in line else f'expected "{text}": {line}'


def expect_told(trial):
    """Each lie is told, each kind of lie is shown somewhere, and all stray interrupts are reported."""
    met, tried, sent = {}, 0, 0
    for test, line, said in lies(trial.lines()):
        if " # SKIP " in line:
            if " # SKIP signature=" in line:
                met.setdefault(test, 0)
            continue
        met[test] = met.get(test, 0) + 1
        tried, sent = tried + 1, sent + (said.get("expect") == "stray")
        if wrong := fault(test, line, said):
            trial.wrong(f"{test}: {wrong}")
    for test in set(met) - MAY_SHOW_NOTHING:
        if not met[test]:
            trial.wrong(f"{test}: could not leave its register changed on any of these CPUs")
    strays = len(serial.matching(trial.lines(), "^ *" + STRAY))
    if not sent or strays != sent:
        trial.wrong(f"reported {strays} stray interrupts of {sent}")
    if tried < LEAST:
        trial.wrong(f"no more than {tried} lies")
    print(f"{tried} lies of {len(set(met) - MAY_SHOW_NOTHING)} kinds")


def try_case(trial):
    trial.call("make", "--no-print-directory", "-s", "lies")
    boot(trial, "reference=skylake run=lies.stuck_status defect=status-bit-stays quick")
    trial.expect_lines([STUCK])
    for cpus in (1, 2):
        boot(trial, "reference=skylake run=endless.sleep quick", cpus)
        trial.expect_lines([ASLEEP])
    boot(trial, trial.case.options)
    expect_told(trial)
