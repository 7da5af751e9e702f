"""The documents that readers are compared on, and a server that gives each a host of its own."""

import contextlib
import http.server
import pathlib
import threading
from dataclasses import dataclass

CORPUS = pathlib.Path("/usr/share/gocode/src/github.com/mmcdole/gofeed/testdata")


@dataclass
class Document:
    """A document: its path below `CORPUS`, its file, and the address at which the server has it."""

    path: str
    file: pathlib.Path
    url: str


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files as application/xml, so that the document alone says how it is encoded."""

    extensions_map = {"": "application/xml"}

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=CORPUS)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128


@contextlib.contextmanager
def served():
    """Yields all XML documents. Each has an address of its own in 127.0.0.0/8, since requests to one host are two seconds apart."""
    with Server(("", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield [
                Document(str(file.relative_to(CORPUS)), file,
                         f"http://127.1.{number // 250}.{number % 250 + 1}:{server.server_port}/{file.relative_to(CORPUS)}")
                for number, file in enumerate(sorted(CORPUS.rglob("*.xml")))
            ]
        finally:
            server.shutdown()
