#!/usr/bin/env python3
"""Shows the pane stack of a session in the terminal, live, and in step with every other view of the session.

    scripts/setup --python && examples/python/generate         # once
    .venv/bin/python examples/python/viewer.py                 # j and k scroll, q quits

    stack-client pane open mentions                            # in another terminal: this view changes too
    stack-client pane push author @ann

The daemon computes everything: the places of panes, line ends, the row at the top of the screen and the menu. mirror.py keeps that
state, and this program draws it. The terminal's title shows the view's ID, for `stack-client pane slide left --view N`.
"""

import argparse
import os
import queue
import signal
import sys
import termios
import threading
import tty
import unicodedata

import grpc
from address import daemon_socket
from mirror import Mirror
from stack.v1 import frames_pb2, types_pb2, view_service_pb2_grpc

TITLES = 1  # lines above the panes, for their titles


class Canvas:
    """A grid of cells. Later text overwrites earlier text, and text outside the grid is clipped."""

    def __init__(self, columns, lines):
        self.columns, self.cells = columns, [[" "] * columns for _ in range(lines)]

    def put(self, x, y, text, width):
        """Draws a text into `width` cells: cut if it is longer, padded with spaces if it is shorter."""
        end = x + width
        for character in text:
            cells = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if unicodedata.category(character) in ("Cf", "Me", "Mn"):
                continue
            if x + cells > end:
                break
            self.set(x, y, character if 0 <= x and x + cells <= self.columns else " ")
            if cells == 2:
                self.set(x + 1, y, "")
            x += cells
        for x in range(x, end):
            self.set(x, y, " ")

    def set(self, x, y, character):
        if 0 <= x < self.columns and 0 <= y < len(self.cells):
            self.cells[y][x] = character

    def show(self):
        """Writes each line at its own position, so that a character of unexpected width spoils only its own line."""
        sys.stdout.write("".join(f"\x1b[{y + 1};1H\x1b[K{''.join(line).rstrip()}" for y, line in enumerate(self.cells)))


def row_lines(placed):
    """Yields the lines of a row: day, reposter, author, text and counts, then empty lines without end to fill its height."""
    row, start = placed.row, 0
    if placed.day_height:
        yield placed.day
    if row.HasField("reposted_by"):
        yield f"reposted by @{row.reposted_by.handle}"
    yield f"{row.author.display_name} @{row.author.handle} · {placed.label}"
    text = row.text.encode()
    for end in row.line_ends:
        yield text[start:end].decode().rstrip(" \n")
        start = end
    if row.folded_lines:
        yield f"… {row.folded_lines} more lines"
    hidden = f" · {placed.collapsed_replies} hidden" if placed.collapsed_replies else ""
    replies = "1 reply" if row.counts.replies == 1 else f"{row.counts.replies} replies"
    yield f"{row.row_id} · {replies}{hidden}"
    while True:
        yield ""


def paint_pane(canvas, pane, frame):
    """Draws a pane at its frame: the title, and below it the lines from the anchor on."""
    canvas.put(frame.x, 0, f" {pane.header.title} {pane.header.query}", frame.width)
    lines, first, texts = pane.lines(), pane.first_line(), {}
    for y in range(TITLES, len(canvas.cells)):
        canvas.put(frame.x, y, "", frame.width)
    for n, (placed, line) in enumerate(lines[:first + len(canvas.cells) - TITLES]):
        text = next(texts.setdefault(placed.row.row_id, row_lines(placed)))
        if n < first:
            continue
        y, indent = n - first + TITLES, frame.indent * placed.depth
        left, right = frame.x + frame.column_x + indent, frame.x + frame.column_x + frame.column_width - 1
        if line == placed.day_height + placed.row.height - 1:
            canvas.put(left, y, "─" * frame.width, right - left)
        else:
            canvas.put(frame.x + frame.text_x + indent, y, text, frame.text_width - indent)
        if not frame.compact:
            canvas.put(left, y, ">" if placed.row.row_id == pane.selected else "│", 1)
            canvas.put(right, y, "│", 1)


