# SPDX-License-Identifier: BSD-2-Clause
"""The whole proof of one commit, in as many nights as it takes. ROWS are what is asked; each is done in shares, of
which each is one boot of the image, or one program that plays walks without it. build/nightly/COMMIT-IMAGE/ has a copy
of the image, the log of each share and what was read in it; a share that came to its end there is not made again,
unless its .json is removed. build/nightly.md tells how far it is, and what failed.

NIGHTLY_MINUTES: then no further share begins, and those that run come to their end; the next call goes on. JOBS: how
many QEMUs at once. SOAK_MINUTES: of each soak. First comes one share of everything, in an order that the commit
draws."""

import collections
import fcntl
import functools
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import time

from runner import job, serial, table, trial

from . import base, parts

PAGE = f"{base.BUILD}/nightly.md"
LIMIT = 6 * 3600  # seconds for one share; a hang ends sooner, by its silence
MANY = 4  # profiles that have many walks; the commit draws them
WALKS = 25000  # in one share, of two CPUs together
FAILED = re.compile(r"not ok \d+ (\S+)|# soak test=(\S+) .* failures=[1-9]")
SETTINGS = {"REFERENCE": "", "SUMMARY": 0, "SILENCE": 900}  # while one thread of a NetBurst core walks

# on: "proof" (the profiles are the proof's own choice), "profile" (each), "many" (some), or a kind of the tables of
# cases, whose rows have options of their own. times: shares of each of them. ends: right verdicts. program: of the
# build machine, in place of a boot; it prints "PROFILE: silent" if there was no difference.
Row = collections.namedtuple("Row", "name asked on times options steady ends program", defaults=(1, ("pass",), ""))
ROWS = (
    Row("prove", "each defect is caught, each check can fail", "proof", 12, "prove={k}/{n}"),
    Row("prove-benign", "no variation fails", "proof", 12, "prove-benign={k}/{n}"),
    Row("prove-excuses", "no erratum excuses too much", "proof", 12, "prove-excuses={k}/{n}"),
    Row("defects", "each defect, up to what catches it", "profile", 12, "reference={on} prove={k}/{n} failfast"),
    Row("variations", "each that is legal there", "profile", 8, "reference={on} prove-benign={k}/{n}"),
    Row("runs", "normal runs, all repeats", "normal", 5, "", 0),
    Row("soak", "{minutes} minutes", "profile", 1, "reference={on} soak={minutes}", 0),
    Row("walks", "{walks} walks", "profile", 4, "reference={on} lockstep={seed}:{each}", 0, ("pass", "untested")),
    Row("more-walks", "{walks} walks", "many", 36, "reference={on} lockstep={seed}:{each}", 0, ("pass", "untested")),
    Row("native-walks", "1000000 walks of the model itself, 200000 beside the core's other thread", "profile", 1,
        "-g -w 1000000 {on}", program=f"{base.BUILD}/plain/host/noticed"),
    Row("corpus", "a quick run of each dumped CPU", "corpus", 1, "", 0),
)
ON = {"proof": "what the proof chooses", "profile": "{} profiles"}
# case: of a table, or None
Share = collections.namedtuple("Share", "row on name part options ends case", defaults=(None,))
# end: it came to its end; failed: names; good: results that are as they should be; open: defects that nothing caught,
# where no whole proof shows them
Found = collections.namedtuple("Found", "end failed good open seconds")


def drawn(head, text):
    """A number that the head and the text decide."""
    return int(hashlib.sha256(f"{head} {text}".encode()).hexdigest()[:7], 16)


def places(row, head):
    """(name, its case) of all that the row is on."""
    profiles = table.profiles()
    known = {"proof": ["all"], "profile": profiles, "many": sorted(profiles, key=lambda one: drawn(head, one))[:MANY]}
    if row.on in known:
        return [(name, None) for name in known[row.on]]
    return [(case.name, case) for case in table.read_all() if case.label == row.on]


def shares_of(row, head):
    for on, case in places(row, head):
        for k in range(1, row.times + 1):
            name = f"{row.name}-{on}-{k}"
            options = case.options if case else row.options.format(
                on=on, k=k, n=row.times, seed=drawn(head, name), each=WALKS // 2,
                minutes=base.setting("SOAK_MINUTES", 20))
            yield Share(row, on, name, (k - 1) / row.times, options, tuple(case.ends) if case else row.ends, case)


