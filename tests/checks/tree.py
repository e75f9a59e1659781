# SPDX-License-Identifier: GPL-3.0-or-later
"""The source tree as the checks see it: tracked files, or all of them where there is no git."""
import os
import subprocess


class Skip(Exception):
    """The check cannot run here; the text says why."""


class Tree:
    def __init__(self, root):
        self.root = os.path.abspath(root)
        self.paths = sorted(self._tracked() or self._walked())
        self._texts = {}

    def _git(self, *args):
        # CI may own the folder as another user; reading the list is harmless.
        cmd = ["git", "-c", "safe.directory=*", "-C", self.root, *args]
        try:
            out = subprocess.run(cmd, capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return []
        return out.decode().split("\0")

    def _tracked(self):
        if not os.path.exists(os.path.join(self.root, ".git")):
            return []
        listed = self._git("ls-files", "-z", "--cached")
        return [p for p in listed if p and os.path.isfile(self.full(p))]

    def _walked(self):
        for folder, folders, files in os.walk(self.root):
            inside = os.path.relpath(folder, self.root)
            top = inside == "."
            folders[:] = [d for d in folders if d not in (".git", "__pycache__")
                          and not (top and (d.startswith("build") or d == "results"))]
            for name in files:
                yield os.path.normpath(os.path.join(inside, name))

    def full(self, path):
        return os.path.join(self.root, path)

    def has(self, path):
        return os.path.exists(self.full(path))

    def files(self, *endings, under=""):
        """Paths below `under` that end with one of `endings` (all when none is given)."""
        return [p for p in self.paths if p.startswith(under) and (not endings or p.endswith(endings))]

    def bytes(self, path):
        with open(self.full(path), "rb") as f:
            return f.read()

    def text(self, path):
        """The file as text; None when it is not there or not UTF-8."""
        if path not in self._texts:
            try:
                self._texts[path] = self.bytes(path).decode()
            except (OSError, UnicodeDecodeError):
                self._texts[path] = None
        return self._texts[path]
