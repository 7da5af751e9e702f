"""scripts/test_report and scripts/strings, on small inputs."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"

OUTPUT = """\
[1/2] Compiling A
◇ Test "slow" started.
✔ Test "slow" passed after 3.000 seconds.
✔ Test "quick" passed after 0.001 seconds.
✔ Suite "all" passed after 3.0 seconds.
✘ Test "wrong" recorded an issue at A.swift:1:2: Expectation failed
➜ Test "not here" skipped.
✘ Test run with 3 tests in 1 suite failed after 3.0 seconds with 1 issue.
"""


def report(output, *arguments):
    """Runs scripts/test_report; returns its exit code and what it printed."""
    result = subprocess.run(
        [sys.executable, SCRIPTS / "test_report", *arguments], input=output, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout.splitlines()


class TestReport(unittest.TestCase):
    def test_failures_are_shown_and_the_summary_is_last(self):
        code, lines = report(OUTPUT, "1")
        self.assertEqual(code, 1)
        self.assertIn("Expectation failed", lines[0])
        self.assertTrue(lines[-1].startswith("✘ Test run with 3 tests"))
        self.assertFalse(any("quick" in line or "Compiling" in line for line in lines))

    def test_the_slowest_are_named_where_all_passed(self):
        code, lines = report(OUTPUT, "0")
        self.assertEqual(code, 0)
        self.assertIn('     3.0 s  "slow"', lines)

    def test_a_skipped_test_is_a_failure_where_none_may_be(self):
        self.assertEqual(report(OUTPUT, "0", "--no-skips")[0], 1)

    def test_errors_of_the_compiler_are_shown(self):
        code, lines = report("error: no such module\n", "1")
        self.assertEqual((code, lines[0]), (1, "error: no such module"))


class Strings(unittest.TestCase):
    def setUp(self):
        loader = importlib.machinery.SourceFileLoader("strings", str(SCRIPTS / "strings"))
        self.strings = importlib.util.module_from_spec(importlib.util.spec_from_loader("strings", loader))
        loader.exec_module(self.strings)

    def found(self, source):
        return [text for _, text, before in self.strings.literals(source) if self.strings.is_prose(text, before)]

    def test_sentences_are_found_also_inside_of_interpolations(self):
        self.assertEqual(
            self.found('let a = "no post \\(b ? "at all" : "here") today" // "not this one"\n'), ["no post {} today", "at all"])

    def test_long_strings_are_one_line(self):
        self.assertEqual(self.found('let a = """\n  one line\n  two lines\n  """'), ["one line ⏎ two lines"])

    def test_sql_names_and_paths_are_left_out(self):
        self.assertEqual(self.found('let a = "SELECT id FROM posts", b = "post_id", c = "a/b.txt", d = "Posted."'), ["Posted."])


if __name__ == "__main__":
    unittest.main()
