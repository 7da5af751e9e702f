"""The areas that measure a running daemon, through the tree's own harness, load client and messages."""
import contextlib
import re
import statistics
import subprocess
import tempfile
import time

from sample import Collector, children_cpu

PAUSE = 17  # ms between posts: the daemon sends a view at most one frame in 16 ms, so that each delivery is a frame
PREFILLED = 300  # posts before the first view: every window is full


@contextlib.contextmanager
def daemons(tree):
    """Yields the harness and a function that starts a daemon of the tree with a load client; both end with the block."""
    harness, requests = tree.module("harness"), tree.module("requests")
    with contextlib.ExitStack() as stack:
        base = stack.enter_context(tempfile.TemporaryDirectory(prefix="stack-"))
        make_folder = stack.enter_context(harness.folders(base))

        def start(kind):
            server = harness.Daemon(kind, "unix", make_folder(), stack, requests, acknowledges=kind == "Attach")
            return server, harness.Load(server, stack, server.folder)

        yield harness, start


def measure_fanout(tree, settings):
    """Measures server CPU a delivery over Unix sockets: the cost of posts with views less their cost without."""
    found = {}
    with daemons(tree) as (harness, start):
        for kind in ("Watch", "Attach"):
            server, load = start(kind)
            load.do("post", PREFILLED, 0)

            def cost(posts, views, server=server, load=load):
                """Returns the CPU of a post: the minimum of three, which the machine's other work disturbed least."""
                costs = []
                for _ in range(3):
                    seconds, _, report = harness.measured(server, load, "post", posts // 3, PAUSE)
                    assert report["least"] == report["most"] == (posts // 3 if views else 0), f"lost posts: {report}"
                    costs.append(1e6 * seconds / (posts // 3))
                return min(costs)

            idle = cost(settings.posts[0], 0)
            found[f"{kind}, a post nobody watches"] = idle, "us"
            opened = 0
            for views, posts in zip(settings.views, settings.posts):
                load.do("watch", views - opened)
                opened = views
                cost(3, views)  # allocates each view's first memory
                found[f"{kind}, a delivery to {views:,} views"] = (cost(posts, views) - idle) / views, "us"
    return found


def measure_latency(tree, settings):
    """Measures from a command to the frame of its own view, and the daemon's CPU for it."""
    found = {}
    with daemons(tree) as (harness, start):
        server, load = start("Attach")
        load.do("post", PREFILLED, 0)
        load.do("own")
        for where, others in (("alone", 0), (f"beside {settings.others} others", settings.others)):
            if others:
                load.do("watch", others)
            seconds, _, report = harness.measured(server, load, "post", settings.posts, PAUSE)
            assert report["own"]["count"] == settings.posts, f"the own view lost posts: {report}"
            found[f"own command to own frame {where}, p50"] = report["own"]["p50"], "ms"
            found[f"CPU a command {where}"] = 1e6 * seconds / settings.posts, "us"
    return found


def measure_memory(tree, settings):
    """Measures the resident memory of idle views and connections."""
    growth = tree.module("memory").growth
    found = {}
    with daemons(tree) as (_, start):
        for verb, name in (("watch", "an idle view and its connection"), ("connect", "an idle connection")):
            server, load = start("Watch")
            load.do("post", PREFILLED, 0)
            load.do(verb, 10)
            found[name] = growth(server, load, verb, settings.views)[0], "KB"
    return found


def measure_start(tree, settings):
    """Measures start-up with a new store, memory when ready, and the client's start."""
    harness, budgets = tree.module("harness"), tree.module("budgets")
    times, cpu, sizes = [], [], []
    for _ in range(settings.starts):
        with tempfile.TemporaryDirectory(prefix="stack-") as folder:
            daemon = budgets.Daemon(folder)
            cpu.append(1e3 * harness.CPU(daemon.process.pid).total)
            time.sleep(0.2)
            times.append(1e3 * daemon.listening)
            sizes.append(daemon.memory("VmRSS"))
            daemon.stop()
    before = children_cpu()
    for _ in range(settings.starts):
        subprocess.run([budgets.BIN / "stack-client", "--version"], check=True, stdout=subprocess.DEVNULL)
    version = 1e3 * (children_cpu() - before) / settings.starts
    return {"new store to listening": (statistics.median(times), "ms"), "new store to listening, CPU": (statistics.median(cpu), "ms"),
            "empty daemon, resident": (statistics.median(sizes), "MB"), "stack-client --version, CPU": (version, "ms")}


def measure_bytes(tree, settings):
    """Measures a session of scrolling and posting: bytes on the wire and the daemon's CPU."""
    harness, requests = tree.module("harness"), tree.module("requests")
    session = tree.module("session", STEPS=settings.steps, TICKS=0)
    # Until shortly after 93cdc55 the mirror lacked these operations, which do not concern the rows.
    for name in ("clock_moved", "selection_changed", "navigation_changed"):
        if not hasattr(session.Mirror, name):
            setattr(session.Mirror, name, lambda *_: None)
    with daemons(tree) as (_, start), contextlib.ExitStack() as stack:
        server, _ = start("Attach")
        channel = stack.enter_context(requests.grpc.insecure_channel(f"unix:{server.path}"))
        requests.fill(channel, session.posts(1000))
        before = harness.CPU(server.pid)
        player = session.Player(channel)
        session.play(player)
        seconds, _ = harness.CPU(server.pid).since(before)
        player.say.put(None)
        return {"to the client": (player.bytes["frames"] / 1000, "KB"), "from the client": (player.bytes["up"] / 1000, "KB"),
                "frames": (player.frames, ""), "CPU a frame": (1e6 * seconds / player.frames, "us")}


class DaemonCPU:
    """Sums the CPU seconds of the daemons that a module starts and stops."""

    def __init__(self, harness, module):
        self.seconds, self.harness, self.end = 0.0, harness, harness.stop
        module.stop = self.stop

    def stop(self, process):
        """Adds the CPU time of a daemon and stops it."""
        self.seconds += self.harness.CPU(process.pid).total
        self.end(process)

    def take_seconds(self):
        """Returns the seconds since the last call."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds


def measure_sections(tree, settings):
    """Measures an import, opening sections, writing posts and undoing changes, all on one store."""
    harness = tree.module("harness")
    module = tree.module("sections", TRIES=settings.tries, peer=lambda *_: None)
    cpu = DaemonCPU(harness, module)
    found, report = {}, Collector()
    with contextlib.ExitStack() as stack:
        base = stack.enter_context(tempfile.TemporaryDirectory(prefix="stack-"))
        make_folder = stack.enter_context(harness.folders(base))
        folder = make_folder()
        seconds = module.fill(folder, settings.posts)
        found["import over gRPC, posts a second"] = settings.posts / seconds, "/s"
        found["import over gRPC, CPU a post"] = 1e6 * cpu.take_seconds() / settings.posts, "us"
        module.measure_opening(report, settings, folder, make_folder())
        found["all openings, CPU"] = 1e3 * cpu.take_seconds() / settings.tries, "ms"
        write_with_clients(tree, settings, folder, found)
        module.measure_undoing(report, settings, folder, make_folder())
        found["marks and deletions taken back, CPU"] = 1e3 * cpu.take_seconds(), "ms"
    for name, values in report.figures.items():
        if match := re.search(r"posts: to the first frame of (.*)", name):
            found[f"opening {match[1]}"] = statistics.median(values), "ms"
        elif match := re.search(r"posts, one client: ([^/]*)$", name):
            found[match[1]] = statistics.median(values), "ms"
    return found


def write_with_clients(tree, settings, folder, found):
    """Measures clients that each send their next post once the one before is stored."""
    harness, requests = tree.module("harness"), tree.module("requests")
    for count in (1, settings.writers):
        with contextlib.ExitStack() as stack:
            server = harness.Daemon("Watch", "unix", folder, stack, requests)
            load = harness.Load(server, stack, folder)
            load.do("write", count, 1, 0)
            seconds, _, report = harness.measured(server, load, "write", count, settings.seconds, 0)
            assert report["refused"] == 0, report
            written = report["answers"]["count"]
            writers = "one client" if count == 1 else f"{count} clients"
            found[f"posts a second, {writers}"] = written / settings.seconds, "/s"
            found[f"CPU a post, {writers}"] = 1e6 * seconds / written, "us"


def measure_line(tree, settings):
    """Measures imports by the client, and its line mode."""
    harness, budgets = tree.module("harness"), tree.module("budgets")
    tools, found = tree.root / "Benchmarks", {}
    with tempfile.TemporaryDirectory(prefix="stack-") as folder:
        subprocess.run([tools / "make-posts.py", f"{folder}/posts.jsonl", str(settings.posts)], check=True)
        subprocess.run([tools / "make-tweets.py", folder, str(settings.tweets)], check=True)
        daemon = budgets.Daemon(folder)
        pid = daemon.process.pid

        def client(name, count, *arguments):
            """Calls the client once; adds the CPU of both programs, divided by `count`."""
            before, own = harness.CPU(pid), children_cpu()
            seconds = daemon.client(*arguments)
            found[f"{name}, daemon's CPU"] = 1e6 * harness.CPU(pid).since(before)[0] / count, "us"
            found[f"{name}, client's CPU"] = 1e6 * (children_cpu() - own) / count, "us"
            return seconds

        seconds = client("JSON Lines, a post", settings.posts, "import", "jsonl", f"{folder}/posts.jsonl", "-q")
        found["JSON Lines, posts a second"] = settings.posts / seconds, "/s"
        archive = ("import", "twitter-archive", f"{folder}/account.js", f"{folder}/tweets.js", "-q")
        seconds = client("tweets.js, a post", settings.tweets, *archive)
        found["tweets.js, posts a second"] = settings.tweets / seconds, "/s"
        client("tweets.js again, a post", settings.tweets, *archive)
        found["resident at most"] = daemon.memory("VmHWM"), "MB"
        daemon.client("timeline", "-n", "1")
        before, own = harness.CPU(pid), children_cpu()
        times = [daemon.client("timeline", "-n", "20", "--json") for _ in range(settings.calls)]
        found["timeline -n 20 --json"] = 1e3 * statistics.median(times), "ms"
        found["timeline -n 20 --json, daemon's CPU"] = 1e6 * harness.CPU(pid).since(before)[0] / settings.calls, "us"
        found["timeline -n 20 --json, client's CPU"] = 1e6 * (children_cpu() - own) / settings.calls, "us"
        daemon.stop()
    return found
