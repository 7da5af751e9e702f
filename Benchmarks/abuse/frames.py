"""A client that speaks HTTP/2 frame by frame (RFC 9113), so that it can do what a library would not."""
import socket
import struct

DATA, HEADERS, RST_STREAM, SETTINGS, WINDOW_UPDATE = 0, 1, 3, 4, 8
END_STREAM, END_HEADERS = 1, 4
CANCEL = 8
INITIAL_WINDOW_SIZE = 4
MOST_BYTES = 16_384  # of a frame
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """Returns a header field without indexing and without Huffman coding (RFC 7541, section 6.2.2)."""
    name, value = name.encode(), value.encode()
    return b"\x00" + integer(len(name)) + name + integer(len(value)) + value


def integer(value):
    """Returns the length of a string with a prefix of 7 bits (RFC 7541, section 5.1)."""
    if value < 127:
        return bytes([value])
    encoded, value = b"\x7f", value - 127
    while value >= 128:
        encoded, value = encoded + bytes([value % 128 + 128]), value // 128
    return encoded + bytes([value])


class Connection:
    """A connection to a daemon at "unix:PATH" or "tcp:PORT"."""

    def __init__(self, address, token=None, window=None):
        kind, place = address.split(":", 1)
        self.socket = socket.socket(socket.AF_UNIX if kind == "unix" else socket.AF_INET)
        self.socket.settimeout(10)
        self.socket.connect(place if kind == "unix" else ("127.0.0.1", int(place)))
        self.token, self.stream = token, -1
        settings = b"" if window is None else struct.pack(">HI", INITIAL_WINDOW_SIZE, window)
        self.send(PREFACE + frame(SETTINGS, 0, 0, settings))

    def send(self, data):
        self.socket.sendall(data)

    def call(self, method, message):
        """Returns the frames of a new call with one request; `stream` is its number afterwards."""
        return self.headers(method) + frame(DATA, END_STREAM, self.stream, struct.pack(">BI", 0, len(message)) + message)

    def unended(self, method, message, announced):
        """Returns the frames of a new call that goes on after `message`, a part of a request of `announced` bytes."""
        block, body = self.headers(method), struct.pack(">BI", 0, announced) + message
        return block + b"".join(frame(DATA, 0, self.stream, body[at:at + MOST_BYTES]) for at in range(0, len(body), MOST_BYTES))

    def headers(self, method):
        """Returns the first frame of a new call."""
        self.stream += 2
        fields = [(":method", "POST"), (":scheme", "http"), (":path", f"/stack.v1.{method}"), (":authority", "localhost"),
                  ("content-type", "application/grpc"), ("te", "trailers")]
        if self.token:
            fields.append(("authorization", self.token))
        block = b"".join(literal(*field) for field in fields)
        return frame(HEADERS, END_HEADERS, self.stream, block)

    def reset(self):
        """Returns a frame that cancels the last call."""
        return frame(RST_STREAM, 0, self.stream, struct.pack(">I", CANCEL))

    def drain(self):
        """Reads what has arrived, without waiting; returns False once the connection has ended."""
        self.socket.setblocking(False)
        try:
            while self.socket.recv(1 << 16):
                pass
            return False
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            self.socket.settimeout(10)

    def close(self):
        self.socket.close()
