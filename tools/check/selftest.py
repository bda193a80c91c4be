#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The runner's own tests: tables, choice, processes, results. All its files must compile, too."""

import ast
import contextlib
import glob
import io
import os
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.chdir(os.path.join(HERE, "..", ".."))

from runner import choose, job, results, serial, table, tree

HEAD = "@kind boot\n@machine cpus=2\n@options quick\n@share 2\n@always b\n@concerns kernel\n\n"


def cases_of(text):
    with tempfile.NamedTemporaryFile("w", suffix=".cases") as file:
        file.write(text)
        file.flush()
        return table.read(file.name)


class Tables(unittest.TestCase):
    def test_row(self):
        rows = ("a | uefi -m 5 | | f: x; y | pass/fail | ^a|b && !c\n", "@concerns pmu/gate\n",
                "b | cpus=4 | list | g | |\n")
        one, two = cases_of(HEAD + "".join(rows))
        self.assertEqual(one.words(), ({"cpus": "2", "uefi": "yes"}, ["-m", "5"]))
        self.assertEqual((one.options, one.at, one.change, one.ends), ("quick", "f", "x; y", ["pass", "fail"]))
        self.assertEqual((one.lines, one.always, one.concerns), (["^a|b", "!c"], False, ("kernel",)))
        self.assertEqual((two.words()[0]["cpus"], two.at, two.change, two.always), ("4", "g", "", True))
        self.assertEqual((two.touched_by, one.title), (("pmu/gate",), "boot: a"))

    def test_group(self):
        one, two = cases_of(HEAD + "@share 5\na | | | | |\n\nb | | | | |\n")
        self.assertEqual((one.share, two.share), (5, 2))

    def test_expansion(self):
        self.assertEqual([case.options for case in cases_of(HEAD + "n{1-3} | | o{1-3} | | |\n")], ["o1", "o2", "o3"])
        self.assertIn("skylake", [case.name for case in cases_of(HEAD + "{profile} | | | | |\n")])

    def test_command(self):
        (case,) = cases_of("@kind command\n\na: b | c | d | e\n")
        self.assertEqual((case.title, case.command, case.catches), ("a: b", "c | d", "e"))

    def test_wrong(self):
        for text, words in (
            ("a | b\n", "before @kind"), (HEAD + "a | b\n", "2 columns"), ("@kidn boot\n", "no setting @kidn"),
            ("@kind boot\n@share x\n\na | | | | |\n", "@share x"), ("@kind boot\n@phase x\n\na | | | | |\n",
                                                                    "@phase x"),
        ):
            with self.assertRaisesRegex(table.Wrong, words):
                cases_of(text)

    def test_all(self):
        known = [case.title for case in table.read_all()]
        self.assertEqual(len(known), len(set(known)))


class Choice(unittest.TestCase):
    def of(self, sums, changed=(), whole=False):
        """The names that are chosen and left out, of ten rows and two groups, when the content has these sums."""
        rows = "".join(f"r{number} | | | | |\n" for number in range(9))
        cases = cases_of(HEAD + rows + "b | | | | |\n\n@concerns pmu/gate\n" + "".join(f"g{number} | | | | |\n"
                                                                                       for number in range(9)))
        for case in cases:
            case.table = "t"  # the file's own name is another each time
        content, known = (lambda places: sums[places[0]]), (lambda: set(changed))
        with mock.patch.object(tree, "content", content), mock.patch.object(tree, "changed", known):
            chosen, left = choose.of_test(cases, whole)
        return [case.name for case in chosen], [case.name for case in left]

    def test_share(self):
        chosen, left = self.of({"kernel": 1})
        self.assertEqual((len(chosen) + len(left), "b" in chosen), (19, True))
        self.assertTrue(8 < len(chosen) < 12)

    def test_content_decides(self):
        found = {tuple(self.of({"kernel": number})[0]) for number in range(20)}
        self.assertEqual(len(found), 2)
        self.assertEqual(self.of({"kernel": 7}), self.of({"kernel": 7}))

    def test_touched(self):
        chosen, _ = self.of({"kernel": 1}, ["pmu/gate/gate.c"])
        self.assertEqual(len(chosen), len(self.of({"kernel": 1})[0]) + choose.MORE)

    def test_order(self):
        cases = [table.Case(name, "boot", "", "t", "g", limit=limit, touched_by=(name,), phase=phase)
                 for name, limit, phase in (("a", 1, "main"), ("b", 9, "main"), ("c", 1, "main"), ("d", 1, "build"),
                                            ("e", 9, "build"))]
        with mock.patch.object(tree, "changed", lambda: {"c/file", "e/file"}):
            found = [case.name for case in choose.in_order(cases)]
        self.assertEqual([name for name in found if name in "abc"], ["c", "b", "a"])
        self.assertEqual([name for name in found if name in "de"], ["d", "e"])

    def test_whole(self):
        self.assertEqual(len(self.of({"kernel": 1}, whole=True)[0]), 19)
        self.assertEqual(self.of({"kernel": 1}, whole=True)[1], [])

    def test_content(self):
        self.assertNotEqual(tree.content(("tools/check/runner",)), tree.content(("tools/check/runner", "Makefile")))
        self.assertTrue(tree.concerned("a/b", ("a",)) and tree.concerned("a/b", ("*b",))
                        and not tree.concerned("ab", ("a",)))

    def test_parts(self):
        case = table.Case("c", "command", "", "t", "c", command="x {share:5} {build}/y {chosen:fuzz}",
                          concerns=("docs",))
        fuzz = table.Case("f", "command", "fuzz", "t", "f")
        self.assertRegex(choose.command(case, "out", False, [fuzz]), r"^x [1-5]/5 out/y f$")
        self.assertEqual(choose.command(case, "out", True, [fuzz]), "x 1/1 out/y f")


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(subprocess.run, ["rm", "-r", self.folder], check=True)

    def job(self, words, limit=60):
        return job.Job(None, ["sh", "-c", words], f"{self.folder}/log", dict(os.environ), limit)

    def end_of(self, one):
        while (status := one.status()) is None:
            time.sleep(0.01)
        return status

    def test_status(self):
        self.assertEqual(self.end_of(self.job("exit 7")), 7)

    def test_limit(self):
        one = self.job("sleep 50 & timeout 50 sleep 50", 0.3)
        self.assertEqual(self.end_of(one), 124)
        self.assertEqual(job.members(one.process.pid), [])

    def test_left_behind(self):
        one = self.job("sleep 50 &")
        self.assertEqual(self.end_of(one), 0)
        self.assertEqual(job.members(one.process.pid), [])

    def test_interrupted(self):
        jobs = []

        def start():
            jobs.append(self.job("trap '' TERM; sleep 50"))
            return jobs[-1]

        looks = [None] * 3 + [KeyboardInterrupt] + [None] * 9999999
        with mock.patch.object(job, "GRACE", 0.2), mock.patch.object(job.time, "sleep", side_effect=looks):
            with self.assertRaises(KeyboardInterrupt):
                job.run_all([start, start], 2, lambda *_: None)
        self.assertEqual([job.members(one.process.pid) for one in jobs], [[], []])


class Results(unittest.TestCase):
    def test_count(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            found = results.Results(folder, "test")
            for title, status, text in (("a", 0, "[  SKIPPED ] one\n"), ("b", 77, "no x here\n"),
                                        ("k: c", 1, "1\nFAIL it\n2\n")):
                with open(f"{folder}/log", "w", encoding="ascii") as file:
                    file.write(text)
                found.add(title, status, 1, f"{folder}/log")
            self.assertFalse(found.end(["remark"]))
            junit = serial.text_of(f"{folder}/test.xml")
        self.assertTrue(printed.getvalue().endswith("\nremark\n1 passed, 1 failed, 2 skipped\n"))
        self.assertIn("      > FAIL it\n", printed.getvalue())
        self.assertRegex(printed.getvalue(), r"skip  b +1 s  no x here\n")
        self.assertIn('failures="1"', junit)

    def test_await(self):
        with tempfile.NamedTemporaryFile("wb") as file:
            file.write(b"a\r\n# end\xff\r\n")
            file.flush()
            self.assertTrue(serial.await_line(file.name, "^# end", 1))
            self.assertFalse(serial.await_line(file.name, "^b$", 0.1))
            self.assertFalse(serial.await_line(file.name, "^b$", 9, lambda: False))


class Sources(unittest.TestCase):
    def test_read(self):
        roots = ("hosting", "reference", "tests", "tools")  # not what is built below the tree
        for path in [path for root in roots for path in glob.glob(f"{root}/**/*.py", recursive=True)]:
            with open(path, encoding="ascii") as file:
                text = file.read()
            self.assertEqual([line for line in text.split("\n") if len(line) > 120], [], path)
            nodes = list(ast.walk(ast.parse(text, path)))
            used = {node.id for node in nodes if isinstance(node, ast.Name)}
            imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
            names = {(name.asname or name.name).partition(".")[0] for node in imports for name in node.names}
            self.assertEqual(names - used, set(), f"{path}: imported and not used")


if __name__ == "__main__":
    unittest.main()
