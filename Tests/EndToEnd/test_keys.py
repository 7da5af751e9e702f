"""Random keys, pastes, resizes, kills and restarts: no stale cell, no crash, and a restored terminal."""

import os

import keys
import looks


def test_random_keys_leave_no_stale_cells_and_the_terminal_is_restored():
    print(keys.run(seed=20111017, seconds=float(os.environ.get("STACK_KEYS_SECONDS", "120" if os.environ.get("STACK_TESTS") else "20"))))


def test_styles_are_distinguished():
    def changes(before, after):
        return looks.differences(looks.cells(before), looks.cells(after))

    assert not changes("\x1b[1mbold\x1b[0m plain", "\x1b[1mbo\x1b[1mld\x1b[0;39m plain")
    assert changes("\x1b[1mbold", "bold") and changes("漁師", "漁村") and changes("a", "a\nb")
    assert changes("\x1b[38;2;1;2;3mx", "\x1b[38;2;1;2;4mx") and changes("\x1b[38;5;9mx", "\x1b[91mx")
    # A blank shows its background, but neither weight nor colour. tmux reports nothing after the last written cell.
    assert not changes("\x1b[1;31m \x1b[0mx", " x") and changes("\x1b[41m \x1b[0mx", " x") and not changes("x\x1b[41m  ", "x")
    assert changes("x\x1b[41m y", "x y")
    # A style continues in the next line.
    assert changes("\x1b[7ma\nb", "\x1b[7ma\x1b[0m\nb")
    assert not changes("👩\u200d👩 x", "👩👩x") and changes("👩\u200d👩 x", "👩👩y")
