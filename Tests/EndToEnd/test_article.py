"""A session in two terminals: the daemon keeps panes and positions across views, sizes and restarts."""

from conftest import wait_until

CLOCK = ("--clock", "frozen:2026-03-01T12:00:00Z")


def opened(place, columns, lines, viewer):
    """Returns a terminal that shows the main session."""
    return place.terminal(f"--socket {place.socket}", program=viewer, columns=columns, lines=lines)


def test_panes_and_positions_survive_a_restart_in_another_terminal(place, viewer):
    with place.running(*CLOCK):
        ann = place.guest("ann")
        for index in range(40):
            ann.post(f"@{place.name} mention {index:02}, which is so long that it takes a second line in a pane of 58 cells")
        asked = ann.post(f"@{place.name} where is the ferry?")
        place.client("post", "At the pier", "--reply-to", asked)
        first = opened(place, 120, 40, viewer)
        first.wait_for("Timeline")
        place.client("pane", "open", "mentions")
        first.wait_for("where is the ferry?")
        for _ in range(11):
            first.press("j")
        first.wait_for("mention 31")
        place.client("pane", "push", "conversation", asked)
        first.wait_for("At the pier")
        place.client("pane", "push", "author", "@ann")
        wait_until(lambda: [pane["kind"] for pane in place.value("pane", "list")] == ["mentions", "conversation", "profile"], "three panes")
        first.wait_for("ann")
        place.client("pane", "back")
        wait_until(lambda: len(place.value("pane", "list")) == 2, "two panes")
        before = first.picture()
        for columns, lines in ((80, 24), (50, 16), (120, 40)):
            first.resize(columns, lines)
            wait_until(lambda: max(map(len, first.picture())) == columns, "panes that end at the edge of the screen")
        wait_until(lambda: first.picture() == before, lambda: "\n".join(["the same picture after resizing back and forth", *first.picture()]))
        panes = place.value("pane", "list")
        first.press("q")
        first.wait_for_end()
    with place.running(*CLOCK):
        second = opened(place, 120, 40, viewer)
        second.wait_for("At the pier")
        assert place.value("pane", "list") == panes
        assert second.picture() == before
        place.client("pane", "forward")
        second.wait_for("mention 39")
        assert [pane["kind"] for pane in place.value("pane", "list")] == ["mentions", "conversation", "profile"]


def test_two_terminals_share_commands_but_slide_independently(place, viewer):
    with place.running(*CLOCK):
        number = place.post("Hello, harbour")
        both = [opened(place, 80, 24, viewer) for _ in range(2)]
        for terminal in both:
            terminal.wait_for("Hello, harbour")
        place.client("pane", "push", "conversation", number)
        place.client("pane", "push", "search", "harbour")
        for terminal in both:
            terminal.wait_for("harbour harbour")
        assert both[0].picture() == both[1].picture()
        before = both[1].picture()
        view = both[0].tmux("display-message", "-p", "#{pane_title}").split()[1]
        moved = place.value("pane", "slide", "right", "--view", view)
        assert moved["moved"]
        wait_until(lambda: both[0].picture() != before, "the first terminal to slide")
        assert both[1].picture() == before
        while place.value("pane", "slide", "right", "--view", view)["moved"]:
            pass
        assert "nothing moved" in place.client("pane", "slide", "right", "--view", view).stderr
        top = place.value("pane", "list")[-1]["pane_id"]
        assert place.value("pane", "reveal", top, "--view", view)["moved"]
        wait_until(lambda: both[0].picture() == both[1].picture(), "both to show the newest pane")
