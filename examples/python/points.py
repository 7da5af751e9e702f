#!/usr/bin/env python3
"""Draws the newest posts of a running stack-daemon in a proportional font, as a pane on an iPad, to standard output as SVG.

    scripts/setup --python && examples/python/generate         # once
    .venv/bin/python examples/python/points.py > timeline.svg

It declares the widths of its font's characters. The daemon replies with line ends and row heights, so it measures nothing itself.
"""

import argparse
import html
import os
import sys

import grpc
from address import daemon_socket
from stack.v1 import frames_pb2, types_pb2, view_service_pb2, view_service_pb2_grpc

# Helvetica's widths of U+0020 to U+007E, in 1/1000 of its size (Adobe's font metrics; Arial and Liberation Sans share them).
HELVETICA = """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667
667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500
556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"""
SIZE, LINE_HEIGHT = 15, 19


def layout(width, height):
    """Returns the layout of a view in that font at 15 points. Other measures default to those of the original iPad."""
    advances = [round(int(number) * SIZE * 64 / 1000) for number in HELVETICA.split()]
    points = types_pb2.PointMetrics(line_height=LINE_HEIGHT, default_advance=advances[ord("n") - 32], wide_advance=SIZE * 64)
    points.advances.add(first=0x20, advances=advances)
    return types_pb2.Layout(width=width, height=height, points=points, time_zone=os.environ.get("TZ", ""))


def read_top_pane(views, layout):
    """Returns the place of the top pane and its present rows. While the pane is loading, its rows follow in a later frame."""
    subject = types_pb2.Subject(section=types_pb2.SECTION_TIMELINE)
    hello = frames_pb2.Hello(layout=layout, client="examples/python", subject=subject)
    place, rows, loading = None, [], {}
    for frame in views.Watch(view_service_pb2.WatchRequest(hello=hello)):
        for operation in frame.operations:
            if operation.HasField("stack_moved"):
                place = operation.stack_moved.frames[-1]
            if operation.HasField("pane_state"):
                loading[operation.pane_state.pane_id] = operation.pane_state.loading
            if place and operation.rows_inserted.pane_id == place.pane_id:
                rows += operation.rows_inserted.rows
        if not frame.more and place and (rows or not loading.get(place.pane_id)):
            return place, rows


def text_element(x, y, text, style=""):
    """Returns a line of text with its baseline at y."""
    return f'<text x="{x}" y="{y}" {style}>{html.escape(text)}</text>'


def row_elements(place, placed, top):
    """Yields the elements of a row whose upper edge is at `top`, in the order of docs/BEHAVIOUR.md, rule 20."""
    row, x = placed.row, place.x + place.text_x
    size = f'width="{place.column_width}" height="{row.height}" rx="{6 * (placed.caps > 0)}"'
    yield f'<rect x="{place.x + place.column_x}" y="{top}" {size}/>'
    if row.HasField("reposted_by"):
        yield text_element(x, top + 14, f"reposted by {row.reposted_by.display_name}", 'class="faint"')
        top += LINE_HEIGHT
    yield f'<rect x="{place.x + place.column_x + 12}" y="{top + 12}" width="48" height="48" rx="3" class="avatar"/>'
    yield text_element(x, top + 12 + 14, f"{row.author.display_name} · {placed.label}", 'class="author"')
    text, start = row.text.encode(), 0
    for number, end in enumerate(row.line_ends):
        yield text_element(x, top + 35 + number * LINE_HEIGHT + 15, text[start:end].decode().rstrip(" \n"))
        start = end


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--socket", default=daemon_socket(), help="socket of the daemon (default: %(default)s)")
    parser.add_argument("--width", type=int, default=1024, help="width of the view in points (default: %(default)s)")
    parser.add_argument("--height", type=int, default=768, help="height of the view in points (default: %(default)s)")
    options = parser.parse_args()
    with grpc.insecure_channel(f"unix:{options.socket}") as channel:
        place, rows = read_top_pane(view_service_pb2_grpc.ViewServiceStub(channel), layout(options.width, options.height))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{options.width}" height="{options.height}">')
    print(f"<style>text {{ font: {SIZE}px Helvetica, Arial, 'Liberation Sans'; white-space: pre }} .author {{ font-weight: bold }}")
    print("rect { fill: white; stroke: #ccc } .avatar { fill: #ddd } .faint { fill: gray }</style>")
    top = 0
    for placed in rows:
        print(*row_elements(place, placed, top), sep="\n")
        top += placed.row.height
    print("</svg>")


if __name__ == "__main__":
    try:
        main()
    except grpc.RpcError as error:
        sys.exit(f"points.py: {error.details()} ({error.code().name})")
