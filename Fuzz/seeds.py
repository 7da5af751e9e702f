"""Writes the seeds of a fuzz target into its corpus: inputs that reach deep code, for libFuzzer to mutate. Usage: seeds.py TARGET FOLDER"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def field(name, value):
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value


REQUEST = b"".join(
    field(name, value)
    for name, value in [
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/a.B/C"), (b"te", b"trailers"),
        (b"content-type", b"application/grpc"), (b"grpc-timeout", b"1S"), (b"a-bin", b"AAAA"),
    ]
)  # fmt: skip
MESSAGE = bytes([0, 0, 0, 0, 2, 7, 8])


def connection():
    call = frame(1, 4, 1, REQUEST) + frame(0, 1, 1, MESSAGE)
    yield bytes([0, 0]) + call
    yield bytes([3, 0]) + frame(1, 0, 1, REQUEST[:20]) + frame(9, 4, 1, REQUEST[20:]) + frame(3, 0, 1, bytes([0, 0, 0, 8]))
    yield bytes([0, 128]) + b"".join(frame(1, 5, 2 * n + 1, REQUEST) for n in range(10))
    yield bytes([0, 0]) + frame(4, 0, 0, bytes([0, 4, 0, 1, 0, 0])) + frame(6, 0, 0, bytes(8)) + frame(8, 0, 0, bytes([0, 0, 1, 0]))
    yield bytes([0, 1]) + b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + call


def message_reader():
    yield bytes([1]) + MESSAGE * 3
    yield bytes([2, 0, 0, 0, 16, 1])
    yield bytes([0, 1, 0, 0, 0, 0])


def documented(kind):
    """Yields the messages of one kind that docs/PROTOCOL.md shows in hexadecimal."""
    lines = (ROOT / "docs/PROTOCOL.md").read_text().split("\n")
    for index, line in enumerate(lines):
        if line.startswith(f"```hex {kind} "):
            end = lines.index("```", index)
            yield bytes.fromhex("".join(text.split("#")[0] for text in lines[index + 1 : end]))


def client_frame():
    for message in documented("ClientFrame"):
        yield bytes([0]) + message
    yield bytes([1, 0x3A, 1, 0x2A])
    yield bytes([1, 0x2A, 4, 0x0A, 0, 0x10, 1])
    yield bytes([2, 0x12, 3, 0x0A, 1, 0x61])
    info = b"\x0a\x01A\x12\x05stack"
    url = b"type.googleapis.com/google.rpc.ErrorInfo"
    yield bytes([3, 8, 5, 0x1A, len(url) + len(info) + 4, 0x0A, len(url)]) + url + bytes([0x12, len(info)]) + info


def importer():
    files = [path for path in sorted((ROOT / "Tests/Fixtures").rglob("*")) if path.is_file() and path.stat().st_size < 16000]
    for path in files:
        if "license" not in str(path).lower() and path.suffix not in (".py", ".md", ".tsv", ".yml"):
            # Byte 0 chooses among seven formats and seven names; 0 is `auto`.
            yield bytes([0, 0]) + path.read_bytes()
            yield bytes([21, 7]) + path.read_bytes()


SEEDS = {
    "connection": connection, "message-reader": message_reader, "client-frame": client_frame,
    "frame": lambda: documented("ServerFrame"), "importer": importer,
}  # fmt: skip

for index, seed in enumerate(SEEDS[sys.argv[1]]()):
    (Path(sys.argv[2]) / f"seed-{index}").write_bytes(seed)
