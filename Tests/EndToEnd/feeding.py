"""A stack-feeds spoken to as the daemon speaks to it, and servers on loopback for it to ask."""

import contextlib
import json
import queue
import socket
import subprocess
import threading
import time

from conftest import BIN, PATIENCE, wait_until


ADDRESSES = [f"127.0.0.{number}" for number in range(1, 13)]


class Connector:
    """A running stack-feeds. Batches are answered at once, and what they store is kept as the daemon would."""

    def __init__(self, *options):
        self.process = subprocess.Popen([BIN / "stack-feeds", *map(str, options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines, self.said = queue.Queue(), []
        self.posts, self.people, self.cursors, self.status = {}, {}, {}, {}
        self.answers = True  # False leaves batches unanswered
        self.untold = set()  # the feeds whose last check is stored, and whose status has not come yet
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def tell(self, **line):
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def feed(self, name, url, cursors=None, **settings):
        self.tell(tell="feed", feed=name, url=url, cursors=cursors or {}, settings=settings)

    def ready(self, credit=8):
        self.tell(tell="ready", now=int(time.time() * 1000), credit=credit)

    def take(self, line):
        """Does with a line what the daemon does."""
        self.said.append(line)
        if line.get("say") == "status":
            self.status[line["feed"]] = line
            self.untold.discard(line["feed"])
        if line.get("say") == "batch" and self.answers:
            self.store(line)
            if line["cursors"].get("last"):
                self.untold.add(line["feed"])
            self.tell(did=line["batch"], revision=1)

    def store(self, batch):
        for item in batch["items"]:
            if post := item.get("post"):
                self.posts[batch["feed"], post["id"]] = post
            elif person := item.get("person"):
                self.people[batch["feed"]] = person
        stored = self.cursors.setdefault(batch["feed"], {})
        for name, value in batch["cursors"].items():
            stored.pop(name, None)
            if value is not None:
                stored[name] = value

    def until(self, condition, what):
        """Takes lines until `condition()` holds."""

        def met():
            with contextlib.suppress(queue.Empty):
                while True:
                    self.take(self.lines.get_nowait())
            return condition()

        return wait_until(met, what)

    def checked(self, *feeds):
        """Waits until each of `feeds` has been checked."""
        states = ("polling", "waiting", "failing", "off")
        self.until(lambda: all(self.status.get(f, {}).get("state") in states and self.has_told(f) for f in feeds), f"checks of {feeds}")
        return self

    def has_told(self, feed):
        return bool(self.cursors.get(feed, {}).get("last")) and feed not in self.untold

    def why(self, feed):
        """Returns lines about the last checks, the newest first."""
        return self.status[feed]["history"][::-1]

    def ask(self, want, feed, id):
        self.tell(want=want, id=id, feed=feed)
        return self.until(lambda: next((line for line in self.said if line.get("id") == id), None), f"an answer to {want}")

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def connector(*options):
    """A stack-feeds that is ended at last."""
    program = Connector(*options)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def document(*titles, extra=""):
    """An RSS document with an item for each title."""
    items = "".join(f"<item><guid isPermaLink='false'>{title}</guid><title>{title}</title></item>" for title in titles)
    return f"<rss version='2.0'><channel><title>Town</title><link>/</link>{extra}{items}</channel></rss>".encode()


class Scripted:
    """A server that answers each path with bytes, or with what a function of the request writes. It has several addresses,
    since requests to one are two seconds apart."""

    def __init__(self):
        self.answers, self.requests = {}, []
        first = socket.create_server((ADDRESSES[0], 0))
        self.port = first.getsockname()[1]
        self.sockets = [first, *(socket.create_server((address, self.port)) for address in ADDRESSES[1:])]
        for listener in self.sockets:
            threading.Thread(target=self.serve, args=[listener], daemon=True).start()

    def url(self, path, host=1):
        return f"http://127.0.0.{host}:{self.port}{path}"

    def serve(self, listener):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.answer, args=[listener.accept()[0]], daemon=True).start()

    def answer(self, stream):
        with stream, contextlib.suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request:
                request += stream.recv(65536) or b"\r\n\r\n"
            self.requests.append(request)
            answer = self.answers.get(request.split()[1].decode(), b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            if callable(answer):
                answer(stream, request)
            else:
                stream.sendall(answer)

    def close(self):
        for listener in self.sockets:
            listener.close()


def ok(body, *fields):
    """A response with a body and header fields."""
    return b"\r\n".join([b"HTTP/1.1 200 OK", *fields, b"Content-Length: %d" % len(body), b"", body])
