"""Whatever is typed, pasted, resized, killed and restarted: no stale cell, no crash, and the terminal is given back."""

import os

import keys
import looks


def test_after_any_keys_the_screen_is_what_a_redraw_shows_and_the_terminal_is_given_back():
    print(keys.run(seed=20111017, seconds=float(os.environ.get("STACK_KEYS_SECONDS", "120"))))


def test_looks_are_told_apart():
    def changes(before, after):
        return looks.differences(looks.cells(before), looks.cells(after))

    assert not changes("\x1b[1mbold\x1b[0m plain", "\x1b[1mbo\x1b[1mld\x1b[0;39m plain")
    assert changes("\x1b[1mbold", "bold") and changes("漁師", "漁村") and changes("a", "a\nb")
    assert changes("\x1b[38;2;1;2;3mx", "\x1b[38;2;1;2;4mx") and changes("\x1b[38;5;9mx", "\x1b[91mx")
    # Of a blank the ground is seen, and neither weight nor colour; behind what was written last tmux tells nothing.
    assert not changes("\x1b[1;31m \x1b[0mx", " x") and changes("\x1b[41m \x1b[0mx", " x") and not changes("x\x1b[41m  ", "x")
    assert changes("x\x1b[41m y", "x y")
    # A look goes on in the next line.
    assert changes("\x1b[7ma\nb", "\x1b[7ma\x1b[0m\nb")
    assert not changes("👩\u200d👩 x", "👩👩x") and changes("👩\u200d👩 x", "👩👩y")
