"""Tests of the terminal that everything here is measured on."""
import os
import re
import unittest

from terminal import Answers, Terminal

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


class AnswersTests(unittest.TestCase):
    def test_the_cursor_is_where_the_text_since_the_last_move_ends(self):
        self.assertEqual(Answers().to("\x1b[2;1Hab漢\x1b[6n".encode()), b"\x1b[2;5R")
        self.assertEqual(Answers().to("\x1b[2;1H👩‍👩‍👧\x1b[6n\x1b[2;1H❤️\x1b[6n".encode()), b"\x1b[2;7R\x1b[2;2R")

    def test_modes_and_attributes_are_answered_in_their_order(self):
        self.assertEqual(Answers().to(b"\x1b[?2026$p\x1b[?2027$p\x1b[c"), b"\x1b[?2026;2$y\x1b[?2027;0$y\x1b[?62;22c")

    def test_a_question_may_come_in_pieces(self):
        answers = Answers()
        pieces = [answers.to(bytes([byte])) for byte in "é\x1b[3;4Hab\x1b[6n.\x1b[c".encode()]
        self.assertEqual(b"".join(pieces), b"\x1b[3;6R\x1b[?62;22c")
        self.assertEqual(answers.to(b"no question \x1b[2J\x1b[?25l"), b"")


class TerminalTests(unittest.TestCase):
    def test_a_program_is_answered_timed_and_ended(self):
        with Terminal(["/usr/bin/python3", "-c", TALKER], dict(os.environ), "/") as terminal:
            at = terminal.wait_for(re.compile(rb"said .*62;22c.* in 120x40\."), 20)
            self.assertGreater(at, terminal.began)
            first, last, count = terminal.press(b"x", 0.05)
            self.assertTrue(0 < first <= last < 10)
            self.assertEqual(count, 4)
            self.assertIsNone(terminal.press(b"y", 0.05, 0.1))
        self.assertIsNone(terminal.pid)

    def test_what_never_comes_is_not_waited_for_longer_than_the_program_lives(self):
        with Terminal(["/bin/true"], dict(os.environ), "/") as terminal, self.assertRaises(TimeoutError):
            terminal.wait_for(re.compile(b"never"), 20)


if __name__ == "__main__":
    unittest.main()
