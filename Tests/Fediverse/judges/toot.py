"""toot against a server: what a person types, and what they see."""

import os
import pty
import re
import subprocess

from . import limited


class Toot:
    """Runs toot with a home of its own and the server's CA."""

    def __init__(self, server, folder):
        self.server = server
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "REQUESTS_CA_BUNDLE": str(server.authority),
            "NO_COLOR": "1", "NO_PROXY": "*", "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1",
        }

    def __call__(self, *arguments):
        done = subprocess.run(
            limited("/usr/bin/toot", *arguments), env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False)
        assert done.returncode == 0, f"toot {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done.stdout

    def sign_in(self, code_of):
        """Signs in by the browser: `code_of(url)` returns the code that the page shows."""
        process = subprocess.Popen(
            limited("/usr/bin/toot", "login", "-i", self.server.host), env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        printed = ""
        while not (url := re.search(r"https://\S+authorize\S+\n", printed)):
            line = process.stdout.readline()
            assert line, printed
            printed += line
        rest, _ = process.communicate(f"n\n{code_of(url[0].strip())}\n")
        assert process.returncode == 0, printed + rest
        return printed + rest

    def read_all(self, *arguments):
        """Runs a command on a terminal, and answers yes to each question."""
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            limited("/usr/bin/toot", *arguments), env=self.environment, stdin=follower, stdout=follower, stderr=follower)
        os.close(follower)
        printed, answered = "", 0
        while True:
            try:
                printed += os.read(leader, 65536).decode("utf-8", "replace")
            except OSError:
                break
            if printed.count("Continue?") > answered:
                answered += 1
                os.write(leader, b"y\n")
        os.close(leader)
        assert process.wait() == 0, printed
        return printed
