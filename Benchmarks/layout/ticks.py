"""Measures the labels of a million posts and twenty views over a week.

`ticks` calls the engine at its deadlines, which are the times when a label changes, and checks every label before and after. A tick is a
second of that week. For comparison, the time to look at all posts once is measured too.
"""
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent.parent / ".build" / "benchmarks" / "layout"
POSTS = 1_000_000
TICKS = 7 * 86_400


def run(report, options):
    subprocess.run(
        ["swift", "build", "--quiet", "-c", "release", "--static-swift-stdlib", "--package-path", HERE,
         "--scratch-path", BUILT, "--product", "ticks"], check=True)
    runs = []
    for _ in range(min(3, options.repetitions)):
        output = subprocess.run([BUILT / "release" / "ticks", str(POSTS)], check=True, capture_output=True, text=True).stdout
        runs.append([int(word) for word in output.split()])
    spent, wakes, labels, faults, scans = zip(*runs)
    report.add("ticks: the engine, a second of a week", [cost / TICKS for cost in spent], "ns", "-")
    report.add("ticks: looking at all posts, each second", scans, "ns", "-")
    ratios = [1e6 * cost / TICKS / scan for cost, scan in zip(spent, scans)]
    report.add("ticks: the engine / looking at all, in millionths", ratios, "", "<= 1000")
    report.add("ticks: calls of the engine in a week", wakes, "", "-")
    report.add("ticks: labels sent in a week", labels, "", "-")
    report.add("ticks: wrong, sent twice, or woken for nothing", faults, "", 0)
