"""Measures from a command to the frame that shows it, in its own view and in a thousand others."""
import contextlib

import requests
from harness import Daemon, Load

OTHERS = 1000
POSTS, PAUSE_MILLISECONDS = 200, 20


def run(report, options, make_folder):
    del options
    with contextlib.ExitStack() as stack:
        attach = Daemon("Attach", "unix", make_folder(), stack, requests, acknowledges=True)
        own = Load(attach, stack, attach.folder)
        own.do("post", 120, 0)
        own.do("own")
        measure(report, own, "alone")
        # The watchers read in another process, so that the posting client is not slowed down.
        attach.acknowledges, attach.view_path, attach.view_body = False, "/stack.v1.ViewService/Watch", requests.watch
        others = Load(attach, stack, make_folder(), attach.views_per_connection(OTHERS))
        others.do("watch", OTHERS)
        others.do("reset")
        last = measure(report, own, f"beside {OTHERS} other views")
        assert others.do("settle", last, 30)["behind"] == 0
        seen = others.do("report")
        assert seen["least"] == seen["most"] == POSTS, f"views lost posts: {seen}"
        latency = seen["others"]
        report.add(f"unix: a command to the frame of {OTHERS} others: p99", [latency["p99"]], "ms", 25)
        report.add("  p50", [latency["p50"]], "ms", "-")


def measure(report, load, title):
    """Measures posts, and returns the number of the last one."""
    load.do("reset")
    load.do("post", POSTS, PAUSE_MILLISECONDS)
    counts = load.do("report")
    assert counts["own"]["count"] == POSTS, f"the own view lost posts: {counts}"
    report.add(f"unix: own command to own frame, {title}: p99", [counts["own"]["p99"]], "ms", 2)
    report.add("  p50", [counts["own"]["p50"]], "ms", "-")
    report.add("  p99 of the command's answer, safely stored", [counts["answers"]["p99"]], "ms", "-")
    report.add("  p50 of it", [counts["answers"]["p50"]], "ms", "-")
    return counts["last"]