def boot(share, log, image):
    """(words, environment) of a share's boot, or of its program."""
    if share.row.program:
        name = kept(os.path.dirname(image), share.row.program)
        return ["sh", "-c", f"{' '.join([*base.NICE, name, share.options])} >{log}"], dict(os.environ)
    cpus = share.case.words()[0].get("cpus", 2) if share.case else 2
    told = {**SETTINGS, "CPUS": cpus, "STEADY": share.row.steady, "OPTIONS": share.options, "LOG": log, "IMAGE": image}
    return [*base.NICE, "tools/run.sh"], {**os.environ, **{name: str(value) for name, value in told.items()}}


def read(share, log, status, head, seconds):
    """What a share's log says."""
    lines = serial.lines_of(log)
    if share.row.program:
        good = [line for line in lines if line == f"{share.on}: silent"]
        return Found(status == 0, [] if good else ["".join(lines)[-200:] or f"status {status}"], len(good), 0, seconds)
    of = [line.partition("commit=")[2].split()[0] for line in serial.matching(lines[:20], "^# pmucheck .*commit=")]
    end, verdict = bool(serial.matching(lines, "^# end ")), trial.VERDICTS.get(status, str(status))
    failed = [match[1] or match[2] for match in map(FAILED.match, lines) if match]
    for pattern in share.case.lines if share.case else ():
        if bool(serial.matching(lines, pattern.removeprefix("!"))) == pattern.startswith("!") and not failed:
            failed.append(f"lines: {pattern}")
    if not end:
        failed.append(f"no end ({verdict})")
    elif of[:1] != [head]:
        failed.append(f"image of commit {' '.join(of) or 'unknown'}")
    elif verdict not in share.ends and not failed:
        failed.append(f"verdict {verdict}")
    good = serial.matching(lines, r"^ok (?!.* # SKIP)")
    return Found(end, failed, len(good), len(serial.matching(lines, "^ok .* # SKIP not caught, where")), seconds)


class Night:
    """All shares of one head, in a folder of its own. how(share, log) is (words, environment) of a share's process;
    at the end of a row, join(row, logs) is what else is wrong with it."""

    def __init__(self, folder, head, shares, how, join=lambda row, logs: []):
        self.folder, self.head, self.how, self.join = folder, head, how, join
        self.shares = sorted(shares, key=lambda share: (share.part, drawn(head, share.name)))
        os.makedirs(folder, exist_ok=True)

    def path(self, share, ending):
        return f"{self.folder}/{share.name}.{ending}"

    def found(self, share):
        """None: it was not made, or what was noted is damaged."""
        try:
            with open(self.path(share, "json"), encoding="ascii") as file:
                return Found(**json.load(file))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def left(self):
        found = [(share, self.found(share)) for share in self.shares]
        return [share for share, one in found if not (one and one.end)]

    def start(self, share):
        words, environment = self.how(share, self.path(share, "log"))
        return job.Job(share, words, self.path(share, "run"), environment, LIMIT)

    def ended(self, one, status):
        found = read(one.step, self.path(one.step, "log"), status, self.head, round(one.seconds))
        whole(self.path(one.step, "json"), json.dumps(found._asdict()) + "\n")
        print(f"{'FAIL' if found.failed else 'ok  '} {one.step.name:<36} {found.seconds:5} s  "
              f"{' '.join(found.failed) or f'{found.good} results'}", flush=True)

    def run(self, jobs, go_on):
        job.run_all([functools.partial(self.start, share) for share in self.left()], jobs, self.ended, go_on)

    def row(self, shares):
        """What the page tells of one row: (cells, is it done, failures)."""
        row, made = shares[0].row, [(share, one) for share in shares for one in [self.found(share)] if one]
        done = [share for share, one in made if one.end]
        failed = [f"{share.on}: {name}" for share, one in made for name in one.failed]
        if len(done) == len(shares):
            failed += self.join(row, [self.path(share, "log") for share in sorted(done, key=lambda one: one.part)])
        good, missed = (sum(getattr(one, field) for _, one in made) for field in ("good", "open"))
        on = collections.Counter(share.on for share in shares)
        asked = row.asked.format(walks=WALKS * row.times, minutes=base.setting("SOAK_MINUTES", 20))
        some = ", ".join(sorted(on)) if row.on == "many" else ON.get(row.on, "{} cases of {}").format(len(on), row.on)
        told = f"{good} ok" + (f", {missed} not caught, where no whole proof shows them" if missed else "")
        seconds = sum(one.seconds for _, one in made)
        return [row.name, asked, some, f"{len(done)} of {len(shares)}", told, str(seconds), listed(failed)], \
            len(done) == len(shares), failed

    def tell(self, page, image):
        """Writes the page. (is all done, how many failures)"""
        by_row = {}
        for share in self.shares:
            by_row.setdefault(share.row, []).append(share)
        rows = [self.row(by_row[row]) for row in sorted(by_row, key=lambda row: ROWS.index(row) if row in ROWS else 0)]
        done, failures = all(row[1] for row in rows), sum(len(row[2]) for row in rows)
        head = ["what", "asked", "on", "shares done", "results", "seconds", "failed"]
        lines = ["# The whole proof of a commit", "",
                 f"commit={self.head} image={image} state={'whole' if done else 'not-whole'} failed={failures}", ""]
        lines += ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *(row[0] for row in rows))]
        whole(page, "\n".join(lines) + "\n")
        return done, failures


