"""Measures wrapping: TextLayout beside libunistring, ICU and Rust's unicode-linebreak with unicode-width, over the same posts.

Each engine is a program that holds the corpus (corpus.py) and reads commands `wrap WIDTH`, in cells: it finds the line ends of all posts
and prints the CPU nanoseconds and the number of lines. Ours also has `count`, which computes heights from line counts without the ends, and
`points`, which takes widths from a table of advances. The engines take turns.
"""
import pathlib
import subprocess

import corpus

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent.parent / ".build" / "benchmarks" / "wrap"
# Each with the minimum of its time divided by ours, and the aim.
PEERS = {"rust": ("unicode-linebreak + unicode-width", 4, 6), "unistring": ("libunistring", 7, 10), "icu": ("ICU", 12, 18)}
COMMANDS = {"wrap": 1, "count": 1, "points": 64}  # ours, each with its unit of width


class Engine:
    """A running program with a corpus."""

    def __init__(self, name, path):
        self.process = subprocess.Popen([BUILT / name, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, command, width):
        """Returns CPU nanoseconds and the number of lines for all posts."""
        self.process.stdin.write(f"{command} {width}\n")
        self.process.stdin.flush()
        nanoseconds, lines = map(int, self.process.stdout.readline().split())
        return nanoseconds, lines

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def run(report, options):
    subprocess.run([HERE / "wrap" / "build"], check=True)
    for name, texts in corpora(options):
        path = BUILT / f"{name}.corpus"
        if name == "mixed":
            corpus.ensure_mixed(path)
        else:
            corpus.write(path, texts())
        report.note(f"{name}: {corpus.describe(path)}")
        engines = {engine: Engine(engine, path) for engine in ["ours", *PEERS]}
        for width in options.widths:
            compare(report, name, width, engines, options.repetitions)
        for engine in engines.values():
            engine.stop()


def corpora(options):
    """Yields each corpus as a name and a function that makes its texts."""
    yield "mixed", None
    yield "samples", corpus.samples
    if options.posts:
        yield "posts", lambda: corpus.repeated(corpus.texts_of(options.posts))


def compare(report, name, width, engines, repetitions):
    runs = [("ours", command, unit * width) for command, unit in COMMANDS.items()] + [(peer, "wrap", width) for peer in PEERS]
    times = {(engine, command): [] for engine, command, _ in runs}
    lines = {}
    for repetition in range(repetitions + 1):
        for index in range(len(runs)):
            engine, command, units = runs[(index + repetition) % len(runs)]
            nanoseconds, lines[engine, command] = engines[engine].run(command, units)
            if repetition:  # the first is a warm-up
                times[engine, command].append(nanoseconds / corpus.COUNT)
    assert lines["ours", "wrap"] == lines["ours", "count"], "wrap and count disagree"
    title = f"{name}, {width} cells"
    report.add(f"{title}: a post's lines", times["ours", "wrap"], "ns", "-")
    report.add("  their number alone", times["ours", "count"], "ns", 200)
    report.add("  in points", times["ours", "points"], "ns", "-")
    for peer, (label, least, aim) in PEERS.items():
        report.add(f"  {label}", times[peer, "wrap"], "ns", "-")
        ratios = [theirs / ours for theirs, ours in zip(times[peer, "wrap"], times["ours", "wrap"])]
        report.add(f"  {label} / ours", ratios, "x", f">= {least}, aim {aim}")
    report.note("lines: " + ", ".join(f"{engine} {lines[engine, 'wrap']}" for engine in engines))
