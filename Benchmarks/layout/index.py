"""The heights index at ten million rows beside the structures it could be, and what a million posts take in memory.

`heights` holds four indices of the same rows and asks each the same in turn (heights/race): ours, the C structure that the goals were set
by, prefix sums and a Fenwick tree. `posts` loads posts as the engine does, newest slice first, and says how much more is in memory than
their texts; each figure of memory comes from a process of its own.
"""
import collections
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent.parent / ".build" / "benchmarks" / "layout"
ROWS, POSTS = 10_000_000, 1_000_000
REFERENCE = "C leaves"
MOST = 1.3  # times the reference, for each operation
BYTES_BEYOND_TEXT = 30


def run(report, options):
    for program in ["heights", "posts"]:
        subprocess.run(
            ["swift", "build", "--quiet", "-c", "release", "--static-swift-stdlib", "--package-path", HERE,
             "--scratch-path", BUILT, "--product", program], check=True)
    heights(report, options.repetitions)
    posts(report, options.repetitions)


def lines(program, *arguments):
    """What a program writes: words between tabs, the last of them a number."""
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
        report.add(f"  ours / {REFERENCE}", ratios, "x", f"<= {MOST}")


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
