"""A view in a replay: its stream, its mirror and its viewport."""

import threading
import time

import grpc

from mirror import Mirror

ATTACH = "ViewService/Attach"
MOVE = "ViewService/MoveViewport"
LOOKS = 500  # attempts while rows are loading
MORE_LOOKS = 3  # attempts while a frame announces more


class Requests:
    """The messages of a stream, passed to gRPC one by one. Sending one returns when gRPC has sent it."""

    def __init__(self):
        self.waiting, self.change, self.is_sent, self.has_ended = [], threading.Condition(), True, False

    def __iter__(self):
        """Returns the iterator itself."""
        return self

    def __next__(self):
        """Returns the next message. gRPC calls this when it has sent the previous one."""
        with self.change:
            self.is_sent = not self.waiting
            self.change.notify_all()
            self.change.wait_for(lambda: self.waiting or self.has_ended)
            if not self.waiting:
                raise StopIteration
            self.is_sent = False
            return self.waiting.pop(0)

    def send(self, message, is_open):
        """Sends a message, unless the stream has ended."""
        with self.change:
            self.waiting.append(message)
            self.is_sent = False
            self.change.notify_all()
            while not self.change.wait_for(lambda: self.is_sent or self.has_ended, timeout=0.02) and is_open():
                pass

    def end(self):
        """Closes this side."""
        with self.change:
            self.has_ended = True
            self.change.notify_all()


class View:
    """A stream of frames, read only while one is awaited; the daemon merges the others."""

    def __init__(self, player, event, held=None):
        self.player, self.user, self.viewer, self.method = player, event["user"], event["viewer"], event["method"]
        self.mirror, self.generation, self.layouts, self.viewport, self.status, self.flaw = held or Mirror(), 0, 1, {}, None, None
        self.has_more = False
        hello = dict(event["hello"])
        if held:
            hello["resume"] = held.resume()
        self.messages, welcome = Requests(), {}
        self.then, now = player.translator.method(self.method)
        first = {"hello": hello}
        self.requests = now.input_type
        self.stream = player.daemon.stream(self.user, now, self.messages, player.schema.make(now.output_type))
        self.send(first)
        if self.method != ATTACH:
            self.messages.end()
        self.advance(lambda frame: welcome.update(frame.get("welcome", {})) is None)
        self.welcome = welcome

    def send(self, values):
        """Sends a message."""
        self.messages.send(self.player.translator.write(self.then.input_type, values, self.requests), self.stream.is_active)

    def advance(self, is_enough):
        """Reads frames until one is enough, or the stream ends."""
        try:
            while self.status is None:
                frame = self.player.translator.read(self.then.output_type, next(self.stream))
                self.flaw = self.flaw or self.mirror.apply(frame)
                if self.method == ATTACH:
                    self.send({"ack": {"frame": frame["number"]}})
                self.has_more = frame.get("more", False)
                if is_enough(frame):
                    return self.await_acknowledgement()
        except StopIteration:
            self.status = {"code": "OK"}
        except grpc.RpcError as error:
            self.status = self.player.status(error, self.then.input_type)
        self.messages.end()

    def await_acknowledgement(self):
        """Waits until the daemon has received an acknowledgement, since the seen posts depend on it."""
        if self.method == ATTACH:
            self.player.unary(None, "DaemonService/GetStatus", {})

    def send_frame(self, frame):
        """Sends a client's frame, and waits for the resulting frame."""
        if "viewport" in frame:
            self.move(frame["viewport"])
        elif "layout" in frame and self.status is None:
            self.layouts += 1
            self.send(frame)
            self.advance(lambda answer: answer.get("layout_generation", 0) >= self.layouts)

    def move(self, viewport):
        """Moves the viewport, and waits for its frame. Returns the answer of MoveViewport, if that is used."""
        if self.status is not None:
            return None
        self.generation += 1
        self.viewport, answer = viewport | {"generation": self.generation}, None
        if self.method == ATTACH:
            self.send({"viewport": self.viewport})
        else:
            answer = self.player.unary(self.user, MOVE, {"view_id": self.mirror.view_id, "viewport": self.viewport})
            if "response" not in answer:
                return answer
        self.advance(lambda frame: frame.get("viewport_generation", 0) >= self.generation)
        return answer

    def settle(self, viewport=None):
        """Moves to a viewport, or stays, until all rows have loaded.

        This polls, since in 93cdc55 a frame with `more` is not always followed by another one.
        """
        viewport = {name: value for name, value in self.viewport.items() if name != "generation"} if viewport is None else viewport
        for look in range(LOOKS):
            self.move(viewport)
            if self.status is not None or not (self.mirror.is_loading() or self.has_more and look < MORE_LOOKS):
                return
            time.sleep(0.001)

    def leave(self):
        """Closes the view, with a `bye` if the method has one."""
        if self.status is None and self.method == ATTACH:
            self.send({"bye": {}})
            self.advance(lambda _: False)
        elif self.status is None:
            self.stream.cancel()
            self.status = {"code": "left"}
        self.messages.end()
