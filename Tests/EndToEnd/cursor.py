"""Runs in a terminal: prints each line of a file, queries the cursor's position after it, and writes the columns to another file.

    cursor.py TEXTS COLUMNS
"""

import os
import pathlib
import re
import sys
import termios
import tty

# Device status report and its response (ECMA-48, 8.3.35 and 8.3.14).
QUESTION, ANSWER = b"\x1b[6n", re.compile(rb"\x1b\[\d+;(\d+)R")
START_OF_EMPTY_LINE = b"\r\x1b[2K"


def column(text):
    """Returns the column of the terminal's cursor after `text`, from 0."""
    os.write(sys.stdout.fileno(), START_OF_EMPTY_LINE + text.encode() + QUESTION)
    answer = b""
    while not (found := ANSWER.search(answer)):
        answer += os.read(sys.stdin.fileno(), 64)
    return int(found[1]) - 1


def main(texts, columns):
    before = termios.tcgetattr(sys.stdin)
    tty.setraw(sys.stdin)
    try:
        found = [column(text) for text in texts.read_text("utf-8").splitlines()]
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
    columns.write_text("".join(f"{number}\n" for number in found))


main(*map(pathlib.Path, sys.argv[1:]))
