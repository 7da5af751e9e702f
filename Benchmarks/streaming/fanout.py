"""Measures the fan-out of one post to many views: the CPU of a delivery in our server and the peers."""
import contextlib

import requests
from harness import BUILT, Daemon, Load, Peer, measured, spread

# A measurement takes about this much server CPU, within these numbers of posts.
CPU_SECONDS, MINIMUM_POSTS, MAXIMUM_POSTS = 0.3, 2, 60
PREFILLED = 300  # posts before the first view: every window is full, and numbers take two bytes in each frame
# Maximum of our cost divided by theirs, on Unix sockets and on TCP.
TARGETS = {"go-peer": ("Go gRPC", 0.5, 0.5), "cpp": ("C++ gRPC", 0.4, 0.4), "grpc-swift-peer": ("grpc-swift-2", 1 / 3, 1 / 3),
           "raw": ("raw libuv", 2.0, 1.6)}
MINIMUM_DELIVERIES_A_SECOND = 250_000  # with the most views, when the core is busy all the time


class Fanout:
    """All servers of one transport, running at once and measured in turn."""

    def __init__(self, report, options, make_folder, transport):
        self.report, self.options, self.make_folder, self.transport = report, options, make_folder, transport
        self.servers = {}

    def run(self):
        with contextlib.ExitStack() as stack:
            self.start(stack)
            idle = {}
            for name in self.servers:
                costs = [self.measure(name, 0, MAXIMUM_POSTS)[0] for _ in range(self.options.repetitions)]
                self.report.add(f"{self.title(name)}: server CPU a post nobody watches", [1e6 * cost for cost in costs], "us", "-")
                idle[name] = spread(costs)[0]
            opened = 0
            for views in self.options.views:
                # Views on one connection would share its writes, which would make the comparison unfair.
                if views > self.servers["Watch"][0].maximum_connections:
                    self.report.note(f"skipping {views} views: this daemon has a limit of 1,024 connections and no --max-connections")
                    break
                for _, load in self.servers.values():
                    load.do("watch", views - opened)
                opened = views
                self.compare(views, idle)

    def start(self, stack):
        ours = [Daemon(name, self.transport, self.make_folder(), stack, requests, acknowledges=name == "Attach")
                for name in ("Watch", "Attach")]
        for server in ours:
            load = Load(server, stack, server.folder)
            load.do("post", PREFILLED, 0)
            self.servers[server.name] = server, load
        payload = requests.frame_of_one_post(ours[0].path)
        self.report.note(f"{self.transport}: each post is a frame of {len(payload)} bytes, {self.options.pause} ms after the previous one")
        for name in TARGETS:
            if (BUILT / name).exists() and (name != "grpc-swift-peer" or self.options.grpc_swift):
                peer = Peer(name, self.transport, self.make_folder(), stack, payload)
                self.servers[name] = peer, Load(peer, stack, peer.folder)

    def measure(self, name, views, posts):
        """Measures one server; returns CPU seconds a post, CPU ticks and the load client's report."""
        server, load = self.servers[name]
        seconds, ticks, report = measured(server, load, "post", posts, self.options.pause)
        assert report["least"] == report["most"] == (posts if views else 0), f"{name} lost posts: {report}"
        return seconds / posts, ticks, report

    def posts(self, name, views):
        """Returns the number of posts of a measurement, from a short trial after a post that allocates each view's first memory."""
        self.measure(name, views, 1)
        cost, _, _ = self.measure(name, views, MINIMUM_POSTS)
        return max(MINIMUM_POSTS, min(MAXIMUM_POSTS, round(CPU_SECONDS / cost)))

    def compare(self, views, idle):
        """Measures every server in turn, as often as the options say, and reports the figures."""
        counts = {name: self.posts(name, views) for name in self.servers}
        costs, ticks, reports = ({name: [] for name in self.servers} for _ in range(3))
        names = list(self.servers)
        for repetition in range(self.options.repetitions):
            first = repetition % len(names)
            for name in names[first:] + names[:first]:
                seconds, spent, report = self.measure(name, views, counts[name])
                costs[name].append(1e6 * (seconds - idle[name]) * counts[name] / report["posts"])
                ticks[name].append(spent)
                reports[name].append(report)
        for name, values in costs.items():
            self.report.add(f"{self.title(name)}, {views} views: server CPU a delivery", values, "us", "-")
            user, system = map(sum, zip(*ticks[name]))
            self.report.add("  of it in the kernel", [spread(values)[0] * system / max(1, user + system)], "us", "-")
            self.report.note(f"{self.title(name)}: {self.describe(reports[name])}")
        middle = {name: spread(values)[0] for name, values in costs.items()}
        for name, (label, unix, tcp) in TARGETS.items():
            if name in middle:
                target = f"{unix if self.transport == 'unix' else tcp:.2f}"
                for kind in ("Watch", "Attach"):
                    title = f"{self.transport}, {views} views: ours, {kind} / {label}"
                    self.report.add(title, [middle[kind] / middle[name]], "x", target if kind == "Watch" else "-")
        if self.transport == "unix":
            title = f"unix, {views} views: ours, Watch, deliveries a core-second"
            target = MINIMUM_DELIVERIES_A_SECOND if views == max(self.options.views) else "-"
            self.report.add(title, [1e6 / cost for cost in costs["Watch"]], "/s", target)

    @staticmethod
    def describe(reports):
        """Describes the deliveries behind the costs."""
        posts, frames, wire = (sum(report[key] for report in reports) for key in ("posts", "frames", "wire"))
        latest = max(report["others"]["p99"] for report in reports)
        each = f"{wire / posts:.0f} bytes of HTTP/2 in {frames / posts:.2f} frames"
        return f"{posts} deliveries, each {each}; p99 {latest:.0f} ms after the post"

    def title(self, name):
        label = TARGETS[name][0] if name in TARGETS else f"ours, {name}"
        return f"{self.transport}, {label}"


def run(report, options, make_folder):
    for transport in options.transports:
        Fanout(report, options, make_folder, transport).run()
