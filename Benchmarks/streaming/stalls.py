"""Ten thousand views, one in a hundred stalled, twenty posts a second: do the others notice, does memory grow, is anything lost?"""
import contextlib
import time

import requests
from harness import Daemon, Load

VIEWS, STALLED_SHARE, POSTS_A_SECOND = 10_000, 100, 20
# A stalled view's stream takes this much before it stands still; the others' is 1 MiB.
STALLED_WINDOW = 16_384
PROCESSES = 2  # of the load client: descriptors are capped


def run(report, options, make_folder):
    seconds = 60 if options.full else 10
    latencies = {}
    for stalled in (False, True):
        with contextlib.ExitStack() as stack:
            latencies[stalled] = play(report, options.stalls_views, stalled, seconds, make_folder, stack)
    report.add(f"{options.stalls_views} views: p99 with stalled ones / without", [latencies[True] / latencies[False]], "x", 2)


def play(report, views, stalled, seconds, make_folder, stack):
    """Posts for `seconds`; returns the p99 of the views that read, in ms."""
    daemon = Daemon("Watch", "unix", make_folder(), stack, requests)
    loads = [Load(daemon, stack, make_folder(), daemon.views_per_connection(views)) for _ in range(PROCESSES)]
    loads[0].do("post", 120, 0)
    each, still = views // PROCESSES, views // PROCESSES // STALLED_SHARE
    for load in loads:
        load.do("watch", each - still)
        load.do("watch", still, STALLED_WINDOW)
        load.do("reset")
        if stalled:
            load.do("stall", still)
    before, sizes = daemon.cpu(), []
    loads[0].begin("pace", POSTS_A_SECOND, seconds)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        sizes.append(daemon.memory()[0] / 1024)
        time.sleep(0.5)
    last = loads[0].answer()["last"]
    behind = sum(load.do("settle", last, 30)["behind"] for load in loads)
    cpu, _ = daemon.cpu().since(before)
    told = [load.do("report") for load in loads]
    title = f"{views} views, {POSTS_A_SECOND} posts/s, {seconds} s, {still * PROCESSES if stalled else 0} stalled"
    report.add(f"{title}: p99", [max(one["others"]["p99"] for one in told)], "ms", "-")
    report.add("  p50", [max(one["others"]["p50"] for one in told)], "ms", "-")
    report.add("  posts a frame", [sum(one["posts"] for one in told) / sum(one["frames"] for one in told)], "", "-")
    report.add("  server CPU", [cpu / seconds], "s/s", "-")
    quarter = len(sizes) // 4
    report.add("  resident: last quarter less second quarter", [mean(sizes[-quarter:]) - mean(sizes[quarter:2 * quarter])], "MB", 0)
    report.add("  resident at most", [max(sizes)], "MB", "-")
    report.add("  views that missed the last post, of those that read", [behind], "", 0)
    if stalled:
        for load in loads:
            load.do("stall", 0)
        behind = sum(load.do("settle", last, 30)["behind"] for load in loads)
        told = [load.do("report") for load in loads]
        report.add("  views that missed it after all read again", [behind], "", 0)
        report.add("  views ended for standing still", [sum(one["ended"] for one in told)], "", "-")
    report.add("  posts lost, all views together", [sum(one["lost"] for one in told)], "", 0)
    report.add("  posts a window had moved past before its view was ready", [sum(one["passed"] for one in told)], "", "-")
    report.add("  posts that came twice", [sum(one["repeated"] for one in told)], "", 0)
    return max(one["others"]["p99"] for one in told)


def mean(values):
    return sum(values) / len(values) if values else 0.0
