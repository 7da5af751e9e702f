"""Tests the terminal that all measurements of the full screen use."""
import os
import re
import unittest

from terminal import QueryResponder, Terminal

TALKER = """
import os, sys, termios, tty
tty.setraw(0)
os.write(1, b"\\x1b[c")
answer = os.read(0, 100)
os.write(1, b"said " + repr(answer).encode() + b" in %dx%d." % os.get_terminal_size(0))
while (key := os.read(0, 1)) != b"q":
    if key == b"x":
        os.write(1, b"four")
"""


class QueryResponderTests(unittest.TestCase):
    def test_the_cursor_is_at_the_end_of_the_text_since_the_last_move(self):
        self.assertEqual(QueryResponder().respond("\x1b[2;1Hab漢\x1b[6n".encode()), b"\x1b[2;5R")
        self.assertEqual(QueryResponder().respond("\x1b[2;1H👩‍👩‍👧\x1b[6n\x1b[2;1H❤️\x1b[6n".encode()), b"\x1b[2;7R\x1b[2;2R")

    def test_replies_about_modes_and_attributes_come_in_order(self):
        self.assertEqual(QueryResponder().respond(b"\x1b[?2026$p\x1b[?2027$p\x1b[c"), b"\x1b[?2026;2$y\x1b[?2027;0$y\x1b[?62;22c")

    def test_a_query_may_arrive_in_pieces(self):
        responder = QueryResponder()
        pieces = [responder.respond(bytes([byte])) for byte in "é\x1b[3;4Hab\x1b[6n.\x1b[c".encode()]
        self.assertEqual(b"".join(pieces), b"\x1b[3;6R\x1b[?62;22c")
        self.assertEqual(responder.respond(b"no query \x1b[2J\x1b[?25l"), b"")


class TerminalTests(unittest.TestCase):
    def test_a_program_gets_replies_is_timed_and_terminated(self):
        with Terminal(["/usr/bin/python3", "-c", TALKER], dict(os.environ), "/") as terminal:
            at = terminal.wait_for(re.compile(rb"said .*62;22c.* in 120x40\."), 20)
            self.assertGreater(at, terminal.began)
            first, last, count = terminal.press(b"x", 0.05)
            self.assertTrue(0 < first <= last < 10)
            self.assertEqual(count, 4)
            self.assertIsNone(terminal.press(b"y", 0.05, 0.1))
        self.assertIsNone(terminal.pid)

    def test_waiting_ends_when_the_program_exits(self):
        with Terminal(["/bin/true"], dict(os.environ), "/") as terminal, self.assertRaises(TimeoutError):
            terminal.wait_for(re.compile(b"never"), 20)


if __name__ == "__main__":
    unittest.main()
