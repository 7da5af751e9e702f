"""Wrapping: TextLayout beside libunistring, ICU and Rust's unicode-linebreak with unicode-width, over the same posts.

Each engine is a program of its own that holds the corpus (corpus.py) and is told `wrap WIDTH`, in cells: it finds the lines' ends of
all posts, and answers with the CPU nanoseconds that took and how many lines there were. Ours also knows `count`, lines without their
ends, which is what heights are made of, and `points`, widths from a table of advances. The engines take turns.
"""
import pathlib
import subprocess

import corpus

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent.parent / ".build" / "benchmarks" / "wrap"
# Each with how many times as long as ours it is to take at least, and what is aimed at.
PEERS = {"rust": ("unicode-linebreak + unicode-width", 4, 6), "unistring": ("libunistring", 7, 10), "icu": ("ICU", 12, 18)}
WAYS = {"wrap": 1, "count": 1, "points": 64}  # ours, each with its unit of width


class Engine:
    """A running program with a corpus."""

    def __init__(self, name, path):
        self.process = subprocess.Popen([BUILT / name, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, way, width):
        """CPU nanoseconds and lines of all posts."""
        self.process.stdin.write(f"{way} {width}\n")
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
    """What to wrap, each made when asked for."""
    yield "mixed", None
    yield "samples", corpus.samples
    if options.posts:
        yield "posts", lambda: corpus.repeated(corpus.texts_of(options.posts))


def compare(report, name, width, engines, repetitions):
    runs = [("ours", way, unit * width) for way, unit in WAYS.items()] + [(peer, "wrap", width) for peer in PEERS]
    times = {(engine, way): [] for engine, way, _ in runs}
    lines = {}
    for repetition in range(repetitions + 1):
        for index in range(len(runs)):
            engine, way, units = runs[(index + repetition) % len(runs)]
            nanoseconds, lines[engine, way] = engines[engine].run(way, units)
            if repetition:  # the first only warms up
                times[engine, way].append(nanoseconds / corpus.COUNT)
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
