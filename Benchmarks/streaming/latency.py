"""From a command to the frame that shows it: to the view that gave it, and to a thousand others."""
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
        # Watchers read in another process, so that the one that posts is as quick as a client of its own.
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
    """Posts, and returns the last post's number."""
    load.do("reset")
    load.do("post", POSTS, PAUSE_MILLISECONDS)
    told = load.do("report")
    assert told["own"]["count"] == POSTS, f"the own view lost posts: {told}"
    report.add(f"unix: own command to own frame, {title}: p99", [told["own"]["p99"]], "ms", 2)
    report.add("  p50", [told["own"]["p50"]], "ms", "-")
    report.add("  p99 of the command's answer, safely stored", [told["answers"]["p99"]], "ms", "-")
    report.add("  p50 of it", [told["answers"]["p50"]], "ms", "-")
    return told["last"]
