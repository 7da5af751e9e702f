"""What one caller does to take from the others. Each attack runs for some seconds in a process of its own.

    attacks.py NAME SECONDS SOCKET PORT TOKEN...

Prints a line of JSON: {"did": "what, with counts", "cpu": seconds}.
"""
import json
import os
import pathlib
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "streaming"))

from frames import Connection  # noqa: E402
from requests import LAYOUT, frames_pb2, grpc, view_service_pb2, view_service_pb2_grpc  # noqa: E402

SEARCH = "-zz7 -q1"  # finds nearly every post
WORST_TEXT = "http://a.a.a. " * 4600  # of all texts of 64 KiB this takes the longest to measure


def get_rows(count, search=""):
    request = view_service_pb2.GetRowsRequest(layout=LAYOUT, count=count)
    if search:
        request.subject.search = search
    return request.SerializeToString()


def unread_answers(end, place):
    """A1: windows of 0, 49 connections, 127 calls on each; nothing is read."""
    request, held, begun = get_rows(200), [], 0
    for _ in range(49):
        try:
            held.append(Connection(place.tcp, place.tokens[0], window=0))
            held[-1].send(b"".join(held[-1].call("ViewService/GetRows", request) for _ in range(127)))
            begun += 127
        except OSError:
            pass
    while time.monotonic() < end:
        time.sleep(0.05)
    return f"{len(held)} connections, {begun} calls"


def unended_requests(end, place):
    """60 connections with 120 requests each of which the last byte never comes, or not the end of the stream."""
    message, held, begun = bytes(60_000), [], 0
    for _ in range(60):
        try:
            held.append(Connection(place.tcp, place.tokens[0]))
            for number in range(120):
                held[-1].send(held[-1].unended("ViewService/GetRows", message, len(message) + number % 2))
                held[-1].drain()
                begun += 1
        except OSError:
            pass
        if time.monotonic() > end:
            break
    while time.monotonic() < end:
        time.sleep(0.05)
    return f"{len(held)} connections, {begun} requests"


def resets(end, place):
    """A2: connections that ask for rows and reset each call, 200 times, one connection after the other."""
    request, made = get_rows(200, "otter"), 0
    while time.monotonic() < end:
        try:
            connection = Connection(place.tcp, place.tokens[0])
            connection.send(b"".join(connection.call("ViewService/GetRows", request) + connection.reset() for _ in range(200)))
            connection.drain()
            connection.close()
            made += 1
        except OSError:
            pass
    return f"{made} connections"


def idle_connections(end, place):
    """A3: another user of the group holds as many connections as it gets."""
    os.setgid(place.stranger)
    os.setuid(place.stranger)
    held, refused = [], 0
    while time.monotonic() < end:
        try:
            held.append(Connection(place.unix))
        except OSError:
            refused += 1
            time.sleep(0.05)
        if len(held) >= 2000:
            time.sleep(0.2)
    return f"{len(held)} connections, {sum(connection.drain() for connection in held)} of them still open"


def measure(end, place):
    """A4: Measure of the text that takes longest, 24 connections with 16 calls each at a time."""
    request = view_service_pb2.MeasureRequest(layout=LAYOUT, text=WORST_TEXT)
    return calls_at_once(end, place, 24, 16, lambda views: views.Measure(request, timeout=60))


def honest_rows(end, place):
    """One connection with 128 calls at a time, all of them read."""
    request = view_service_pb2.GetRowsRequest(layout=LAYOUT, count=200)
    return calls_at_once(end, place, 1, 128, lambda views: views.GetRows(request, timeout=60))


def calls_at_once(end, place, connections, calls, call):
    """Makes calls in threads, a number of them at a time on each connection."""
    done = [0] * (connections * calls)

    def work(index, views):
        while time.monotonic() < end:
            try:
                call(views)
                done[index] += 1
            except grpc.RpcError:
                time.sleep(0.05)

    channels = [grpc.insecure_channel(f"unix:{place.path}", options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(connections)]
    threads = [threading.Thread(target=work, args=(index, view_service_pb2_grpc.ViewServiceStub(channels[index % connections])))
               for index in range(connections * calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return f"{sum(done)} calls"


def read_all(stream, ended):
    """Reads a stream in a thread, and adds it to `ended` if it ends with an error."""
    def read():
        try:
            for _ in stream:
                pass
        except grpc.RpcError:
            ended.append(stream)

    threading.Thread(target=read, daemon=True).start()


def layouts(end, place):
    """100 views of a timeline by each of five accounts, no two of which have the same width."""
    channels, ended = [], []
    for token in place.tokens:
        channels.append(grpc.insecure_channel(f"127.0.0.1:{place.port}", options=[("grpc.use_local_subchannel_pool", 1)]))
        views = view_service_pb2_grpc.ViewServiceStub(channels[-1])
        for number in range(100):
            hello = frames_pb2.Hello(session="wide", layout=LAYOUT)
            hello.layout.width = 40 + number
            stream = views.Watch(view_service_pb2.WatchRequest(hello=hello), metadata=[("authorization", token)])
            read_all(stream, ended)
    while time.monotonic() < end:
        time.sleep(0.05)
    return f"500 views, {len(ended)} of them ended"


def live_searches(end, place):
    """A5: 100 searches that find 10,000 posts each, kept open by each of five accounts."""
    held, ended = [], []
    for token in place.tokens:
        channel = grpc.insecure_channel(f"127.0.0.1:{place.port}", options=[("grpc.use_local_subchannel_pool", 1)])
        views = view_service_pb2_grpc.ViewServiceStub(channel)
        for number in range(100):
            hello = frames_pb2.Hello(layout=LAYOUT)
            hello.subject.search = f"{SEARCH} -w{number}"
            stream = views.Watch(view_service_pb2.WatchRequest(hello=hello), metadata=[("authorization", token)])
            held.append((channel, stream))
            read_all(stream, ended)
            if time.monotonic() > end:
                break
    while time.monotonic() < end:
        time.sleep(0.05)
    was_ended = len(ended)
    for _, stream in held:
        stream.cancel()
    return f"{len(held)} searches, {was_ended} of them refused"


ATTACKS = {
    "unread answers": unread_answers, "unended requests": unended_requests, "resets": resets, "idle connections": idle_connections,
    "measuring": measure, "live searches": live_searches, "layouts": layouts, "honest rows": honest_rows}


class Place:
    """Where the daemon listens, and the tokens to use."""

    def __init__(self, path, port, tokens):
        self.path, self.port, self.tokens = path, port, [f"Bearer {token}" for token in tokens]
        self.unix, self.tcp, self.stranger = f"unix:{path}", f"tcp:{port}", 65534


def main():
    name, seconds, path, port, *tokens = sys.argv[1:]
    did = ATTACKS[name](time.monotonic() + float(seconds), Place(path, port, tokens))
    spent = os.times()
    print(json.dumps({"did": did, "cpu": spent.user + spent.system}), flush=True)
    os._exit(0)  # threads may still wait for a daemon that does not answer


if __name__ == "__main__":
    main()
