"""The daemon's widths of texts match the cursor of a real terminal."""

import json
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT, Terminal

EMOJI = pathlib.Path("/usr/share/unicode/emoji/emoji-test.txt")
DOCUMENT = ROOT / "docs/WIDTHS.md"
JOINER = "\u200d"
BATCH = 1000  # sequences measured at a time: at most 64 KiB


def emoji():
    """Returns the sequences of Unicode's list in all forms, qualified or not."""
    lines = re.findall(r"^([0-9A-F ]+?) *;", EMOJI.read_text("utf-8"), re.MULTILINE)
    return ["".join(chr(int(number, 16)) for number in line.split()) for line in lines]


def measured(place, texts, *options):
    """Returns the daemon's width of each text."""
    widths = []
    for start in range(0, len(texts), BATCH):
        batch = "\n".join(texts[start : start + BATCH])
        lines = place.client("-q", "measure", "--jsonl", "--width", "100", *options, "-", input=batch).stdout.splitlines()
        widths += [json.loads(line)["width"] for line in lines]
    assert len(widths) == len(texts)
    return widths


def columns(place, texts):
    """Returns the column of a terminal's cursor after each text."""
    question, answer = place.folder / "texts", place.folder / "columns"
    question.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    helper = pathlib.Path(__file__).with_name("cursor.py")
    terminal = Terminal(place, f"{sys.executable} {helper} {question} {answer}")
    place.cleanup.callback(terminal.close)
    terminal.wait_for_end()
    assert answer.exists(), terminal.screen()
    return [int(line) for line in answer.read_text().splitlines()]


def exceptions():
    """Returns the document's version of tmux, and its characters with the number of sequences that contain each."""
    version, rows = re.search(r"```text (tmux \S+)\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL).groups()
    return version, {chr(int(number, 16)): int(count) for number, count in re.findall(r"U\+([0-9A-F]+) +(\d+)", rows)}


def test_the_cursor_of_tmux_matches_the_sum_profile(place):
    version, listed = exceptions()
    tmux = subprocess.run(["tmux", "-V"], capture_output=True, text=True, check=True).stdout.strip()
    if tmux != version:
        pytest.skip(f"docs/WIDTHS.md lists the exceptions of {version}; this is {tmux}")
    sequences = emoji()
    assert len(sequences) > 4000
    shown, sums = columns(place, sequences), measured(place, sequences)
    different = {sequence for sequence, column, width in zip(sequences, shown, sums) if column != width}
    assert different == {sequence for sequence in sequences if listed.keys() & set(sequence)}, "docs/WIDTHS.md lists the wrong characters"
    counts = {character: sum(character in sequence for sequence in sequences) for character in listed}
    assert counts == listed, "docs/WIDTHS.md has wrong counts"
    # The document's reasons explain every column: joined characters and unknown ones take no cells.
    unknown = "".join(listed.keys() - {JOINER})
    rests = [re.sub(f"{JOINER}.|[{unknown}]", "", sequence) for sequence in sequences]
    assert shown == measured(place, rests)


@pytest.mark.parametrize("text, width", [("Ahoy", 4), ("漁師", 4), ("e\u0301", 1), ("±“x”", 4), ("ﾊﾝｸ", 3), ("ｗ", 2), ("한글", 4)])
def test_letters_have_the_terminal_width(place, text, width):
    assert columns(place, [text]) == measured(place, [text]) == [width]


def test_measure_wraps_a_text_as_the_timeline_does(place):
    said = "Ahoy, 漁師! What a fine morning 👩‍👩‍👧 to set sail."
    place.post(said)
    shown = [line for line in place.client("timeline", "--width", "20").stdout.splitlines() if line][1:]
    lines = [json.loads(line)["text"] for line in place.client("measure", "--jsonl", "--width", "19", said).stdout.splitlines()]
    assert len(lines) > 2 and shown[: len(lines)] == lines
    painted = place.client("measure", "--width", "19", said).stdout.splitlines()
    assert [line[7:] for line in painted[:-1]] == lines and painted[-1].startswith(f"{len(lines)} lines at width 19 ")


def test_the_profile_determines_the_width_of_emoji(place):
    family = "👩‍👩‍👧"
    assert measured(place, [family]) == [6]
    assert measured(place, [family], "--width-profile", "cluster") == [2]
    watch = "\u231a\ufe0e"  # a wide emoji that VS15 makes text
    assert measured(place, [family, watch], "--width-profile", "cluster-text") == [2, 1]
    assert measured(place, [watch], "--width-profile", "cluster") == measured(place, [watch]) == [2]
    assert measured(place, ["±"], "--ambiguous", "2") == [2]
    whole = json.loads(place.client("measure", "--json", "--width-profile", "cluster", f"a{family}").stdout)
    assert whole["clusters"] == [{"width": 1, "text": "a"}, {"width": 2, "text": family}]
    assert (whole["text_height"], whole["row_height"]) == (1, 3)


def test_invalid_arguments_of_measure(place):
    place.fails("measure", "-", input="a" * 70_000, code=1, words="the text is longer than 65536 bytes; measure it in parts")
    place.fails("measure", "--ambiguous", "3", "a", code=2, words="--ambiguous must be 1 or 2, not 3")
