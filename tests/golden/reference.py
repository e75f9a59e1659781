#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/reference/ is what the declarations say: reference.py WLANQ FOLDER.

With GOLDEN_ACCEPT=1 in the environment the folder is written anew.
"""
import filecmp
import os
import subprocess
import sys
import tempfile


def main(program, folder):
    if os.environ.get("GOLDEN_ACCEPT") == "1":
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        return subprocess.run([program, "models", "--pages", folder]).returncode
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([program, "models", "--pages", made], check=True)
        names = sorted(set(os.listdir(made)) | set(os.listdir(folder)))
        _, wrong, missing = filecmp.cmpfiles(made, folder, names, shallow=False)
    for name in wrong + missing:
        print(f"docs/reference/{name} is not what the declarations say now: "
              "build/wlanq models --pages docs/reference")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
