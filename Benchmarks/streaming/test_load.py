"""Tests the load client's histogram and frame reader, which all streaming benchmarks rely on."""
import pathlib
import subprocess
import tempfile
import unittest

LOAD = pathlib.Path(__file__).resolve().parent / "load"


class LoadTests(unittest.TestCase):
    def test_the_self_test_of_the_load_client_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/self-test"
            sources = [LOAD / "self_test" / "self_test.c", LOAD / "frame.c"]
            subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", LOAD, "-o", program, *sources], check=True)
            subprocess.run([program], check=True)


if __name__ == "__main__":
    unittest.main()
