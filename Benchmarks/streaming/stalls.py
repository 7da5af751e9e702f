"""Measures ten thousand views, one in a hundred stalled, at twenty posts a second: the latency of the others, memory, and losses."""
import contextlib
import statistics
import time

import requests
from harness import Daemon, Load

VIEWS, STALLED_SHARE, POSTS_A_SECOND = 10_000, 100, 20
# The receive window of a stalled view: it holds a dozen posts before the stream stops. Other views have 1 MiB.
STALLED_WINDOW = 4096
PROCESSES = 2  # of the load client, because descriptors are limited
# Phases without and with stalled views take turns on the same views, because the machine's other work varies.
PHASES, PHASE_SECONDS, FULL_SECONDS = 3, 4, 60


class Crowd:
    """A daemon and its views, in several load clients; the first of them posts."""

    def __init__(self, views, make_folder, stack):
        self.daemon = Daemon("Watch", "unix", make_folder(), stack, requests)
        self.loads = [Load(self.daemon, stack, make_folder(), self.daemon.views_per_connection(views)) for _ in range(PROCESSES)]
        self.loads[0].do("post", 120, 0)
        self.stalled = views // PROCESSES // STALLED_SHARE
        for load in self.loads:
            load.do("watch", views // PROCESSES - self.stalled)
            load.do("watch", self.stalled, STALLED_WINDOW)
        self.sizes = []  # resident, in MB
        self.totals = dict.fromkeys(("behind", "behind_stalled", "lost", "passed", "repeated", "posts", "frames"), 0)

    def play(self, seconds, stalls):
        """Posts for a time; returns the p50 and p99 (ms) of the views that read, and the daemon's share of a core."""
        for load in self.loads:
            load.do("reset")
            load.do("stall", self.stalled if stalls else 0)
        before = self.daemon.cpu()
        self.loads[0].send("pace", POSTS_A_SECOND, seconds)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.sizes.append(self.daemon.memory()[0] / 1024)
            time.sleep(0.25)
        last = self.loads[0].read_reply()["last"]
        self.totals["behind"] += self.count_behind(last)
        cpu, _ = self.daemon.cpu().since(before)
        reports = self.reports()
        if stalls:
            for load in self.loads:
                load.do("stall", 0)
            self.totals["behind_stalled"] += self.count_behind(last)
        for report in self.reports():
            for key in ("lost", "passed", "repeated", "posts", "frames"):
                self.totals[key] += report[key]
        return *(max(report["others"][key] for report in reports) for key in ("p50", "p99")), cpu / seconds

    def count_behind(self, last):
        """Returns the number of reading views that do not get the last post within half a minute."""
        return sum(load.do("settle", last, 30)["behind"] for load in self.loads)

    def reports(self):
        return [load.do("report") for load in self.loads]


def run(report, options, make_folder):
    phases, seconds = (1, FULL_SECONDS) if options.full else (PHASES, PHASE_SECONDS)
    with contextlib.ExitStack() as stack:
        crowd = Crowd(options.stalls_views, make_folder, stack)
        results = {False: [], True: []}
        for _ in range(phases):
            for stalls in results:
                results[stalls].append(crowd.play(seconds, stalls))
        ended = sum(load["ended"] for load in crowd.reports())
    for stalls, figures in results.items():
        middle, late, busy = zip(*figures)
        stalled = crowd.stalled * PROCESSES if stalls else 0
        report.add(f"{options.stalls_views} views, {stalled} stalled, {POSTS_A_SECOND} posts/s, {seconds} s: p99", late, "ms", "-")
        report.add("  p50", middle, "ms", "-")
        report.add("  server CPU", busy, "s/s", "-")
    late = {stalls: statistics.median(figure[1] for figure in figures) for stalls, figures in results.items()}
    report.add("  p99 of the views that read, with stalled ones / without", [late[True] / late[False]], "x", 2)
    totals, sizes = crowd.totals, crowd.sizes
    quarter = len(sizes) // 4
    growth = statistics.mean(sizes[-quarter:]) - statistics.mean(sizes[quarter:2 * quarter])
    report.add("  resident: last quarter less second quarter", [growth], "MB", 0)
    report.add("  resident at most", [max(sizes)], "MB", "-")
    report.add("  views that read and missed a last post", [totals["behind"]], "", 0)
    report.add("  views that missed one after all read again", [totals["behind_stalled"]], "", 0)
    report.add("  views ended for standing still", [ended], "", "-")
    report.add("  posts lost, all views together", [totals["lost"]], "", 0)
    report.add("  posts that came twice", [totals["repeated"]], "", 0)
    report.add("  posts a window had moved past before its view was ready", [totals["passed"]], "", "-")
    report.add("  posts a frame", [totals["posts"] / totals["frames"]], "", "-")
