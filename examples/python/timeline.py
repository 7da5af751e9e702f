#!/usr/bin/env python3
"""Prints the newest posts of a running stack-daemon, and with --follow each new one as it arrives.

    scripts/setup --python && examples/python/generate         # once
    .venv/bin/python examples/python/timeline.py --follow

The daemon lays out every row for the width of the terminal. This program cuts texts at the given bytes and prints them.
"""

import argparse
import os
import shutil
import sys
import time

import grpc
from address import daemon_socket
from stack.v1 import frames_pb2, types_pb2, view_service_pb2, view_service_pb2_grpc

MEDIA = {types_pb2.MEDIA_KIND_IMAGE: "image", types_pb2.MEDIA_KIND_VIDEO: "video", types_pb2.MEDIA_KIND_AUDIO: "audio"}


def lines(row):
    """Yields the lines of a row's text. Line ends count bytes; spaces and newlines at the end of a line are not printed."""
    text, start = row.text.encode(), 0
    for end in row.line_ends if text else ():
        yield text[start:end].decode().rstrip(" \n")
        start = end


def print_row(placed):
    """Prints one post."""
    row = placed.row
    if row.HasField("reposted_by"):
        print(f"reposted by {row.reposted_by.display_name} @{row.reposted_by.handle}")
    print(f"{row.author.display_name} @{row.author.handle} · {placed.label}")
    if row.content_warning:
        print(f"[warning: {row.content_warning}]")
    else:
        for line in lines(row):
            print(line)
    for media in row.media:
        print(f"[{MEDIA.get(media.kind, 'attachment')}: {media.alt_text or 'no description'}]")
    print(flush=True)


def newest(views, layout, count):
    """Returns the newest rows, oldest first; the daemon sends them newest first."""
    request = view_service_pb2.GetRowsRequest(layout=layout, count=count)
    return list(views.GetRows(request, timeout=10).rows)[::-1]


def follow(views, layout, known):
    """Prints the rows that come to stand above a known one. The first frame holds the present rows, each later one the changes."""
    subject = types_pb2.Subject(section=types_pb2.SECTION_TIMELINE)
    hello = frames_pb2.Hello(layout=layout, client="examples/python", subject=subject)
    while True:
        try:
            held = []  # ids, from top to bottom
            # wait_for_ready: waits while the daemon restarts, instead of failing.
            for frame in views.Watch(view_service_pb2.WatchRequest(hello=hello), wait_for_ready=True):
                arrived = {}
                for operation in frame.operations:
                    gone, inserted = operation.rows_removed.row_ids, operation.rows_inserted
                    held = [row for row in held if row not in gone]
                    at = held.index(inserted.after_row) + 1 if inserted.after_row else 0
                    held[at:at] = [placed.row.row_id for placed in inserted.rows]
                    arrived |= {placed.row.row_id: placed for placed in inserted.rows}
                # What stands below all known rows is older than they are.
                places = [index for index, row in enumerate(held) if row in known]
                for row in reversed(held[: places[-1]] if places else held):
                    if row in arrived and row not in known:
                        print_row(arrived[row])
                known = set(held)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
            time.sleep(0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--socket", default=daemon_socket(), help="socket of the daemon (default: %(default)s)")
    parser.add_argument("--width", type=int, default=min(shutil.get_terminal_size().columns, 100), help="width in cells")
    parser.add_argument("--count", type=int, default=20, help="number of posts to print first, 1 to 200")
    parser.add_argument("--follow", action="store_true", help="print new posts as they arrive, until Ctrl-C")
    options = parser.parse_args()
    layout = types_pb2.Layout(width=options.width, height=24, single_pane=True, whole_texts=True, time_zone=os.environ.get("TZ", ""))
    with grpc.insecure_channel(f"unix:{options.socket}") as channel:
        views = view_service_pb2_grpc.ViewServiceStub(channel)
        rows = newest(views, layout, options.count)
        for placed in rows:
            print_row(placed)
        if options.follow:
            follow(views, layout, {placed.row.row_id for placed in rows})


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except grpc.RpcError as error:
        sys.exit(f"timeline.py: {error.details()} ({error.code().name})")
