"""Measures the resident memory of an idle view and of an idle connection."""
import contextlib

import requests
from harness import BUILT, Daemon, Load, Peer

VIEWS = 5000


def run(report, options, make_folder):
    del options
    with contextlib.ExitStack() as stack:
        daemon = Daemon("Watch", "unix", make_folder(), stack, requests)
        # Each view has its own connection; an old daemon limits their number.
        count = min(VIEWS, daemon.maximum_connections - 100)
        load = Load(daemon, stack, daemon.folder)
        load.do("post", 120, 0)
        load.do("watch", 10)  # excludes one-time costs of the first views
        payload = requests.frame_of_one_post(daemon.path)
        resident, proportional = growth(daemon, load, "watch", count)
        report.add(f"unix: resident an idle view and its connection, of {count}", [resident], "KB", 16)
        report.add("  proportional", [proportional], "KB", "-")
        for name, label in (("cpp", "C++ gRPC"), ("go-peer", "Go gRPC"), ("raw", "raw libuv")):
            if (BUILT / name).exists():
                peer = Peer(name, "unix", make_folder(), stack, payload)
                watchers = Load(peer, stack, peer.folder)
                watchers.do("watch", 10)
                report.add(f"  {label}: resident an idle watcher", [growth(peer, watchers, "watch", VIEWS)[0]], "KB", "-")
    with contextlib.ExitStack() as stack:
        daemon = Daemon("Watch", "unix", make_folder(), stack, requests)
        load = Load(daemon, stack, daemon.folder)
        load.do("connect", 10)
        resident, proportional = growth(daemon, load, "connect", count)
        report.add("unix: resident an idle connection without a view", [resident], "KB", "-")
        report.add("  proportional", [proportional], "KB", "-")


def growth(server, load, verb, count):
    """Returns the resident and proportional KB that each of `count` more adds."""
    before = server.memory()
    load.do(verb, count)
    after = server.memory()
    return tuple((late - early) / count for early, late in zip(before, after))
