"""Prints the figures of every benchmark beside their targets and appends them to results.tsv."""
import os
import pathlib
import platform
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "Benchmarks" / "results.tsv"


def status(process, key):
    """Returns a size of a process in MB."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key + ":")) / 1024


def private(process):
    """Returns the memory in MB that a process shares with no other."""
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Private_")) / 1024


def wakeups(process):
    """Returns the number of times that the threads of a process were given the processor."""
    lines = [line for file in pathlib.Path(f"/proc/{process}/task").glob("*/status") for line in file.read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)


class Report:
    """Prints figures and appends them to the results."""

    def __init__(self, file):
        revision = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=True)
        swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout.split()
        self.head = (time.strftime("%Y-%m-%d"), revision.stdout.strip(), f"{os.cpu_count()} cores {platform.machine()}",
                     "Swift " + swift[swift.index("version") + 1])
        self.file = file

    def add(self, name, values, unit, budget):
        values = sorted(values)
        middle, low, high = statistics.median(values), values[0], values[-1]
        print(f"{name:58} {middle:9.2f} {unit:3} ({low:.2f} to {high:.2f}, n {len(values)})   budget {budget}", flush=True)
        row = (*self.head, name, f"{middle:.3f}", f"{low:.3f}", f"{high:.3f}", str(len(values)), unit, str(budget))
        self.file.write("\t".join(row) + "\n")

    def note(self, text):
        """Prints a remark that is not a figure."""
        print(f"# {text}", flush=True)
