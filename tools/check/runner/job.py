# SPDX-License-Identifier: BSD-2-Clause
"""Processes: each step is a session of its own, which ends as a whole, at its limit or when the run is interrupted."""

import os
import signal
import subprocess
import time

GRACE = 5  # seconds from the request to end until the end by force
LOOK = 0.05


def members(session):
    """The processes of a session, by /proc."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="latin-1") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(name))
    return found


def send(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def end_session(session):
    """Ends all processes of a session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        until = time.monotonic() + GRACE
        send(members(session), number)
        while members(session) and time.monotonic() < until:
            time.sleep(LOOK)


class Job:
    """A running command; its output goes to a file."""

    def __init__(self, step, words, log, environment, limit):
        self.step, self.log, self.limit = step, log, limit
        os.makedirs(os.path.dirname(log), exist_ok=True)
        self.started, self.began = time.monotonic(), time.time()
        self.processor = 0.0  # seconds of processor time, once it has ended
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment,
                start_new_session=True,
            )

    @property
    def seconds(self):
        return time.monotonic() - self.started

    def end(self):
        """Ends it with all that it has started."""
        end_session(self.process.pid)
        self.process.wait()

    def poll(self):
        """As of the process, and takes in its processor time, with that of the processes that it has waited for."""
        process, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if not process:
            return None
        self.processor = usage.ru_utime + usage.ru_stime
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode

    def status(self):
        """None while it runs, or its exit status; 124: it was ended at its limit."""
        status = self.poll()
        if status is None and self.seconds > self.limit:
            self.end()
            with open(self.log, "a", encoding="utf-8") as output:
                output.write(f"\nended: it took more than {self.limit} s\n")
            return 124
        if status is not None:
            end_session(self.process.pid)  # what it left behind
        return status


def run_all(starters, at_once, ended, go_on=lambda: True):
    """Starts each (a function that makes a Job), so many at once, and calls ended(job, status) for each end; none
    starts once go_on() says no. Whatever interrupts this, no job is left running."""
    waiting, running = list(reversed(list(starters))), []
    try:
        while (waiting and go_on()) or running:
            while waiting and len(running) < at_once and go_on():
                running.append(waiting.pop()())
            for job in list(running):
                status = job.status()
                if status is not None:
                    running.remove(job)
                    ended(job, status)
            time.sleep(LOOK)
    finally:
        for job in running:
            job.end()
