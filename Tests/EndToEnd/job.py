"""Runs a program in a terminal as a shell runs a job, but takes its orders from a pipe instead of the terminal.

    job.py ORDERS REPORT COMMAND...

ORDERS is a pipe with lines: `run` starts the command, `fg` continues it when stopped, `echo` reads a line from the terminal, `end` exits.
REPORT is a file that receives a line per event: `started PID`, `stopped MODES`, `ended STATUS MODES`, `echo LINE`. MODES is `same` if the
terminal's settings (stty) are those from before the command, or else a list of the differences.
"""

import contextlib
import os
import signal
import sys
import termios

TERMINAL = 0
NAMES = ("input", "output", "control", "local", "input speed", "output speed", "characters")


class Job:
    """A program and its state."""

    def __init__(self, report, command):
        self.report, self.command, self.process = report, command, None
        self.before = termios.tcgetattr(TERMINAL)

    def report_event(self, words):
        with open(self.report, "a", encoding="utf-8") as file:
            file.write(words + "\n")

    def modes(self):
        now = termios.tcgetattr(TERMINAL)
        return "; ".join(name for name, old, new in zip(NAMES, self.before, now) if old != new) or "same"

    def run(self):
        self.process = os.fork()
        if self.process == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(TERMINAL, os.getpid())
            for name in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
                signal.signal(name, signal.SIG_DFL)
            os.execvp(self.command[0], self.command)
        # Parent and child both do this, whichever runs first.
        with contextlib.suppress(OSError):
            os.setpgid(self.process, self.process)
        self.report_event(f"started {self.process}")
        self.wait()

    def wait(self):
        """Waits until the program has stopped or ended, and takes back the terminal."""
        status = os.waitpid(self.process, os.WUNTRACED)[1]
        os.tcsetpgrp(TERMINAL, os.getpgrp())
        if os.WIFSTOPPED(status):
            self.report_event(f"stopped {self.modes()}")
        else:
            code = os.waitstatus_to_exitcode(status)
            self.report_event(f"ended {code} {self.modes()}")
            # Discards type-ahead.
            termios.tcflush(TERMINAL, termios.TCIFLUSH)
            termios.tcsetattr(TERMINAL, termios.TCSANOW, self.before)

    def resume(self):
        # Discards what was typed meanwhile, which a shell would have read.
        termios.tcflush(TERMINAL, termios.TCIFLUSH)
        os.tcsetpgrp(TERMINAL, self.process)
        os.killpg(self.process, signal.SIGCONT)
        self.wait()


def main(orders, report, *command):
    for name in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
        signal.signal(name, signal.SIG_IGN)
    job = Job(report, command)
    while True:
        with open(orders, encoding="utf-8") as pipe:
            for order in map(str.strip, pipe):
                if order == "end":
                    return
                if order == "run":
                    job.run()
                elif order == "fg":
                    job.resume()
                elif order == "echo":
                    job.report_event(f"echo {sys.stdin.readline().strip()}")


main(*sys.argv[1:])
