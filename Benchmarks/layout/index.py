"""Measures the heights index at ten million rows beside alternative structures, and the memory of a million posts.

`heights` holds four indices of the same rows and runs the same operations on each in turn (heights/race): ours, the C structure that set
the goals, prefix sums and a Fenwick tree. `posts` loads posts as the engine does, newest slice first, and prints the memory beyond their
texts. Each figure of memory comes from its own process.
"""
import collections
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent.parent / ".build" / "benchmarks" / "layout"
ROWS, POSTS = 10_000_000, 1_000_000
REFERENCE = "C leaves"
MAXIMUM_RATIO = 1.3  # to the reference, for each operation
BYTES_BEYOND_TEXT = 30


def run(report, options):
    for program in ["heights", "posts"]:
        subprocess.run(
            ["swift", "build", "--quiet", "-c", "release", "--static-swift-stdlib", "--package-path", HERE,
             "--scratch-path", BUILT, "--product", program], check=True)
    heights(report, options.repetitions)
    posts(report, options.repetitions)


def lines(program, *arguments):
    """Yields the lines that a program prints: words separated by tabs, and the number at the end."""
    command = [BUILT / "release" / program, *map(str, arguments)]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        *words, number = line.split("\t")
        yield words, float(number)


def heights(report, repetitions):
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for (structure, operation), nanoseconds in lines("heights", ROWS, repetitions):
        times[operation][structure].append(nanoseconds)
    for operation, structures in times.items():
        ours = structures.pop("ours")
        if operation == "bytes a row":
            report.add("heights: bytes a row", ours, "B", 1.5)
            continue
        report.add(f"heights: {operation}", ours, "ns", "-")
        for structure, theirs in structures.items():
            report.add(f"  {structure}", theirs, "ns", "-")
        ratios = [mine / peer for mine, peer in zip(ours, structures[REFERENCE])]
        report.add(f"  ours / {REFERENCE}", ratios, "x", f"<= {MAXIMUM_RATIO}")


def posts(report, repetitions):
    for kind, budget in [("columns", BYTES_BEYOND_TEXT), ("mixed", "-"), ("structs", "-")]:
        figures = collections.defaultdict(list)
        for _ in range(min(3, repetitions)):
            for (name,), value in lines("posts", kind, POSTS):
                figures[name].append(value)
        for name, values in figures.items():
            report.add(f"posts: bytes a row {name}", values, "B", budget if name.startswith("beyond") else "-")
    figures = collections.defaultdict(list)
    for _ in range(min(3, repetitions)):
        for (name,), value in lines("posts", "times", POSTS):
            figures[name].append(value)
    for name, values in figures.items():
        report.add(f"posts: {name}", values, "ns", "-")
