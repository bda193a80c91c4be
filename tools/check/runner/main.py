# SPDX-License-Identifier: BSD-2-Clause
"""The commands: make test, make check, all cases of a kind, one case."""

import argparse
import fnmatch
import glob
import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile

from . import choose, job, results, table, tree, trial

RUN = "tools/check/run.py"


def build():
    return os.environ.get("BUILD", "build")


def jobs():
    """JOBS: how many steps at once."""
    told = os.environ.get("JOBS", "2")
    if not told.isdigit() or int(told) < 1:
        sys.exit(f"JOBS={told}: it must be a number from 1 on")
    return int(told)


def whole():
    return os.environ.get("WHOLE", "") == "1"


# ---- One case, in this process


def kinds():
    """Files of kinds, by name: those of tools/check/kinds, and the wings'."""
    found = glob.glob("tools/check/kinds/[a-z]*.py") + glob.glob("*/test/kinds/[a-z]*.py")
    return {os.path.basename(path)[:-3]: path for path in sorted(found)}


def kind(name):
    """The module of a kind."""
    sys.path.insert(1, os.path.dirname(kinds()[name]))  # kinds of one wing may use each other
    spec = importlib.util.spec_from_file_location(f"kind_{name}", kinds()[name])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def interrupted(number, _):
    raise SystemExit(128 + number)


def try_one(case):
    """Tries a case. Its exit status."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    if case.kind == "command":
        words = choose.command(case, build(), True)
        return subprocess.run(["sh", "-c", words], check=False).returncode
    with tempfile.TemporaryDirectory() as work:
        one = trial.Trial(case, build(), work)
        try:
            kind(case.kind).try_case(one)
        except trial.Skip as skip:
            print(skip)
            return results.SKIPPED
        except trial.Wrong as wrong:
            one.wrong(str(wrong))
        return 1 if one.problems else 0


# ---- Many, each in a process of its own


def plain(title):
    """A title as a file's name."""
    return re.sub(r"[^A-Za-z0-9.-]", "_", title)


def log_of(case):
    return f"{build()}/logs/{plain(case.title)}.txt"


def passed(case):
    """The file whose age says when the case's program passed last."""
    return f"{build()}/passed/{plain(case.title)}"


def age(path):
    """When a file was written; 0: there is none."""
    return os.path.getmtime(path) if os.path.exists(path) else 0


def is_passed(case):
    """Has nothing that the case looks at changed since it passed?"""
    if case.files:
        return not files_of(case, again=False)
    return bool(case.program) and age(passed(case)) > age(case.program.replace("{build}", build()))


def files_of(case, again):
    """The paths that a case looks at; again: also those that it passed before."""
    since = 0 if again else age(passed(case))
    return [path for path in tree.files() if re.search(case.files, path) and age(path) > since]


def list_of(case, again):
    """The same as a file."""
    path = passed(case) + ".files"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(name + "\n" for name in files_of(case, again))
    return path


def words_of(case, everything, cases, again):
    if case.kind == "command":
        words = choose.command(case, build(), everything, cases)
        return ["sh", "-c", words.replace("{files}", list_of(case, again)) if case.files else words]
    return [sys.executable, RUN, "--here", case.label, case.name]


def starter(case, everything, cases, settings, again):
    environment = {**os.environ, "BUILD": build(), "JOBS": str(jobs()), **settings}
    return lambda: job.Job(case, words_of(case, everything, cases, again), log_of(case), environment, case.limit)


def run(cases, name, everything, settings, remarks=(), again=True, say=False):
    """Runs cases by their phases; again: also those whose program has passed; say: with the last lines of their output.
    Their results, and did all pass?"""
    found = results.Results(f"{build()}/logs", name, say)
    os.makedirs(found.folder, exist_ok=True)

    def ended(one, status):
        found.add(one.step.title, status, one.seconds, one.log, one.processor)
        if status == 0 and (one.step.program or one.step.files):
            os.makedirs(os.path.dirname(passed(one.step)), exist_ok=True)
            with open(passed(one.step), "w", encoding="ascii"):
                pass
            os.utime(passed(one.step), (one.began, one.began))

    for phase in table.PHASES:
        steps = [case for case in choose.in_order(cases) if case.phase == phase and (again or not is_passed(case))]
        job.run_all([starter(case, everything, cases, settings, again) for case in steps], jobs()
                    if phase == "main" else 1, ended)
    return found, found.end(remarks)


