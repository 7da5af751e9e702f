"""Tests the arithmetic of Benchmarks/compare, and that the working tree has the interface it uses."""
import ast
import pathlib
import statistics
import unittest

import catalogue
import judge
import sample

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = HERE.parent


def figure(then, now, unit="us", name="fanout/a delivery"):
    return judge.Figure(name, unit, list(then), list(now))


class OrderTests(unittest.TestCase):
    def test_each_build_goes_first_every_other_time(self):
        runs = [build for run in range(4) for build in judge.order(run)]
        self.assertEqual(runs, ["then", "now", "now", "then", "then", "now", "now", "then"])

    def test_both_builds_run_equally_often_and_at_the_same_mean_position(self):
        runs = [build for run in range(8) for build in judge.order(run)]
        places = {build: [place for place, each in enumerate(runs) if each == build] for build in ("then", "now")}
        self.assertEqual(len(places["then"]), len(places["now"]))
        self.assertEqual(statistics.mean(places["then"]), statistics.mean(places["now"]))


class RatioTests(unittest.TestCase):
    def test_the_ratio_compares_the_medians(self):
        self.assertEqual(figure([10, 10, 1000], [11, 1, 12]).ratio, 1.1)

    def test_a_rate_that_falls_is_worse(self):
        self.assertEqual(figure([1000], [500], "/s").ratio, 2)
        self.assertEqual(figure([500], [1000], "/s").ratio, 0.5)

    def test_the_best_run_has_the_lowest_cost_or_the_highest_rate(self):
        self.assertEqual(figure([10, 20, 30], [11, 40, 50]).best_ratio, 1.1)
        self.assertEqual(figure([100, 300], [200, 150], "/s").best_ratio, 1.5)
        self.assertIsNone(figure([], [1]).best_ratio)

    def test_zero_to_zero_is_1_and_zero_to_more_is_infinite(self):
        self.assertEqual(figure([0, 0], [0, 0]).ratio, 1)
        self.assertEqual(figure([0], [1]).ratio, float("inf"))
        self.assertEqual(figure([0], [5], "/s").ratio, 0)

    def test_pairs_worse_counts_runs(self):
        self.assertEqual(figure([1, 2, 3], [2, 1, 3]).pairs_worse, (1, 3))
        self.assertEqual(figure([1, 2], [2, 1], "/s").pairs_worse, (1, 2))


class VerdictTests(unittest.TestCase):
    def test_the_limit_is_five_per_cent(self):
        self.assertEqual(judge.verdict(figure([100], [105])), "same")
        self.assertEqual(judge.verdict(figure([100], [105.1])), judge.WORSE)
        self.assertEqual(judge.verdict(figure([100], [96])), "same")
        self.assertEqual(judge.verdict(figure([100], [90])), "better")

    def test_a_missing_figure_fails_and_a_new_one_does_not(self):
        self.assertEqual(judge.verdict(figure([1], [])), judge.MISSING)
        self.assertEqual(judge.verdict(figure([], [1])), "new")
        self.assertEqual(judge.exit_code([figure([1], [])], []), 1)
        self.assertEqual(judge.exit_code([figure([], [1])], []), 0)

    def test_an_exception_allows_up_to_its_ratio(self):
        exceptions = judge.read_exceptions(judge.HEAD + "\nfanout/*\t1.20\tone codec\n")
        self.assertEqual(judge.verdict(figure([100], [119]), exceptions), judge.ALLOWED)
        self.assertEqual(judge.verdict(figure([100], [121]), exceptions), judge.WORSE)
        self.assertEqual(judge.verdict(figure([100], [110], name="wrap/lines"), exceptions), judge.WORSE)
        self.assertEqual(judge.verdict(figure([100], [], name="fanout/gone"), exceptions), judge.MISSING)
        self.assertEqual(judge.exit_code([figure([100], [119])], exceptions), 0)
        self.assertEqual(judge.exit_code([figure([100], [119])], []), 1)

    def test_an_exception_needs_a_ratio_and_a_reason(self):
        for line in ["fanout/*\t1.20", "fanout/*\t1.20\t ", "fanout/*\t0.9\tnothing", "fanout/*\tmuch\tall", "fanout/*\tinf\tall"]:
            with self.assertRaises(ValueError):
                judge.read_exceptions(line)

    def test_comparing_nothing_fails(self):
        self.assertEqual(judge.exit_code([], []), 2)

    def test_a_slowdown_that_a_busy_machine_may_cause_is_unclear(self):
        equally_fast = figure([100, 101, 102, 103], [100, 111, 112, 113])
        half_of_the_runs = figure([100, 100, 120, 120], [119, 140, 119, 115])
        self.assertGreater(min(equally_fast.ratio, half_of_the_runs.ratio), judge.LIMIT)
        self.assertEqual(judge.verdict(equally_fast), judge.UNCLEAR)
        self.assertEqual(judge.verdict(half_of_the_runs), judge.UNCLEAR)
        self.assertEqual(judge.exit_code([equally_fast, figure([1], [1])], []), 2)
        self.assertEqual(judge.exit_code([equally_fast, figure([1], [2])], []), 1)
        self.assertEqual(judge.verdict(figure([100, 110, 120, 130], [110, 120, 125, 150])), judge.WORSE)


