"""Measures the full screen of stack-client on a pseudo-terminal."""
import re
import statistics
import tempfile

from sample import Collector

# Names in Benchmarks/screen.py, and names here.
NAMES = [
    (r"first post on the screen$", "first post", "ms"),
    (r"key to first byte, p50$", "key to first byte, p50", "ms"),
    (r"key to the last byte, p50$", "key to last byte, p50", "ms"),
    (r"j in the middle$", "j", "B"),
    (r"full repaint$", "full repaint", "B"),
    (r"resident after opening$", "resident after opening", "MB"),
    (r"after [\d,]+ keys$", "resident after keys", "MB"),
]


def measure_screen(tree, settings):
    """Measures the first post, keys, bytes and memory of the client, and its CPU for each."""
    harness, terminal, programs = tree.module("harness"), tree.module("terminal"), tree.module("programs")
    module = tree.module("screen", KEYS=settings.keys, BYTE_KEYS=settings.byte_keys, MANY_KEYS=settings.many_keys)
    cpu = ClientCPU(harness, terminal.Terminal)
    report, found = Collector(), {}
    with tempfile.TemporaryDirectory(prefix="stack-") as folder:
        program = programs.Stack(folder, settings.posts)
        try:
            program.fill()
            program.open()[0].end()
            module.rest(program.daemon.pid)
            cpu.take_seconds()
            program.session, program.animates = "first", True
            module.measure_first(report, program, settings.starts, "-")
            found["first post, client's CPU"] = 1e3 * cpu.take_seconds() / settings.starts, "ms"
            program.session, program.animates = "keys", False
            module.measure_keys(report, program, settings.keys, False)
            found["keys, client's CPU"] = 1e3 * cpu.take_seconds(), "ms"
            program.session = "bytes"
            module.measure_bytes(report, program, module.QUIET)
            cpu.take_seconds()
            program.session = "memory"
            module.measure_memory(report, program)
            found["many keys, client's CPU"] = 1e3 * cpu.take_seconds(), "ms"
            found["daemon's CPU"] = 1e3 * harness.CPU(program.daemon.pid).total, "ms"
        finally:
            program.close()
    for name, values in report.figures.items():
        for pattern, short_name, unit in NAMES:
            if re.search(pattern, name):
                found[short_name] = statistics.median(values), unit
    return found


class ClientCPU:
    """Sums the CPU seconds of programs as their terminals end."""

    def __init__(self, harness, terminal):
        self.seconds = 0.0
        end = terminal.end

        def add_and_end(terminal):
            if terminal.pid is not None:
                self.seconds += harness.CPU(terminal.pid).total
            end(terminal)

        terminal.end = add_and_end

    def take_seconds(self):
        """Returns the seconds since the last call."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds
