#!/usr/bin/env python3
"""Measures the full screen on a pseudo-terminal beside newsboat and sfeed_curses, and appends the figures to results.tsv.

    scripts/setup && Benchmarks/setup
    swift build -c release --static-swift-stdlib --product stack-daemon
    swift build -c release --static-swift-stdlib --product stack-client
    Benchmarks/screen.py [--posts 10000,50000,1000000] [--only first,keys,bytes,memory,quit,idle] [--no-results]

Benchmarks/README.md explains every figure. Run nothing else meanwhile: these are wall times.
"""
import argparse
import contextlib
import pathlib
import random
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "screen"))

import posts  # noqa: E402
from programs import PAGE_DOWN, REDRAW, RELEASE, Newsboat, Sfeed, Stack  # noqa: E402
from harness import CPU  # noqa: E402
from report import RESULTS, Report  # noqa: E402

PEER_POSTS = 50_000  # at most, because newsboat takes seconds to open them
STARTS, PEER_STARTS = 20, 5
KEYS, PEER_KEYS, BYTE_KEYS, MANY_KEYS, QUITS = 40, 12, 30, 2_000, 5
QUIET = 0.04  # seconds without output after which a screen is complete: frames of the daemon are 16 ms apart
QUIET_MOVING = 0.06
PATIENCE = 5  # newsboat is slow to close a feed
PATIENCE_IDLE = 120


def milliseconds(values):
    return [1000 * value for value in values]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def memory(process):
    """Returns the resident memory of a process in MB."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024


def wakeups(process):
    """Returns the number of context switches of a process's threads."""
    count = 0
    for status in pathlib.Path(f"/proc/{process}/task").glob("*/status"):
        lines = status.read_text(encoding="ascii").splitlines()
        count += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return count


def rest(process):
    """Waits until a process has been idle for a second."""
    end = time.monotonic() + PATIENCE_IDLE
    while True:
        before = CPU(process).total
        time.sleep(1)
        if CPU(process).total - before < 0.001:
            return
        if time.monotonic() > end:
            raise TimeoutError(f"process {process} does not become idle")


def prefix(program):
    return f"{program.name}, {program.count:,} posts"


# MARK: The first post


def measure_first(report, program, starts, budget):
    """Measures from the start of the program to the byte that completes the first post on the screen."""
    times, listed = [], []
    for _ in range(starts):
        terminal, seconds = program.open()
        times.append(seconds)
        if isinstance(program, Newsboat):
            listed.append(program.listed - terminal.began)
        terminal.wait_until_quiet(0.1)
        terminal.end()
    report.add(f"{prefix(program)}: first post on the screen", milliseconds(times), "ms", budget)
    if listed:
        report.add("  of that until its list of feeds", milliseconds(listed), "ms", "-")


# MARK: Keys


def pairs(count, *keys):
    return [key for _ in range(count) for key in keys]


def measure_keys(report, program, count, is_largest):
    """Measures from a key to the first and the last byte that it causes, in a sequence where each key changes the screen."""
    terminal, _ = program.open()
    with terminal:
        terminal.wait_until_quiet(0.5)
        program.prepare(terminal)
        first, last, silent = {}, {}, 0
        names = pairs(2 * count, "j") + pairs(count, "k") + pairs(count, "PgDn") + pairs(count, "G", "g")
        if "Enter" in program.keys:
            names += pairs(count, "Enter", "q")
        for name in names:
            response = terminal.press(program.keys[name], QUIET, PATIENCE)
            if response is None:
                silent += 1
                continue
            first.setdefault(name, []).append(response[0])
            last.setdefault(name, []).append(response[1])
        whole, complete = (milliseconds(value for values in times.values() for value in values) for times in (first, last))
        is_ours = isinstance(program, Stack)
        report.add(f"{prefix(program)}: key to first byte, p50", [percentile(whole, 0.5)], "ms", 3 if is_ours else "-")
        report.add(f"  p99 of {len(whole)} keys", [percentile(whole, 0.99)], "ms", 10 if is_ours else "-")
        report.add("  key to the last byte, p50", [percentile(complete, 0.5)], "ms", "-")
        report.add("  p99", [percentile(complete, 0.99)], "ms", "-")
        if is_largest:
            for name, values in first.items():
                report.add(f"  {name} to first byte", milliseconds(values), "ms", "-")
        if silent:
            report.note(f"{silent} of {len(names)} keys caused no output")
        if not is_ours:
            report.add("  resident afterwards", [memory(terminal.pid)], "MB", "-")