class FiguresTests(unittest.TestCase):
    def figures(self):
        figures = judge.Figures()
        for then, now in ((1, 1), (1, 2), (1, 2)):
            figures.add("then", "wrap", {"lines": [then, "ns"]})
            figures.add("now", "wrap", {"lines": [now, "ns"]})
        figures.add("then", "bytes", {"frames": [7, ""]})
        figures.add("now", "bytes", {"frames": [7, ""]})
        return figures

    def test_an_area_with_a_worse_figure_is_repeated_and_all_values_count(self):
        figures = self.figures()
        self.assertEqual(figures.areas_to_repeat([]), ["wrap"])
        self.assertEqual(figures.areas_to_repeat([], "bytes"), [])
        for now in (1, 1, 1):
            figures.add("then", "wrap", {"lines": [1, "ns"]})
            figures.add("now", "wrap", {"lines": [now, "ns"]})
        self.assertEqual(figures.areas_to_repeat([]), [])
        self.assertEqual(len(figures.all["wrap/lines"].now), 6)

    def test_patterns_select_areas_and_figures(self):
        self.assertTrue(judge.selects("wrap,fanout", "fanout/a delivery"))
        self.assertTrue(judge.selects("line/*CPU", "line/a call, client's CPU"))
        self.assertFalse(judge.selects("line/*CPU", "line/posts a second"))
        self.assertFalse(judge.selects("wrap", "wrapping/lines"))
        self.assertTrue(judge.may_select("line/*CPU", "line"))
        self.assertFalse(judge.may_select("line/*CPU", "wrap"))
        self.assertEqual([each.name for each in self.figures().chosen("bytes")], ["bytes/frames"])

    def test_the_table_has_a_line_for_each_figure(self):
        lines = judge.table([figure([100, 90, 110], [200, 210, 190]), figure([1], [])], [])
        self.assertEqual(len(lines), 3)
        self.assertIn("100.0 (90.00 to 110.0)", lines[1])
        self.assertRegex(lines[1], r"2\.000 +2\.111 +3/3 +WORSE$")
        self.assertRegex(lines[2], r"- +- +0/0 +MISSING$")

    def test_numbers_have_four_significant_digits(self):
        self.assertEqual([judge.number(value) for value in (0, 0.01234567, 1.234567, 123.4567, 1234567)],
                         ["0", "0.0123", "1.235", "123.5", "1,234,567"])


class TreeTests(unittest.TestCase):
    def test_the_working_tree_has_the_interface(self):
        for name, uses in sample.INTERFACE.items():
            path = next(path for folder in sample.FOLDERS if (path := BENCHMARKS / folder / f"{name}.py").exists())
            missing = set(uses) - names(path)
            self.assertFalse(missing, f"{path} lacks {missing}: Benchmarks/comparing must support the old and the new name")

    def test_each_area_has_a_measuring_function(self):
        measured = set().union(*(names(path) for path in HERE.glob("*_areas.py")))
        self.assertEqual({f"measure_{area.name}" for area in catalogue.AREAS},
                         {name for name in measured if name.startswith("measure_")})

    def test_exceptions_tsv_is_valid(self):
        judge.read_exceptions((BENCHMARKS / "exceptions.tsv").read_text(encoding="utf-8"))


def names(path):
    """Returns the names that a module defines or imports."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in ast.walk(node) if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)}
    return found


if __name__ == "__main__":
    unittest.main()
