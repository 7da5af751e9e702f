"""Tests of scripts/lib.sh."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Compiler(unittest.TestCase):
    """The function `swift`, with a program of that name in place of the compiler."""

    def test_what_the_compiler_leaves_in_its_temporary_folder_is_removed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "bin").mkdir()
            (folder / "tmp").mkdir()
            compiler = folder / "bin/swift"
            compiler.write_text('#!/bin/sh\nmkdir "$TMPDIR/TemporaryDirectory.x"\necho "$@"\nexit 3\n')
            compiler.chmod(0o755)
            environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(folder / "tmp")}
            command = ["bash", "-c", f". {ROOT / 'scripts/lib.sh'}; build=(swift build); \"${{build[@]}}\" --quiet"]
            result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stdout, list((folder / "tmp").iterdir())), (3, "build --quiet\n", []))


if __name__ == "__main__":
    unittest.main()
