"""Rows of many scripts on screens of several widths: borders stay in their columns, as tmux counts columns."""

import os
import pathlib
import re

import keys
import looks
import pytest
from conftest import wait_until
from test_screen import CLOCK, Screen
from test_widths import columns as columns_in_tmux

GOLDENS = pathlib.Path(__file__).with_name("goldens")
NAVIGATION = 22  # columns of the navigation
STRIP = 4  # its visible columns on a narrow screen, where the pane slides over it
BORDERS = "│┃├┤╭╮╰╯▏┌┐└┘▐"


def right_borders(place, lines, start):
    """Returns {line: column of its last border} for lines with a border after `start`."""
    found = [(number, max(line.rfind(sign) for sign in BORDERS)) for number, line in enumerate(lines)]
    found = [(number, index) for number, index in found if index > start]
    return {number: column for (number, _), column in zip(found, columns_in_tmux(place, [lines[number][:index] for number, index in found]))}


def golden_of(lines, navigation):
    """Returns the lines without the navigation, which contains the user's name, and without random behaviour of tmux (looks.py)."""
    shown = [line[navigation:].rstrip() for line in lines]
    return "".join((re.sub(" +", " ", line.replace(looks.JOINER, "")) if "👩" in line else line) + "\n" for line in shown)


@pytest.mark.parametrize("columns", [40, 80, 120, 200])
def test_rows_of_any_script_keep_borders_in_their_columns(place, columns):
    with place.running(*CLOCK):
        (place.folder / "posts.jsonl").write_text("\n".join(keys.sample_posts()), encoding="utf-8")
        place.client("-q", "import", place.folder / "posts.jsonl", "--source", "keys")
        screen = Screen(place, "attach", "--no-animation", columns=columns, lines=50)
        screen.sees("89:")
        screen.sees("live" if columns > 40 else "Timeline")
        if columns >= 140:
            # One pane is enough; the preview beside it has borders of its own.
            screen.sees("preview")
            screen.press("P")
            screen.misses("preview")
        for page in range(2):
            lines = screen.at_rest()
            if columns >= 80:
                # The pane of 58 cells begins after the 22 of the navigation, on every line with a border.
                borders = right_borders(place, lines, NAVIGATION + 2)
                assert len(borders) > 40 and set(borders.values()) == {79}, "\n".join([str(borders), *lines])
            wide = columns_in_tmux(place, [line.rstrip() for line in lines])
            assert max(wide) <= columns, "\n".join(lines)
            golden = GOLDENS / f"{columns}-{page}.txt"
            shown = golden_of(lines, STRIP if columns == 40 else NAVIGATION)
            if "STACK_GOLDENS" in os.environ:
                GOLDENS.mkdir(exist_ok=True)
                golden.write_text(shown, encoding="utf-8")
            assert shown == golden.read_text(encoding="utf-8"), f"{golden} differs; STACK_GOLDENS=1 rewrites it"
            screen.press("Space", "j")
            wait_until(lambda before=lines: screen.at_rest() != before, "another page")
