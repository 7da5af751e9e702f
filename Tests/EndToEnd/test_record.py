"""scripts/record, which generates docs/screen.cast."""

import json
import subprocess
from pathlib import Path

from conftest import BIN

ROOT = Path(__file__).resolve().parents[2]


def test_a_session_is_recorded(tmp_path):
    file = tmp_path / "screen.cast"
    subprocess.run([ROOT / "scripts" / "record", "--fast", "--bin", BIN, file], check=True, timeout=120)
    check(file)


def test_the_recording_in_docs_is_valid():
    check(ROOT / "docs" / "screen.cast")


def check(file):
    """Checks that a file is a complete asciicast of version 2 that ends with a restored terminal."""
    header, *events = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert (header["version"], header["width"], header["height"]) == (2, 80, 24)
    assert all(kind == "o" for _, kind, _ in events)
    assert [at for at, _, _ in events] == sorted(at for at, _, _ in events)
    text = "".join(text for _, _, text in events)
    for words in ("Timeline", "Conversation", "Teodor", "Find:", "New post", "Posted."):
        assert words in text, words
    assert text.endswith("\x1b[?1049l\x1b[?25h\x1b[23;2t")
