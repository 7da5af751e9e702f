"""Measures the engine's work when a pane of a million rows is resized: until the frame with the new rows, and until all is exact.

`resize` drives the daemon's engine as the daemon does: the posts of the mixed corpus (corpus.py) five times over, one view in the middle of
them, and one call per turn of the loop. It reads widths that the engine has not seen, and prints nanoseconds of its thread for each.
"""
import pathlib
import subprocess

import corpus

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent.parent / ".build" / "benchmarks"
ROWS = 1_000_000
WIDTHS = [50, 79, 38, 120, 64, 100, 45, 90, 30, 72]
MILLISECOND = 1_000_000


def run(report, options):
    subprocess.run(
        ["swift", "build", "--quiet", "-c", "release", "--static-swift-stdlib", "--package-path", HERE,
         "--scratch-path", BUILT / "layout", "--product", "resize"], check=True)
    path = BUILT / "mixed.corpus"
    corpus.ensure_mixed(path)
    engine = subprocess.Popen(
        [BUILT / "layout" / "release" / "resize", path, str(ROWS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    _, longest, _, resident, text = engine.stdout.readline().split()
    report.add("resize: loading, longest turn", [int(longest) / MILLISECOND], "ms", 4)
    report.add("resize: bytes a row beyond the text, heights and all", [(int(resident) - int(text)) / ROWS], "B", "-")
    costs = []
    for width in WIDTHS:
        engine.stdin.write(f"{width}\n")
        engine.stdin.flush()
        costs.append([int(cost) / MILLISECOND for cost in engine.stdout.readline().split()[1:4]])
    engine.stdin.close()
    engine.wait()
    first, everything, longest = zip(*costs)
    report.add("resize: until the first exact frame", first, "ms", 5)
    report.add("resize: until the total is exact", everything, "ms", 350)
    report.add("resize: longest turn", longest, "ms", 4)