# MARK: Bytes


def measure_bytes(report, program, quiet):
    """Measures the bytes of j in the middle of the posts, and of a full repaint there."""
    terminal, _ = program.open()
    with terminal:
        terminal.wait_until_quiet(0.5)
        program.prepare(terminal)
        for _ in range(20):
            terminal.press(program.keys["PgDn"], quiet)
        steps = [response[2] for response in (terminal.press(b"j", quiet) for _ in range(BYTE_KEYS)) if response]
        whole = [response[2] for response in (terminal.press(REDRAW, quiet) for _ in range(5)) if response]
    moving = " with animation" if isinstance(program, Stack) and program.animates else ""
    report.add(f"{prefix(program)}: j in the middle{moving}", steps, "B", "-")
    report.add("  full repaint", whole, "B", "-")
    report.add("  j's share of a repaint", [100 * sum(steps) / len(steps) / percentile(whole, 0.5)], "%", "-")


# MARK: Memory


def measure_memory(report, program):
    """Measures the client's resident memory after opening, and during two thousand keys, each pressed on the response to the last."""
    draw = random.Random(7)
    terminal, _ = program.open()
    with terminal:
        terminal.wait_until_quiet(0.5)
        report.add(f"{prefix(program)}: resident after opening", [memory(terminal.pid)], "MB", 30)
        sizes, times, silent, pending = {}, [], 0, []
        for number in range(1, MANY_KEYS + 1):
            # Enter is followed by q, which closes the pane, and G by g, which returns to the top.
            pending = pending or draw.choices((["j"], ["k"], ["PgDn"], ["Enter", "q"], ["G", "g"]), (47, 15, 30, 4, 4))[0].copy()
            name = pending.pop(0)
            # A q that overtook the pane it should close would ask whether to quit.
            response = terminal.press(program.keys[name], QUIET if name in ("Enter", "q") else 0.002, 0.1)
            if response is None:
                silent += 1  # for example k in the first row
            else:
                times.append(response[0])
            if number in (MANY_KEYS // 4, MANY_KEYS // 2, MANY_KEYS):
                sizes[number] = memory(terminal.pid)
        for number, size in sizes.items():
            report.add(f"  after {number:,} keys", [size], "MB", 30)
        report.add(f"  their p99 to first byte, {silent} brought none", milliseconds([percentile(times, 0.99)]), "ms", 10)


# MARK: Quitting


def measure_quit(report, program):
    """Measures the time until the client has ended after Q, with its help open and a thousand keys before the Q."""
    times = []
    for _ in range(QUITS):
        terminal, _ = program.open()
        with terminal:
            terminal.wait_until_quiet(0.5)
            terminal.press(b"?", QUIET)
            began = time.perf_counter()
            terminal.write(b"jk" * 500 + b"Q")
            while not terminal.has_ended and time.perf_counter() < began + PATIENCE:
                terminal.read(PATIENCE)
            times.append(time.perf_counter() - began)
    report.add(f"{prefix(program)}: Q behind a thousand keys, with help open, to the end", milliseconds(times), "ms", 1000)


# MARK: Idling


def measure_idle(report, programs, seconds):
    """Measures CPU time and wakeups of all idle programs in the same seconds."""
    with contextlib.ExitStack() as stack:
        watched = []
        for program in programs:
            if isinstance(program, Stack):
                program.animates = True
            terminal = stack.enter_context(program.open()[0])
            terminal.wait_until_quiet(0.5)
            watched.append((prefix(program), terminal.pid))
            if isinstance(program, Stack):
                watched.append(("  its daemon", program.daemon.pid))
        for _, process in watched:
            rest(process)
        before = [(CPU(process), wakeups(process)) for _, process in watched]
        time.sleep(seconds)
        for (name, process), (cpu, count) in zip(watched, before):
            is_ours = name.startswith(("stack", " "))
            used, woken = CPU(process).total - cpu.total, wakeups(process) - count
            report.add(f"{name}: CPU of {seconds} s at rest", [1000 * used], "ms", 0 if is_ours else "-")
            report.add("  wakeups", [woken], "", 0 if is_ours else "-")


# MARK: Programs


@contextlib.contextmanager
def filled(report, program):
    """Yields a program with its posts imported, and closes it."""
    try:
        report.note(f"{prefix(program)}: imported in {program.fill():.1f} s")
        yield program
    finally:
        program.close()


def measure_stack(report, program, parts, is_largest):
    program.start_daemon()  # As after a restart of the machine.
    program.session = "first"
    terminal, seconds = program.open()
    terminal.end()
    report.add(f"{prefix(program)}: first post, by a daemon just started", milliseconds([seconds]), "ms", "-")
    rest(program.daemon.pid)
    if "first" in parts:
        program.animates = True
        measure_first(report, program, STARTS, 80)
    program.animates = False
    if "keys" in parts:
        program.session = "keys"
        measure_keys(report, program, KEYS, is_largest)
    if not is_largest:
        return
    if "bytes" in parts:
        for program.session, program.animates in (("bytes", False), ("moving", True)):
            measure_bytes(report, program, QUIET_MOVING if program.animates else QUIET)
    program.session, program.animates = "memory", False
    if "memory" in parts:
        measure_memory(report, program)
    if "quit" in parts:
        measure_quit(report, program)
    program.session = "idle"


def measure_peer(report, program, parts, is_largest):
    if "first" in parts:
        measure_first(report, program, PEER_STARTS, "-")
    if is_largest and "keys" in parts:
        measure_keys(report, program, PEER_KEYS, is_largest)
    if is_largest and "bytes" in parts:
        measure_bytes(report, program, 0.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--posts", default="10000,50000,1000000", help="numbers of stored posts, measured in turn (default: %(default)s)")
    parser.add_argument("--only", default="first,keys,bytes,memory,quit,idle", help="parts to measure (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=10, help="seconds of idling to measure (default: %(default)s)")
    parser.add_argument("--programs", default=RELEASE, help="folder of stack-client and stack-daemon")
    parser.add_argument("--no-peers", action="store_true", help="do not measure newsboat and sfeed_curses")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    parts = options.only.split(",")
    counts = sorted(map(int, options.posts.split(",")))
    with contextlib.ExitStack() as stack:
        base = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stack-")))
        file = stack.enter_context(open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8"))
        report = Report(file)

        def folder(name):
            (base / name).mkdir(mode=0o700)
            return base / name

        largest = []
        peer_counts = [] if options.no_peers else [count for count in counts if count <= PEER_POSTS]
        for kind in (Sfeed, Newsboat):
            for count in peer_counts:
                program = stack.enter_context(filled(report, kind(folder(f"{kind.name}-{count}"), count)))
                measure_peer(report, program, parts, count == peer_counts[-1])
            if peer_counts:
                largest.append(program)
        for count in counts:
            program = stack.enter_context(filled(report, Stack(folder(f"stack-{count}"), count, options.programs)))
            measure_stack(report, program, parts, count == counts[-1])
            if count != counts[-1]:
                program.close()
        if "idle" in parts:
            measure_idle(report, [program, *largest], options.seconds)


if __name__ == "__main__":
    main()