def test(cases):
    """make test: a share, or with WHOLE=1 everything."""
    chosen, left = choose.of_test(cases, whole())
    mine = sum(choose.touched(case) for case in chosen)
    remarks = [choose.left_out(left)] if left else []
    if mine and not whole():
        remarks.insert(0, f"{mine} steps because of {len(tree.changed())} changed files")
    # No step is done by halves: WHOLE=1 has it look at all files, at each of many that are alike.
    found, good = run(chosen, "test", whole(), {"WHOLE": "1", "INSTALL": "no"}, remarks)
    commit = subprocess.run(["tools/version.sh", "--commit"], stdout=subprocess.PIPE,
                            check=False).stdout.decode().strip()
    with open(f"{found.folder}/test.txt", "w", encoding="ascii") as file:  # tools/release.sh asks for it
        file.write(f"commit={commit} {found.total()}\n")
    return good


def of_check(cases):
    return [case for case in cases if case.check]


def check(cases):
    """make check: what catches most mistakes, on what changed since it last passed, also by its own builds."""
    return run(of_check(cases), "check", whole(), {"INSTALL": "no"}, again=whole())[1]


def several(cases, label, everything):
    return run(cases, re.sub("[^A-Za-z0-9-]", "-", label), everything, {}, say=True)[1]


def picked(cases, told, names):
    """The cases of labels with "+" between them, with these names or patterns; stops if there are none."""
    labels = sorted({case.label or "command" for case in cases})
    for label in told.split("+"):
        if label not in labels:
            sys.exit(f"{label}: there is no such kind of case; there are test, check, {', '.join(labels)}. A row "
                     f"without a kind of its own is one of command: {RUN} command --list")
    here = [case for case in cases if (case.label or "command") in told.split("+")]
    for name in names:
        if not any(fnmatch.fnmatchcase(case.name, name) for case in here):
            sys.exit(f"{name}: no such case of {told}; {RUN} {told} --list lists them")
    return [case for case in here if not names or any(fnmatch.fnmatchcase(case.name, name) for name in names)]


def arguments():
    parser = argparse.ArgumentParser(prog=RUN, description="Runs checks. Variables: BUILD, JOBS (at once), WHOLE=1 "
                                     "(nothing is left out).")
    parser.add_argument("what", help="test, check, or a kind of case: boot, torture, command, ...")
    parser.add_argument("name", nargs="*", help="cases of that kind, also by patterns; none: all")
    parser.add_argument("--list", action="store_true", help="only lists what would run")
    parser.add_argument("--here", action="store_true", help="one case, with its output here")
    return parser.parse_intermixed_args()


def main():
    told = arguments()
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGHUP, interrupted)
    try:
        cases = table.read_all()
        for case in cases:
            if case.kind != "command" and case.kind not in kinds():
                raise table.Wrong(f"{case.table}: @kind {case.kind}: there are command, {', '.join(kinds())}")
    except table.Wrong as wrong:
        sys.exit(str(wrong))
    if told.what in ("test", "check") and told.name:
        sys.exit(f"{RUN} {told.what} takes no names of cases")
    if told.list and told.what in ("test", "check"):
        now = [case for case in of_check(cases) if whole() or not is_passed(case)]
        chosen, left = choose.of_test(cases, whole()) if told.what == "test" else (now, [])
        print("\n".join([case.title for case in chosen] + ([choose.left_out(left)] if left else [])))
        return 0
    if told.what in ("test", "check"):
        return 0 if (test if told.what == "test" else check)(cases) else 1
    here = picked(cases, told.what, told.name)
    if told.list:
        print("\n".join(case.name for case in here))
        return 0
    if told.here:
        return max(try_one(case) for case in here)
    return 0 if several(here, told.what, True) else 1


def begin():
    """Called by tools/check/run.py."""
    try:
        sys.exit(main())
    except BrokenPipeError:  # who reads a list may have seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("\ninterrupted: nothing is left running", flush=True)
        sys.exit(130)
