"""Random keys, sizes, pastes, posts of others and restarts of the daemon, by seed: nothing crashes, no cell is stale, and the terminal is
given back.

STACK_SCREEN_SECONDS says for how long (20), STACK_SCREEN_SEED where to begin.
"""

import contextlib
import os
import random
import time

from conftest import wait_until
from test_screen import CLOCK, Screen, posts

# No y: it is the answer that leaves.
KEYS = (
    "j j j j k k g G Space - C-d C-u C-e C-y J K F Z Enter Enter l t a h h q q BTab Tab 1 2 3 + _ = z [ ] , \\; ( ) { } S ? / : @ # c r d m o "
    "Escape Escape Escape Escape n Up Down Left Right Home End PPage NPage BSpace C-l M-1 M-2 M-3 M-4 M-5 M-6 x Y"
).split()
SIZES = ((20, 5), (19, 4), (40, 12), (59, 20), (80, 24), (120, 40), (200, 60), (500, 100))


class Player:
    """Somebody who does whatever comes to mind, and looks whether the screen is right."""

    def __init__(self, place, seed):
        self.place, self.random, self.log = place, random.Random(seed), []
        self.screen = Screen(place, "attach", "--no-animation", shell=False, columns=120, lines=40)
        self.screen.sees("post 11")
        self.daemon = contextlib.ExitStack()

    def step(self):
        match self.random.randrange(40):
            case 0:
                size = self.random.choice(SIZES)
                self.log.append(f"size {size}")
                self.screen.resize(*size)
            case 1:
                self.log.append("paste")
                self.screen.terminal.tmux("set-buffer", "漁師\nQ ~ d\x1b[A")
                self.screen.terminal.tmux("paste-buffer", "-p")
            case 2:
                self.log.append("post")
                self.place.client("-q", "post", self.random.choice(["漁師 otter", "👩‍👩‍👧 wave", "plain #sea", "שלום @ann", "long " * 40]))
            case _:
                keys = self.random.choices(KEYS, k=self.random.randrange(1, 5))
                self.log.append(" ".join(keys))
                self.screen.press(*keys)

    def looks_right(self):
        """Whether a redraw shows what was there before it; looked at again where something was just on its way."""

        def same():
            before = self.screen.picture()
            self.screen.press("C-l")
            return self.screen.picture() == before

        wait_until(same, lambda: "\n".join(["a redraw that changes nothing, after", *self.log[-12:], *self.screen.picture()]))

    def is_alive(self):
        assert self.screen.terminal.tmux("list-panes", "-F", "#{pane_dead}").strip() == "0", "\n".join([*self.log[-12:], self.screen.text()])


def test_whatever_is_done_the_screen_is_right_and_the_terminal_is_given_back(place):
    seed = int(os.environ.get("STACK_SCREEN_SEED", "1"))
    end = time.monotonic() + float(os.environ.get("STACK_SCREEN_SECONDS", "20"))
    with place.running(*CLOCK):
        posts(place, 12)
    rounds = 0
    while time.monotonic() < end:
        with place.running(*CLOCK):
            if rounds == 0:
                player = Player(place, seed)
            for _ in range(12):
                player.step()
                player.is_alive()
                player.looks_right()
                if time.monotonic() >= end:
                    break
        rounds += 1
    player.screen.resize(80, 24)
    for _ in range(3):
        player.screen.press("C-c")
    wait_until(lambda: player.screen.press("C-c") or player.screen.terminal.tmux("list-panes", "-F", "#{pane_dead}").startswith("1"), "the end")
    modes = player.screen.modes()
    # The cursor of a window whose program has ended is hidden by tmux itself.
    assert "alternate_on=0" in modes and "wrap_flag=1" in modes and "mouse_any_flag=0" in modes, modes