def listed(failed):
    """Each once, with its number."""
    names = collections.Counter(text.replace("|", "\\|") for text in failed)
    return ", ".join(name if count == 1 else f"{name} ({count} times)" for name, count in names.items()) or "none"


def whole(path, text):
    """Writes a file that is there whole or as it was before, whenever this ends."""
    with open(path + ".new", "w", encoding="ascii", errors="replace") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def joined(row, logs):
    """The parts of a whole proof together, as `make prove` leaves them; what is wrong but single results."""
    return parts.join(row.name, logs, True)[1] if row.on == "proof" else []


def kept(folder, path):
    """The folder's own copy of what was built, so that the tree may go on meanwhile."""
    copy = f"{folder}/{os.path.basename(path)}"
    if not os.path.exists(copy):
        shutil.copy(path, f"{copy}.new")
        os.replace(f"{copy}.new", copy)
    return copy


def alone(folder):
    """Nobody else is at work there, until this process ends."""
    lock = open(f"{folder}/lock", "w", encoding="ascii")  # it stays open
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        sys.exit(f"another `make nightly` is at work in {folder}")
    return lock


def interrupted(*_):
    raise KeyboardInterrupt


def prove():
    minutes, head = base.setting("NIGHTLY_MINUTES", 0.0), base.output("tools/version.sh", "--commit")[0]
    if minutes < 0 or base.JOBS < 1:
        sys.exit("NIGHTLY_MINUTES and JOBS: positive numbers")
    if not re.fullmatch("[0-9a-f]{12}", head):
        sys.exit(f"this tree is {head}: only a commit, without changes in the tree, can be proven")
    os.environ.pop("OPTIONS", None)
    programs = sorted({row.program for row in ROWS if row.program})
    if programs:
        base.must_make(f"{base.LOGS}/nightly-make.log", f"BUILD={base.BUILD}/plain", "SANITIZE=", *programs)
    image = hashlib.sha256(base.bytes_of(f"{base.BUILD}/pmucheck.iso")).hexdigest()
    folder = f"{base.BUILD}/nightly/{head}-{image[:12]}"
    night = Night(folder, head, [share for row in ROWS for share in shares_of(row, head)],
                  lambda share, log: boot(share, log, kept(folder, f"{base.BUILD}/pmucheck.iso")), joined)
    lock = alone(folder)
    for built in [f"{base.BUILD}/pmucheck.iso", *programs]:
        kept(folder, built)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    until, told = time.monotonic() + 60 * minutes, 0
    print(f"{head}: {len(night.shares)} shares, {len(night.left())} of them left", flush=True)
    try:
        night.run(base.JOBS, lambda: not minutes or time.monotonic() < until)
    except KeyboardInterrupt:
        print("interrupted: nothing is left running; `make nightly` goes on", flush=True)
        told = 130
    done, failures = night.tell(PAGE, image)
    lock.close()
    print(f"nightly: {'whole' if done else f'not whole, {len(night.left())} shares left'}, {failures} failed: {PAGE}")
    return 1 if failures else told
