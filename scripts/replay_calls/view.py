"""One view of a replay: its stream, its mirror and what it was last told to show."""

import threading
import time

import grpc

from mirror import Mirror

ATTACH = "ViewService/Attach"
MOVE = "ViewService/MoveViewport"
LOOKS = 500  # at rows that are on their way
MORE_LOOKS = 3  # at rows that a frame has promised


class Words:
    """The messages of a stream, given to gRPC one by one: saying something returns when it has been sent."""

    def __init__(self):
        self.waiting, self.change, self.is_taken, self.has_ended = [], threading.Condition(), True, False

    def __iter__(self):
        """Returns itself: gRPC takes one message after the other."""
        return self

    def __next__(self):
        """Called by gRPC when the message before has been sent."""
        with self.change:
            self.is_taken = not self.waiting
            self.change.notify_all()
            self.change.wait_for(lambda: self.waiting or self.has_ended)
            if not self.waiting:
                raise StopIteration
            self.is_taken = False
            return self.waiting.pop(0)

    def say(self, message, is_open):
        """Sends a message, unless the stream has ended."""
        with self.change:
            self.waiting.append(message)
            self.is_taken = False
            self.change.notify_all()
            while not self.change.wait_for(lambda: self.is_taken or self.has_ended, timeout=0.02) and is_open():
                pass

    def end(self):
        """Closes this side."""
        with self.change:
            self.has_ended = True
            self.change.notify_all()


class View:
    """A stream of frames, read only while something is awaited: what comes meanwhile is merged by the daemon."""

    def __init__(self, player, event, held=None):
        self.player, self.user, self.viewer, self.method = player, event["user"], event["viewer"], event["method"]
        self.mirror, self.generation, self.layouts, self.viewport, self.status, self.flaw = held or Mirror(), 0, 1, {}, None, None
        self.has_more = False
        hello = dict(event["hello"])
        if held:
            hello["resume"] = held.resume()
        self.words, welcome = Words(), {}
        self.then, now = player.translator.method(self.method)
        first = {"hello": hello}
        self.requests = now.input_type
        self.stream = player.daemon.stream(self.user, now, self.words, player.schema.make(now.output_type))
        self.say(first)
        if self.method != ATTACH:
            self.words.end()
        self.advance(lambda frame: welcome.update(frame.get("welcome", {})) is None)
        self.welcome = welcome

    def say(self, values):
        """Sends a message of this side."""
        self.words.say(self.player.translator.write(self.then.input_type, values, self.requests), self.stream.is_active)

    def advance(self, is_enough):
        """Reads frames until one is enough, or the stream ends."""
        try:
            while self.status is None:
                frame = self.player.translator.read(self.then.output_type, next(self.stream))
                self.flaw = self.flaw or self.mirror.apply(frame)
                if self.method == ATTACH:
                    self.say({"ack": {"frame": frame["number"]}})
                self.has_more = frame.get("more", False)
                if is_enough(frame):
                    return self.await_acknowledgement()
        except StopIteration:
            self.status = {"code": "OK"}
        except grpc.RpcError as error:
            self.status = self.player.status(error, self.then.input_type)
        self.words.end()

    def await_acknowledgement(self):
        """Lets the daemon hear an acknowledgement before it hears anything else: what counts as seen depends on it."""
        if self.method == ATTACH:
            self.player.unary(None, "DaemonService/GetStatus", {})

    def said(self, frame):
        """Sends a client's frame, and waits for the one that answers it."""
        if "viewport" in frame:
            self.move(frame["viewport"])
        elif "layout" in frame and self.status is None:
            self.layouts += 1
            self.say(frame)
            self.advance(lambda answer: answer.get("layout_generation", 0) >= self.layouts)

    def move(self, viewport):
        """Shows another part, and waits until it is shown. Returns the answer of MoveViewport, where that is how it is told."""
        if self.status is not None:
            return None
        self.generation += 1
        self.viewport, answer = viewport | {"generation": self.generation}, None
        if self.method == ATTACH:
            self.say({"viewport": self.viewport})
        else:
            answer = self.player.unary(self.user, MOVE, {"view_id": self.mirror.view_id, "viewport": self.viewport})
            if "response" not in answer:
                return answer
        self.advance(lambda frame: frame.get("viewport_generation", 0) >= self.generation)
        return answer

    def settle(self, viewport=None):
        """Stays where it is, or goes to a place, until nothing of it is on its way.

        A frame with `more` is not always followed by another one (93cdc55), so this asks rather than waits.
        """
        viewport = {name: value for name, value in self.viewport.items() if name != "generation"} if viewport is None else viewport
        for look in range(LOOKS):
            self.move(viewport)
            if self.status is not None or not (self.mirror.is_loading() or self.has_more and look < MORE_LOOKS):
                return
            time.sleep(0.001)

    def leave(self):
        """Ends it: with a word where that can be said."""
        if self.status is None and self.method == ATTACH:
            self.say({"bye": {}})
            self.advance(lambda _: False)
        elif self.status is None:
            self.stream.cancel()
            self.status = {"code": "left"}
        self.words.end()
