"""Fan-out of one post to many views: server CPU a delivery, ours and the peers', and the sizes of idle views."""
import contextlib

import requests
from harness import BUILT, Daemon, Load, Peer, measured, spread

# Rounds for a number of views: a tenth of a second of server CPU or more, whoever serves.
ROUNDS = {100: 100, 1000: 20, 5000: 6}
PREFILLED = 300  # posts before the first view: every window is full, and numbers take two bytes in every frame
# Ours divided by theirs, at most (issue 3).
TARGETS = {"go-peer": ("Go gRPC", 0.5, 0.5), "cpp": ("C++ gRPC", 0.4, 0.4), "grpc-swift-peer": ("grpc-swift-2", 1 / 3, 1 / 3),
           "raw": ("raw libuv", 2.0, 1.6)}  # on Unix sockets, on TCP
LEAST_DELIVERIES_A_SECOND = 250_000


class Fanout:
    """All servers of one transport, alive at once, measured in turn."""

    def __init__(self, report, options, make_folder, transport):
        self.report, self.options, self.make_folder, self.transport = report, options, make_folder, transport
        self.servers = {}

    def run(self):
        with contextlib.ExitStack() as stack:
            self.start(stack)
            idle = {name: self.measure(name, 0)[0] for name in self.servers}
            for name, seconds in idle.items():
                self.report.add(f"{self.title(name)}: server CPU a post nobody watches", [1e6 * seconds], "us", "-")
            opened = 0
            for views in self.options.views:
                for _, load in self.servers.values():
                    load.do("watch", views - opened)
                opened = views
                self.compare(views, idle)

    def start(self, stack):
        largest = max(self.options.views)
        ours = [Daemon(name, self.transport, self.make_folder(), stack, requests, acknowledges=name == "Attach")
                for name in ("Watch", "Attach")]
        for server in ours:
            load = Load(server, stack, server.folder, server.views_per_connection(largest))
            load.do("post", PREFILLED, 0)
            self.servers[server.name] = server, load
        payload = requests.frame_of_one_post(ours[0].path)
        self.report.note(f"{self.transport}: a post is a frame of {len(payload)} bytes"
                         + f"; {ours[0].views_per_connection(largest)} view(s) a connection for ours, one for peers")
        for name in TARGETS:
            if (BUILT / name).exists() and (name != "grpc-swift-peer" or self.options.grpc_swift):
                peer = Peer(name, self.transport, self.make_folder(), stack, payload)
                self.servers[name] = peer, Load(peer, stack, peer.folder)

    def measure(self, name, views):
        """(CPU seconds a post, share in the kernel, deliveries a post, report) of one server."""
        server, load = self.servers[name]
        rounds = ROUNDS.get(views) or max(6, 20_000 // max(views, 200))
        seconds, kernel, report = measured(server, load, "post", rounds, 0)
        assert report["least"] == report["most"] == (rounds if views else 0), f"{name} lost posts: {report}"
        return seconds / rounds, kernel, report["posts"] / rounds, report

    def compare(self, views, idle):
        costs, kernels, reports = ({name: [] for name in self.servers} for _ in range(3))
        for repetition in range(self.options.repetitions):
            names = list(self.servers)
            for name in names[repetition % len(names):] + names[:repetition % len(names)]:
                seconds, kernel, deliveries, report = self.measure(name, views)
                costs[name].append(1e6 * (seconds - idle[name]) / deliveries)
                kernels[name].append(kernel)
                reports[name].append(report)
        for name, values in costs.items():
            self.report.add(f"{self.title(name)}, {views} views: server CPU a delivery", values, "us", "-")
            self.report.add("  of it in the kernel", [cost * share for cost, share in zip(values, kernels[name])], "us", "-")
            wire, frames = self.wire(reports[name])
            self.report.note(f"{self.title(name)}: {wire:.0f} bytes of HTTP/2 and {frames:.2f} frames a delivery")
        middle = {name: spread(values)[0] for name, values in costs.items()}
        for name, (label, unix, tcp) in TARGETS.items():
            if name in middle:
                title = f"{self.transport}, {views} views: ours / {label}"
                self.report.add(title, [middle["Watch"] / middle[name]], "x", f"{unix if self.transport == 'unix' else tcp:.2f}")
        if self.transport == "unix":
            title = f"unix, {views} views: ours, deliveries a core-second"
            self.report.add(title, [1e6 / cost for cost in costs["Watch"]], "/s", LEAST_DELIVERIES_A_SECOND)

    def title(self, name):
        label = TARGETS[name][0] if name in TARGETS else f"ours, {name}"
        return f"{self.transport}, {label}"

    @staticmethod
    def wire(reports):
        """(bytes read from sockets, frames) a delivery."""
        posts = sum(report["posts"] for report in reports)
        return sum(report["wire"] for report in reports) / posts, sum(report["frames"] for report in reports) / posts


def run(report, options, make_folder):
    for transport in options.transports:
        Fanout(report, options, make_folder, transport).run()
