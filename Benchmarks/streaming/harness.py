"""Runs servers, reads their CPU time and memory, and drives the load client, for all streaming benchmarks."""
import contextlib
import json
import os
import pathlib
import select
import signal
import socket
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DAEMON = ROOT / ".build" / "release" / "stack-daemon"
BUILT = ROOT / ".build" / "benchmarks"
PATIENCE_SECONDS = 150  # longer than the load client's timeout


def start(command, **options):
    """Starts a child that dies with this process, however that ends. Its pipes are unbuffered here, so that select(2) is reliable."""
    return subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *map(str, command)], stdout=subprocess.PIPE, bufsize=0, **options)


def read_line(process, seconds=PATIENCE_SECONDS):
    """Returns the next line of a child's standard output. The child must print one line at a time."""
    if not select.select([process.stdout], [], [], seconds)[0]:
        raise TimeoutError(f"no output from {process.args[3]} for {seconds} s")
    line = process.stdout.readline().decode()
    if not line:
        raise ChildProcessError(f"{process.args[3]} exited with code {process.wait(10)}")
    return line


def stop(process):
    """Terminates a child, and kills it after ten seconds."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


class CPU:
    """CPU time of a process: in total, in seconds, to the nanosecond; in user mode and in the kernel, in ticks of 10 ms."""

    def __init__(self, process):
        # As clock_getcpuclockid(3) computes it: bits 3 and up are the inverted pid, the low ones mean "scheduler's clock".
        self.total = time.clock_gettime(~process << 3 | 2)
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        self.user, self.system = int(fields[11]), int(fields[12])

    def since(self, before):
        """Returns the seconds since an earlier reading, and the ticks in user mode and in the kernel for the ratio of the two."""
        return self.total - before.total, (self.user - before.user, self.system - before.system)


class Server:
    """A server under test. `transport` is "unix" or "tcp"."""

    first_frame = False
    raw = False
    view_path, post_path = "/bench.Fanout/Watch", "/bench.Fanout/Publish"
    view_body, post_body = b"", b""
    acknowledges = False
    token = None
    maximum_connections = None

    def __init__(self, name, transport, folder):
        self.name, self.transport, self.folder = name, transport, folder
        if transport == "unix":
            self.address = f"unix:{folder}/socket"
        else:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.address = f"tcp:{probe.getsockname()[1]}"

    def run(self, stack, command):
        self.process = start(command)
        stack.callback(stop, self.process)
        while read_line(self.process, 20) != "ready\n":
            pass
        self.pid = self.process.pid

    def cpu(self):
        return CPU(self.pid)

    def memory(self):
        """Returns the resident and the proportional size in KB."""
        with open(f"/proc/{self.pid}/smaps_rollup", encoding="ascii") as rollup:
            sizes = {line.split(":")[0]: int(line.split()[1]) for line in rollup if line.startswith(("Rss:", "Pss:"))}
        return sizes["Rss"], sizes["Pss"]


class Peer(Server):
    """One of the peers. It sends `payload`, a real frame with a new stamp for each post."""

    def __init__(self, name, transport, folder, stack, payload):
        super().__init__(name, transport, folder)
        self.post_body = payload
        if name == "raw":
            self.raw, self.view_path, self.post_path = True, "W", "P"
        self.run(stack, [BUILT / name, self.address])


class Daemon(Server):
    """stack-daemon with a new store. `acknowledges` makes its views Attach instead of Watch."""

    first_frame = True
    post_path = "/stack.v1.TimelineService/Compose"

    def __init__(self, name, transport, folder, stack, requests, acknowledges=False):
        super().__init__(name, transport, folder)
        self.acknowledges = acknowledges
        self.view_path = f"/stack.v1.ViewService/{'Attach' if acknowledges else 'Watch'}"
        self.view_body = requests.attach if acknowledges else requests.watch
        self.post_body = requests.compose
        self.path = f"{folder}/socket"
        command = [DAEMON, "--socket", self.path, "--store", f"{folder}/store.db", "--token-file", f"{folder}/token"]
        if transport == "tcp":
            command += ["--listen", f"127.0.0.1:{self.address.split(':')[1]}"]
        self.maximum_connections = 1000
        if b"--max-connections" in subprocess.run([DAEMON, "--help"], capture_output=True, check=True).stdout:
            command += ["--max-connections", "12000"]
            # A quarter is reserved for the Unix socket.
            self.maximum_connections = 11_900 if transport == "unix" else 8_900
        self.run(stack, command)
        if transport == "tcp":
            self.token = "Bearer " + pathlib.Path(f"{folder}/token").read_text(encoding="ascii").strip()

    def views_per_connection(self, views):
        """Returns the minimum that the daemon's limit of connections allows: 1, except for old daemons."""
        return -(-views // self.maximum_connections)


class Load:
    """The load client, connected to a server. load/main.c lists its commands; each returns a dictionary."""

    def __init__(self, server, stack, folder, views_per_connection=1):
        self.server = server
        body = pathlib.Path(folder)
        (body / "view-body").write_bytes(server.view_body)
        (body / "post-body").write_bytes(server.post_body)
        command = [BUILT / "load", "--address", server.address, "--view-path", server.view_path, "--view-body", body / "view-body",
                   "--post-path", server.post_path, "--post-body", body / "post-body",
                   "--views-per-connection", views_per_connection]
        command += ["--raw"] * server.raw + ["--acknowledge"] * server.acknowledges + ["--opened-by-frame"] * server.first_frame
        if server.token:
            command += ["--token", server.token]
        self.process = start(command, stdin=subprocess.PIPE)
        stack.callback(stop, self.process)

    def send(self, *words):
        """Sends a command without waiting for the reply."""
        self.process.stdin.write((" ".join(map(str, words)) + "\n").encode())
        self.process.stdin.flush()

    def read_reply(self):
        return json.loads(read_line(self.process))

    def do(self, *words):
        self.send(*words)
        return self.read_reply()


def measured(server, load, *words):
    """Runs one command; returns the CPU seconds of the server, its ticks and the load client's report."""
    load.do("reset")
    before = server.cpu()
    load.do(*words)
    seconds, ticks = server.cpu().since(before)
    return seconds, ticks, load.do("report")


def spread(values):
    """Returns median, minimum and maximum."""
    return statistics.median(values), min(values), max(values)


def percentile(values, share):
    """Returns the value that a `share` of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@contextlib.contextmanager
def folders(base):
    """Yields a function that makes a new folder with a short path (that of a socket is limited to 107 bytes)."""
    count = 0

    def make():
        nonlocal count
        count += 1
        path = f"{base}/{count}"
        os.mkdir(path, 0o700)
        return path

    yield make
