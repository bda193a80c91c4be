# SPDX-License-Identifier: BSD-2-Clause
"""A copy of the sources with what is built from them, so that a change there only compiles its own file and links."""

import contextlib
import os
import subprocess
import tempfile


class Copy:
    """A copy in a folder that is removed. told: what make said last."""

    def __init__(self, build):
        self.built, self.told = build, ""

    def __enter__(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = self.place.name
        subprocess.run(["tools/check/copy-tree.sh", self.folder], check=True)
        os.mkdir(f"{self.folder}/build")
        subprocess.run(f"tar -C '{self.built}' -cf - dependencies obj gen tools | tar -C '{self.folder}/build' -xf -",
                       shell=True, check=True)
        return self

    def __exit__(self, *_):
        self.place.cleanup()

    def build(self, target):
        """Did it succeed? CURDIR is part of the compiler's flags, and must be the one that the copied objects were
        built with."""
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES")}
        words = ["make", "-s", "-C", self.folder, f"CURDIR={os.getcwd()}", "BUILD=build", "COMMIT=none", target]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False)
        self.told = done.stdout.decode("latin-1")
        return done.returncode == 0

    def text(self, path):
        with open(f"{self.folder}/{path}", encoding="latin-1") as file:
            return file.read()

    def write(self, path, text):
        with open(f"{self.folder}/{path}", "w", encoding="latin-1") as file:
            file.write(text)

    @contextlib.contextmanager
    def planted(self, texts):
        """With other texts in these files."""
        before = {path: self.text(path) for path in texts}
        try:
            for path, text in texts.items():
                self.write(path, text)
            yield
        finally:
            for path, text in before.items():
                self.write(path, text)
