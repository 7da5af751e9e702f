"""A thousand feeds in files, and nginx that serves them on loopback."""
import contextlib
import email.utils
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess

FEEDS, ITEMS, ITEM_BYTES = 1_000, 20, 1_020
WORDS = "the ferry leaves at noon and the harbour is quiet while the lighthouse keeper counts ships by name every evening".split()
BEGAN = 1_750_000_000


def document(number):
    """Returns a feed of 23 KB with 20 items. The text of each has a word of its own."""
    draw = random.Random(number)
    items = []
    for item in range(ITEMS):
        words = [f"word{number}x{item}"]
        while sum(map(len, words)) + len(words) < ITEM_BYTES - 200:
            words.append(draw.choice(WORDS))
        date = email.utils.formatdate(BEGAN + number * 37 + item * 7_200, usegmt=True)
        items.append(
            f"<item><title>Post {item} of feed {number}</title><link>http://town.example/{number}/{item}</link>"
            f"<guid>http://town.example/{number}/{item}</guid><pubDate>{date}</pubDate>"
            f"<description>&lt;p&gt;{' '.join(words)}&lt;/p&gt;</description></item>")
    return (f'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Feed {number}</title>'
            f"<link>http://town.example/{number}</link>{''.join(reversed(items))}</channel></rss>")


class Town:
    """The files and their server. Each feed has a host of its own: well-behaved readers pause between requests to one."""

    def __init__(self, folder, port, bare_port):
        self.folder, self.log = pathlib.Path(folder), pathlib.Path(folder) / "access.log"
        self.ports = {"validators": port, "none": bare_port}

    def urls(self, kind):
        """Returns the addresses, with `ETag` and `Last-Modified` ("validators") or without ("none")."""
        return [f"http://127.0.{n // 250 + 1}.{n % 250 + 1}:{self.ports[kind]}/{n}.xml" for n in range(FEEDS)]

    def forget(self):
        """Empties the log of requests."""
        os.truncate(self.log, 0)

    def requests(self):
        """Returns the status of each request, and whether it was conditional."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [(status, tag != "-" or date != "-") for status, tag, date in (line.split("\t") for line in lines)]


@contextlib.contextmanager
def town(folder):
    """Yields a running `Town`."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(2)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        made = Town(folder, *(probe.getsockname()[1] for probe in probes))
    files = made.folder / "www"
    files.mkdir()
    for number in range(FEEDS):
        (files / f"{number}.xml").write_text(document(number), encoding="utf-8")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.geteuid() == 0 else ""
    (made.folder / "nginx.conf").write_text(f"""
        {user} daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{ worker_connections 512; }}
        http {{ {paths} types {{ application/rss+xml xml; }}
          log_format asked "$status\t$http_if_none_match\t$http_if_modified_since"; access_log {made.log} asked;
          server {{ listen {made.ports["validators"]}; root {files}; }}
          server {{ listen {made.ports["none"]}; root {files}; etag off; add_header Last-Modified ""; if_modified_since off; }} }}""")
    program = shutil.which("nginx", path="/usr/sbin:" + os.environ["PATH"])
    process = subprocess.Popen([program, "-p", folder, "-c", made.folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        for port in made.ports.values():
            while True:
                with contextlib.suppress(ConnectionRefusedError):
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
        yield made
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)
