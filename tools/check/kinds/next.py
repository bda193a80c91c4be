# SPDX-License-Identifier: BSD-2-Clause
"""A case with the QEMU and the firmware of another release, Debian 13's, from a root that is made once and kept.
Nothing of this machine's is changed: the firmware is seen in a name space of its own. Would catch what the reference
PMU or a wing takes from one version of the emulator alone.

Words of the machine: accel= added to QEMU's "-accel tcg"; by=KIND, whose case the row is (boot by default), or
case=LABEL:NAME, a case of another table, or program= and what is in its environment. Skipped, with the reason, if
there can be no such root (no root rights, no network)."""

import os
import subprocess

from runner import main, table, trial as trials

RELEASE, PACKAGES = "trixie", "qemu-system-x86 ovmf"
INSIDE = "PMUCHECK_NEXT"
# The first QEMU in PATH starts the root's, with the libraries and the data of the root.
STARTER = """#!/bin/sh
for word; do
    shift
    [ "$word" != tcg ] || word=tcg{accel}
    set -- "$@" "$word"
done
libraries={root}/usr/lib/x86_64-linux-gnu
export QEMU_MODULE_DIR=$libraries/qemu
exec {root}/lib64/ld-linux-x86-64.so.2 --library-path "$libraries" {root}/usr/bin/qemu-system-x86_64 \\
    -L {root}/usr/share/qemu -L {root}/usr/share/seabios "$@"
"""



def root(trial):
    """The path of the kept root."""
    text = trial.call("sh", "-c", f'. tools/check/program/root.sh; kept_root {RELEASE} {PACKAGES} >&2; echo "$root"',
                      want=None)
    if trial.status == 77:
        raise trials.Skip(text.strip().rpartition("\n")[2])
    if trial.status:
        trial.fail(f"no root: {text}")
    return text.strip().rpartition("\n")[2]


def outside(trial):
    """Runs the case again, in a name space with the root's firmware and with the root's QEMU."""
    there, folder = root(trial), f"{trial.work}/bin"
    os.mkdir(folder)
    with open(f"{folder}/qemu-system-x86_64", "w", encoding="ascii") as file:
        file.write(STARTER.format(root=there, accel="," + trial.has["accel"] if "accel" in trial.has else ""))
    os.chmod(file.name, 0o755)
    words = ["unshare", "--mount", "sh", "-c", 'mount --bind "$1" /usr/share/OVMF && shift && exec "$@"', "sh",
             f"{there}/usr/share/OVMF", main.RUN, "--here", trial.case.label, trial.name]
    done = subprocess.run(words, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", INSIDE: "1"}, check=False)
    if done.returncode:
        trial.wrong(f"exit status {done.returncode}")


def inside(trial):
    print(trial.call("qemu-system-x86_64", "--version").split("\n")[0], flush=True)
    if "program" in trial.has:
        print(trial.call(trial.has["program"], LOG=trial.log, **{name: value for name, value in trial.has.items()
                                                                 if name.isupper()}))
        return
    kind = trial.has.get("by", "boot")
    if "case" in trial.has:
        label, _, name = trial.has["case"].partition(":")
        trial.case = next(case for case in table.read_all() if (case.label, case.name) == (label, name))
        kind = trial.case.kind
        trial.has, trial.arguments = trial.case.words()
    main.kind(kind).try_case(trial)


def try_case(trial):
    (inside if os.environ.get(INSIDE) else outside)(trial)
