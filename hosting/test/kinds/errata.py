# SPDX-License-Identifier: BSD-2-Clause
"""The image, hosted on several CPUs of one model, whose logs are then compared: would catch an erratum in a wrong
state, and a comparison that does not say what differs between steppings and revisions of microcode.

Words of the machine: profile=; cpus=SIGNATURE:MICROCODE[:DEFECT]+..., of which DEFECT mimics an erratum; erratum=;
states=A+B+...: what each CPU's log must say of it, a pattern or none. The pattern is of the comparison's sentence."""

import os
import re

import hosted
from runner import serial


def profile_of(trial, signature, microcode):
    """The case's profile with another identity: a file."""
    name = trial.has["profile"]
    text = serial.text_of(f"reference/model/profiles/{name}.profile")
    text = re.sub(r"(?m)^(signature +)[0-9a-f]*", rf"\g<1>{int(signature, 16):08x}", text)
    text = re.sub(r"(?m)^(microcode +)[0-9a-f]*", rf"\g<1>{int(microcode, 16):08x}", text)
    with open(f"{trial.work}/{name}.profile", "w", encoding="latin-1") as file:
        file.write(text)
    return file.name


def host(trial, cpu, state, folder):
    """The hosted image's log on one CPU: a file, in which the erratum has that state."""
    signature, microcode, defect = (cpu.split(":") + [""])[:3]
    identity, erratum = f"{signature}-{microcode}", trial.has["erratum"]
    arguments = f"quick prove-here=off lockstep=off after=poweroff machine={identity} {trial.case.options}"
    end = hosted.host(trial, KERNEL=f"{trial.build}/pmucheck.elf", REFERENCE=profile_of(trial, signature, microcode),
                      OPTIONS=f"defect={defect}" if defect else "", SILENCE=300, ARGS=arguments, CPUS=1, MEMORY=512)
    trial.expect(f"{cpu}: it ends in", end, "off")
    hosted.write_own_log(trial, f"{folder}/{identity}.log")
    lines = trial.lines()
    told = serial.matching(lines, f"^# erratum {erratum} ")
    if bool(told) == (state == "none") or (told and not serial.matching(told, f"state={state}")):
        trial.wrong(f"{identity}: {(told or ['no line about ' + erratum])[0]}, expected {state}")
    if not serial.matching(hosted.own_log(lines), "^# run pmu=hardware"):
        trial.wrong(f"{identity}: its PMU is no hardware")
    return f"{folder}/{identity}.log"


def try_case(trial):
    folder = trial.log[: -len(".log")]
    os.makedirs(folder, exist_ok=True)
    logs = [host(trial, cpu, state, folder) for cpu, state in zip(trial.has["cpus"].split("+"),
                                                                  trial.has["states"].split("+"))]
    # The sentence stands before everything else but the machines, in the text and on the page.
    text = trial.pmucheck("compare", *logs, output=f"{folder}/compare.txt")
    sentence = re.search(r"(?m)^WHAT DIFFERS BETWEEN STEPPINGS(.|\n)*?\n\n", text)
    trial.expect_lines(lines=sentence.group(0).split("\n") if sentence else [])
    trial.pmucheck("compare", "--format=html", "-o", f"{folder}/compare.html", *logs)
    if "What differs between steppings and microcodes" not in serial.text_of(f"{folder}/compare.html"):
        trial.wrong("the page lacks the sentence")
    if not re.search(f"(?m)^  {trial.has['erratum']}", trial.pmucheck("compare", "--chapter=errata", *logs)):
        trial.wrong("compare --chapter=errata lacks the erratum")
