#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The nightly proof's own tests, without a boot: a share is a shell command that writes a log."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0:1] = [os.path.dirname(HERE), os.path.join(HERE, "..", "..", "tools", "check")]
os.chdir(os.path.join(HERE, "..", ".."))

from proof import base, nightly  # by the path above
from runner import job, serial, table

HEAD = "0123456789ab"
GOOD = "ok 1 a\nok 2 b # SKIP not caught, where no whole proof shows it\n"
ROW = nightly.Row("row", "{walks} walks", "proof", 3, "x")


class Nightly(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(subprocess.run, ["rm", "-r", self.folder], check=True)
        self.printed = io.StringIO()
        self.kept = contextlib.ExitStack()
        self.addCleanup(self.kept.close)
        self.kept.enter_context(contextlib.redirect_stdout(self.printed))

    def night(self, texts, head=HEAD, joined=()):
        """A row of shares; each writes its text as a log, and its name into `made`. {end}: a log's last line."""
        shares = [nightly.Share(ROW, "all", f"s{n}", n / 9, text, ("pass",)) for n, text in enumerate(texts)]

        def how(share, log):
            text = f"# pmucheck version=1 commit={HEAD}\n{share.options}".replace("{end}", "# end verdict=pass\n")
            words = f"echo {share.name} >>{self.folder}/made; cat >{log} <<'E'\n{text}\nE"
            return ["sh", "-c", words], dict(os.environ)
        return nightly.Night(f"{self.folder}/{head}", head, shares, how, lambda row, logs: list(joined))

    def made(self):
        return serial.text_of(f"{self.folder}/made").split()

    def page(self, night):
        found = night.tell(f"{self.folder}/page", "1a")
        return found, serial.text_of(f"{self.folder}/page")

    def test_goes_on(self):
        night, answers = self.night([GOOD + "{end}"] * 3), iter([True, True, False, False])
        night.run(1, lambda: next(answers, False))
        (done, failures), page = self.page(night)
        self.assertEqual((self.made(), done, failures), (["s0"], False, 0))
        self.assertIn("state=not-whole failed=0", page)
        self.assertIn("| row | 75000 walks | what the proof chooses | 1 of 3 | 1 ok, 1 not caught, where no", page)
        again = self.night([GOOD + "{end}"] * 3)
        again.run(2, lambda: True)
        self.assertEqual(sorted(self.made()), ["s0", "s1", "s2"])
        (done, failures), page = self.page(again)
        self.assertEqual((done, failures), (True, 0))
        self.assertIn(f"commit={HEAD} image=1a state=whole failed=0\n", page)

    def test_failed(self):
        texts = ["not ok 1 bad.one what\n{end}", "# soak test=b.c repeats=3 failures=2\n{end}", "{end}"]
        for _ in range(2):  # it is told again, and not made again
            night = self.night(texts, joined=["a label that no defect fails"])
            night.run(1, lambda: True)
            (done, failures), page = self.page(night)
            self.assertEqual((done, failures, self.made()), (True, 3, ["s0", "s1", "s2"]))
            self.assertIn("| all: bad.one, all: b.c, a label that no defect fails |", page)
        self.assertIn("FAIL s0", self.printed.getvalue())

    def test_without_end(self):
        for times in (1, 2):  # a machine that went down in the middle of a share: again the next time
            night = self.night(["ok 1 a"])
            night.run(1, lambda: True)
            self.assertEqual((self.page(night)[0], self.made()), ((False, 1), ["s0"] * times))
        self.assertIn("no end (pass)", self.page(night)[1])

    def test_damaged(self):
        night = self.night(["{end}"])
        os.makedirs(night.folder, exist_ok=True)
        for text in ("", '{"end": tr', '{"else": 1}', "7"):
            with open(f"{night.folder}/s0.json", "w", encoding="ascii") as file:
                file.write(text)
            self.assertEqual(len(night.left()), 1)
            self.page(night)

    def test_other_head(self):
        self.night(["{end}"]).run(1, lambda: True)
        night = self.night(["{end}"], "ba9876543210")
        night.run(1, lambda: True)
        self.assertEqual(self.made(), ["s0", "s0"])
        self.assertIn(f"image of commit {HEAD}", self.page(night)[1])

    def test_interrupted(self):
        night = self.night(["{end}"] * 2)
        night.how = lambda share, log: (["sh", "-c", "trap '' TERM; sleep 50"], dict(os.environ))
        looks = [None] * 3 + [KeyboardInterrupt] + [None] * 9999999
        with mock.patch.object(job, "GRACE", 0.2), mock.patch.object(job.time, "sleep", side_effect=looks):
            with self.assertRaises(KeyboardInterrupt):
                night.run(2, lambda: True)
        self.assertEqual((len(night.left()), self.page(night)[0]), (2, (False, 0)))

    def test_program(self):
        row = ROW._replace(program="noticed")
        for text, status, failed in (("p: silent", 0, []), ("p: differs walk=7", 0, ["p: differs walk=7"]),
                                     ("", 134, ["status 134"])):
            with open(f"{self.folder}/log", "w", encoding="ascii") as file:
                file.write(text)
            found = nightly.read(nightly.Share(row, "p", "p", 0, "", ()), f"{self.folder}/log", status, HEAD, 1)
            self.assertEqual((found.end, found.failed), (not status, failed))

    def test_status(self):
        with open(f"{self.folder}/pmucheck.iso", "w", encoding="ascii") as file:
            file.write("an image")
        for text, minutes, status, said in (("ok 1 a", "0.000001", 0, "not whole, 3 shares left, 0 failed"),
                                            ("not ok 1 a", "", 1, "whole, 3 failed")):
            row = ROW._replace(options=text + "\n{{end}}")
            how = self.night([]).how
            with mock.patch.multiple(nightly, PAGE=f"{self.folder}/page", ROWS=[row], joined=lambda row, logs: [],
                                     boot=lambda share, log, _: how(share, log)), \
                 mock.patch.multiple(base, BUILD=self.folder, output=lambda *_: [HEAD]), \
                 mock.patch.dict(os.environ, NIGHTLY_MINUTES=minutes):
                self.assertEqual(nightly.prove(), status)
            self.assertIn(f"nightly: {said}", self.printed.getvalue())

    def test_alone(self):
        first = nightly.alone(self.folder)
        with self.assertRaisesRegex(SystemExit, "another"):
            nightly.alone(self.folder)
        first.close()
        nightly.alone(self.folder).close()

    def test_wrong_input(self):
        with mock.patch.dict(os.environ, NIGHTLY_MINUTES="soon"), self.assertRaisesRegex(SystemExit, "MINUTES=soon"):
            nightly.prove()
        with mock.patch.dict(os.environ, NIGHTLY_MINUTES="-1"), self.assertRaisesRegex(SystemExit, "positive"):
            nightly.prove()
        with mock.patch.object(base, "output", lambda *_: [HEAD + "-dirty"]), \
             self.assertRaisesRegex(SystemExit, "only a commit"):
            nightly.prove()

    def test_rows(self):
        shares = [share for row in nightly.ROWS for share in nightly.shares_of(row, HEAD)]
        self.assertEqual(len({share.name for share in shares}), len(shares))
        for name in ("defects", "variations", "runs", "soak", "walks"):
            self.assertEqual({share.on for share in shares if share.row.name == name}, set(table.profiles()), name)
        night = nightly.Night(self.folder, HEAD, shares, nightly.boot)
        self.assertEqual((len(night.left()), self.page(night)[0]), (len(shares), (False, 0)))
        many = next(share.on for share in shares if share.row.on == "many")
        walks = [share for share in shares if share.on == many and "lockstep=" in share.options]
        self.assertEqual(len({share.options for share in walks}), 40)
        self.assertIn("reference=corpus:12/12 quick", [share.options for share in shares])


if __name__ == "__main__":
    unittest.main()
