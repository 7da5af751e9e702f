"""The areas that programs of Benchmarks/layout and Benchmarks/search measure, in their own CPU time.

The figure of a repeated measurement is the minimum, which the machine's other work disturbed least.
"""
import re
import statistics
import subprocess
import tempfile

# Figures of the search programs that are omitted: numbers that are not costs, and the slowest of thousands.
LEFT_OUT = re.compile(r"(found|total)$|slowest|p99|posts/s")


def layout_program(tree, name):
    """Returns the path of a program of Benchmarks/layout."""
    return tree.built / "layout" / "release" / name


def measure_wrap(tree, settings):
    """Measures wrapping of the corpus: CPU a post."""
    module = tree.module("wrap", BUILT=layout_program(tree, "wrap").parent)
    engine = module.Engine("wrap", settings.corpus)
    count = int.from_bytes(open(settings.corpus, "rb").read(4), "little")
    found = {}
    for width in settings.widths:
        for way, unit, name in (("wrap", 1, "lines"), ("count", 1, "number of lines"), ("points", 64, "lines in points")):
            times = [engine.run(way, unit * width)[0] / count for _ in range(settings.passes + 1)]
            found[f"{name}, width {width}"] = min(times[1:]), "ns"
    engine.stop()
    return found


def measure_heights(tree, settings):
    """Measures the heights index: CPU an operation."""
    times = {}
    for (structure, operation), value in tree.module("index", BUILT=tree.built / "layout").lines("heights", settings.rows, settings.turns):
        if structure == "ours":
            times.setdefault(operation, []).append(value)
    return {name: (min(values), "B" if name == "bytes a row" else "ns") for name, values in times.items()}


def measure_posts(tree, settings):
    """Measures posts in memory: bytes beyond the text, and CPU an operation."""
    index = tree.module("index", BUILT=tree.built / "layout")
    found = {}
    for kind in ("columns", "mixed"):
        for (name,), value in index.lines("posts", kind, settings.rows):
            if name.startswith("beyond"):
                found[f"bytes a row {name}"] = value, "B"
    for (name,), value in index.lines("posts", "times", settings.rows):
        found[name] = value, "ns"
    return found


def measure_resize(tree, settings):
    """Measures the engine while a view in the middle of the posts is resized."""
    engine = subprocess.Popen(
        [layout_program(tree, "resize"), settings.corpus, str(settings.rows)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    _, _, loading, resident, text = engine.stdout.readline().split()
    costs = []
    for width in settings.widths:
        engine.stdin.write(f"{width}\n")
        engine.stdin.flush()
        costs.append([int(cost) / 1e6 for cost in engine.stdout.readline().split()[1:4]])
    engine.stdin.close()
    engine.wait()
    first, everything, longest = map(statistics.median, zip(*costs))
    return {"loading": (int(loading) / 1e6, "ms"), "bytes a row beyond the text": ((int(resident) - int(text)) / settings.rows, "B"),
            "first exact frame": (first, "ms"), "exact total": (everything, "ms"), "longest turn": (longest, "ms")}


def measure_ticks(tree, settings):
    """Measures a week of label changes: CPU of the engine and the number of its calls."""
    output = subprocess.run([layout_program(tree, "ticks"), str(settings.posts)], check=True, capture_output=True, text=True).stdout
    spent, wakes, labels, faults, scan = map(int, output.split())
    return {"engine, a week": (spent / 1e6, "ms"), "calls of the engine": (wakes, ""), "labels sent": (labels, ""),
            "faults": (faults, ""), "all labels once": (scan / 1e6, "ms")}


def search_figures(output):
    """Returns the figures of a search program from its output."""
    found = {}
    for name, values in output.items():
        if not LEFT_OUT.search(name):
            unit = "B" if name.endswith("(bytes)") else "ms" if "ms" in name.split() else "ns"
            found[name] = min(values), unit
    return found


def measure_matching(tree, settings):
    """Measures open searches: CPU a post."""
    return search_figures(tree.module("search").figures("matching", settings.corpus, settings.posts))


def measure_storing(tree, settings):
    """Measures the index of words and pages of hits."""
    with tempfile.TemporaryDirectory(prefix="stack-search-") as folder:
        return search_figures(tree.module("search").figures("storing", settings.corpus, folder, settings.posts))