def paint(mirror, size):
    """Draws the whole screen: the menu first, then the panes, later ones above earlier ones."""
    canvas, navigation = Canvas(*size), mirror.navigation
    if navigation:
        canvas.put(0, 0, navigation.account.display_name, navigation.width)
        for y, row in enumerate(navigation.rows):
            label = row.icon if navigation.compact else f"{row.icon} {row.label}"
            unseen = f" {row.unseen}" if row.unseen else ""
            canvas.put(0, 2 + 2 * y, f"{'>' if row.selected else ' '}{label}{unseen}", navigation.width)
    for frame in mirror.frames:
        paint_pane(canvas, mirror.panes[frame.pane_id], frame)
    sys.stdout.write(f"\x1b[?25l\x1b]2;view {mirror.view_id}\x1b\\")
    canvas.show()
    sys.stdout.flush()


def scroll(pane, lines, height, generation):
    """Moves a pane by some lines within the rows it holds; returns the viewport to send to the daemon."""
    held = pane.lines()
    placed, line = held[max(0, min(pane.first_line() + lines, len(held) - height))]
    pane.anchor = (placed.row.row_id, line)
    return frames_pb2.Viewport(pane_id=pane.header.pane_id, anchor_row=placed.row.row_id, line=line, generation=generation)


def view(stub, session, events):
    """Runs one view from hello to bye; returns the error that ended it, or None if the user did."""
    outgoing, mirror, moves = queue.SimpleQueue(), Mirror(), 0

    def receive(frames):
        try:
            for frame in frames:
                events.put(("frame", frame))
            events.put(("end", None))
        except grpc.RpcError as error:
            events.put(("end", error))

    def layout():
        return types_pb2.Layout(width=size[0], height=size[1] - TITLES, time_zone=os.environ.get("TZ", ""))

    size = os.get_terminal_size()
    outgoing.put(frames_pb2.ClientFrame(hello=frames_pb2.Hello(session=session, layout=layout(), client="viewer.py")))
    threading.Thread(target=receive, args=(stub.Attach(iter(outgoing.get, None)),), daemon=True).start()
    while True:
        kind, value = events.get()
        if kind == "end":
            outgoing.put(None)
            return value
        if kind == "frame":
            mirror.apply(value)
            outgoing.put(frames_pb2.ClientFrame(ack=frames_pb2.Ack(frame=value.number)))
        elif kind == "size":
            size = os.get_terminal_size()
            outgoing.put(frames_pb2.ClientFrame(layout=layout()))
        elif value == "q":
            outgoing.put(frames_pb2.ClientFrame(bye=frames_pb2.Bye()))
        elif value in "jk" and mirror.frames and (pane := mirror.panes[mirror.frames[-1].pane_id]).rows:
            moves += 1
            outgoing.put(frames_pb2.ClientFrame(viewport=scroll(pane, 1 if value == "j" else -1, size[1] - TITLES, moves)))
        if kind != "frame" or not value.more:
            paint(mirror, size)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--socket", default=daemon_socket(), help="socket of the daemon (default: %(default)s)")
    parser.add_argument("--session", default="main", help="session to show (default: %(default)s)")
    options = parser.parse_args()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.exit("viewer.py: needs a terminal; timeline.py prints posts in scripts")
    events, before = queue.SimpleQueue(), termios.tcgetattr(sys.stdin)
    signal.signal(signal.SIGWINCH, lambda *_: events.put(("size", None)))

    def read_keys():
        while key := sys.stdin.read(1):
            events.put(("key", key))

    tty.setcbreak(sys.stdin)
    threading.Thread(target=read_keys, daemon=True).start()
    try:
        with grpc.insecure_channel(f"unix:{options.socket}") as channel:
            error = view(view_service_pb2_grpc.ViewServiceStub(channel), options.session, events)
    except KeyboardInterrupt:
        error = None
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
        print("\x1b[?25h")
    if error:
        sys.exit(f"viewer.py: {error.details()} ({error.code().name})")


if __name__ == "__main__":
    main()
