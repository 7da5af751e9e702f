"""A watch whose daemon is killed again and again while it catches up: it goes on, and tells each post once."""

import collections
import json
import shutil
import signal
import socket
import subprocess
import threading

from conftest import BIN, PATIENCE, Events, wait_until

POSTS = 300  # of each round: many times what a view holds at once
# The bytes after which the daemon is killed: at once, within the first frame, and while rows that the frame left out are fetched.
ROUNDS = (1, 3_000, 10_000, 18_000, 26_000)


class Daemon:
    """A daemon that can be killed, and a socket in front of it on which it is killed once enough bytes have gone to the client."""

    def __init__(self, place):
        self.place, self.process, self.left, self.lock = place, None, None, threading.Lock()
        self.address = place.folder / "front.sock"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.address))
        self.listener.listen()
        place.cleanup.callback(self.listener.close)
        threading.Thread(target=self.accept, daemon=True).start()

    def start(self):
        self.process = subprocess.Popen([BIN / "stack-daemon"], env=self.place.environment, stdout=subprocess.PIPE, text=True)
        for line in iter(self.process.stdout.readline, "ready\n"):
            assert line

    def kill_after(self, count):
        """Kills the daemon after this many more bytes to the client."""
        with self.lock:
            self.left = count

    def has_died(self):
        return self.process.poll() is not None

    def kill(self):
        process = self.process
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        process.stdout.close()

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            daemon = socket.socket(socket.AF_UNIX)
            try:
                daemon.connect(str(self.place.socket))
            except OSError:
                client.close()
                continue
            threading.Thread(target=self.carry, args=(client, daemon, False), daemon=True).start()
            threading.Thread(target=self.carry, args=(daemon, client, True), daemon=True).start()

    def carry(self, source, target, is_counted):
        """Carries bytes until either side ends."""
        try:
            while data := source.recv(1000):
                if is_counted and self.is_over(len(data)):
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def is_over(self, count):
        with self.lock:
            if self.left is None:
                return False
            self.left -= count
            if self.left > 0:
                return False
            self.left = None
            self.kill()
            return True


def lines(number):
    """Returns the posts of a round, which lie above all earlier ones."""
    posts = (
        {"source": "t", "id": f"{number}-{index}", "created_at": f"2001-01-{number + 1:02}T{index // 60:02}:{index % 60:02}:00Z",
         "author": {"id": "a", "handle": "a"}, "text": f"post {number}-{index}"}
        for index in range(POSTS))
    return "\n".join(map(json.dumps, posts))


def test_each_post_is_told_once_although_the_daemon_dies_while_the_watch_catches_up(place):
    daemon = Daemon(place)
    daemon.start()
    # Without a stack-daemon beside it, this client starts none when it finds none.
    alone = place.folder / "stack-client"
    shutil.copy(BIN / "stack-client", alone)
    place.client("-q", "import", "jsonl", "-", input=lines(0))
    watch = place.start("--socket", str(daemon.address), "watch", "--jsonl", "-n", "1")
    events = Events(watch)
    assert events.next() == ("inserted", f"post 0-{POSTS - 1}")
    for number, count in enumerate(ROUNDS, 1):
        daemon.kill_after(count)
        # The daemon may die in the middle of it.
        place.client("-q", "import", "jsonl", "-", input=lines(number), code=None, program=alone)
        wait_until(daemon.has_died, f"the daemon to die after {count} bytes")
        daemon.start()
        place.client("-q", "import", "jsonl", "-", input=lines(number))
    place.post("the end")
    told = []
    while not told or told[-1] != ("inserted", "the end"):
        told.append(events.next())
    expected = [("inserted", f"post {number}-{index}") for number in range(1, len(ROUNDS) + 1) for index in range(POSTS)]
    assert collections.Counter(told) == collections.Counter([*expected, ("inserted", "the end")])
    assert watch.poll() is None
    watch.kill()
    said = watch.stderr.read().splitlines()
    assert said == [f"stack-client: lost the daemon at {daemon.address}; waiting for it to return", "stack-client: reconnected"]
