"""Runs in a terminal: runs a program there as a shell runs a job, but hears nothing of what is typed; orders come from elsewhere.

    job.py ORDERS REPORT COMMAND...

ORDERS is a pipe to read lines from: `run` starts the command, `fg` lets it go on where it has stopped, `echo` reads a line from the
terminal, `end` ends. REPORT is a file that gets a line for each thing that happens: `started PID`, `stopped MODES`, `ended STATUS MODES`,
`echo LINE`. MODES is `same` where the terminal's settings (stty) are those from before the command, or else what is different.
"""

import contextlib
import os
import signal
import sys
import termios

TERMINAL = 0
NAMES = ("input", "output", "control", "local", "input speed", "output speed", "characters")


class Job:
    """One program, and what becomes of it."""

    def __init__(self, report, command):
        self.report, self.command, self.process = report, command, None
        self.before = termios.tcgetattr(TERMINAL)

    def tell(self, words):
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
        # Whoever of the two is first.
        with contextlib.suppress(OSError):
            os.setpgid(self.process, self.process)
        self.tell(f"started {self.process}")
        self.wait()

    def wait(self):
        """Until it has stopped or ended; then the terminal is ours."""
        status = os.waitpid(self.process, os.WUNTRACED)[1]
        os.tcsetpgrp(TERMINAL, os.getpgrp())
        if os.WIFSTOPPED(status):
            self.tell(f"stopped {self.modes()}")
        else:
            code = os.waitstatus_to_exitcode(status)
            self.tell(f"ended {code} {self.modes()}")
            # What was typed ahead is for nobody.
            termios.tcflush(TERMINAL, termios.TCIFLUSH)
            termios.tcsetattr(TERMINAL, termios.TCSANOW, self.before)

    def go_on(self):
        # A shell has read what was typed meanwhile.
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
                    job.go_on()
                elif order == "echo":
                    job.tell(f"echo {sys.stdin.readline().strip()}")


main(*sys.argv[1:])
