"""Posts with files by a login at a server of Mastodon's kind, with the real stack-mastodon and the server of Tests/Fediverse over TLS."""

import os
import pathlib
import signal

import pytest
from conftest import wait_until
from test_mastodon import AKKOMA, MASTODON_4_2, MASTODON_4_5, PIXELFED
from test_mastodon_writing import nothing_waits, signed_in, texts

from fediverse.flavours import GOTOSOCIAL

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400  # four chunks
WITH = ("post", "--source", "mastodon")


def picture(folder, name="cat.png", content=PNG):
    (folder / name).write_bytes(content)
    return str(folder / name)


def files(town):
    """Returns the files of ann's last post at the server."""
    world = town.server.world
    [status] = [status for status in world.statuses.values() if status.account == town.ann]
    return [world.media[number] for number in status.media]


@pytest.mark.parametrize("flavour", [MASTODON_4_5, MASTODON_4_2, GOTOSOCIAL, AKKOMA, PIXELFED], ids=lambda flavour: flavour.name)
def test_files_are_there_with_their_descriptions(place, flavour, tmp_path):
    with signed_in(place, flavour) as (town, _):
        gif = picture(tmp_path, "dog.gif", b"GIF89a")
        place.client(*WITH, "Look", "--media", picture(tmp_path), "--alt", 'A "cat" asleep', "--media", gif, "--no-alt")
        # Until the server's answer is here, the stream's copy of the post stands beside it.
        nothing_waits(place)
        [row] = [row for row in place.rows("timeline") if row["text"] == "Look"]
        assert [file["alt"] for file in row["media"]] == ['A "cat" asleep', ""] and row["media"][0]["url"].startswith("https://")
        first, second = files(town)
        assert (first["bytes"], first["type"], first["description"]) == (PNG, "image/png", 'A "cat" asleep')
        assert (second["bytes"], second["type"], second["description"]) == (b"GIF89a", "image/gif", None)


def test_a_file_that_is_not_ready_is_waited_for(place, tmp_path):
    with signed_in(place) as (town, post):
        town.server.faults.add("media-waits", "POST /api/v2/media", times=1, polls=2)
        place.client("reply", post, "Look", "--media", picture(tmp_path), "--alt", "A cat")
        nothing_waits(place)
        assert len(files(town)) == 1


def test_what_cannot_be_sent_is_refused_before_it_is_posted(place, tmp_path):
    with signed_in(place) as (town, post):
        cat, text = picture(tmp_path), picture(tmp_path, "notes.txt", b"hello")
        video = picture(tmp_path, "v.webm", b"\x1a\x45\xdf\xa3" + bytes(9))
        place.fails(*WITH, "x", "--media", cat, code=2, words="describe each file with --alt TEXT")
        place.fails(*WITH, "x", "--media", text, "--no-alt", code=2, words="no picture, video or sound of a known kind")
        place.fails(*WITH, "x", "--media", str(tmp_path / "none"), "--no-alt", code=3, words="there is no file")
        place.fails("post", "x", "--media", cat, "--no-alt", code=1, words="this daemon keeps no files")
        words = f"{town.server.host} takes no video/webm, only image/jpeg, image/png"
        place.fails(*WITH, "x", "--media", video, "--no-alt", code=1, words=words)
        large = picture(tmp_path, "l.png", PNG + bytes(16 << 20))
        place.fails(*WITH, "x", "--media", large, "--no-alt", code=1, words="file too large")
        town.server.faults.add("answer", "POST /api/v2/media", status=503)
        place.fails(*WITH, "x", "--media", cat, "--no-alt", code=1, words="mastodon says")
        assert texts(town) == [] and town.server.world.media == {}


class Forgotten(dict):
    """Files that are gone when a post names them."""

    def __contains__(self, _):
        return False


def test_a_file_that_the_server_has_lost_is_told_of(place, tmp_path):
    with signed_in(place, MASTODON_4_2) as (town, _):
        town.server.world.media = Forgotten()
        place.client(*WITH, "Look", "--media", picture(tmp_path), "--alt", "A cat")
        nothing_waits(place)
        [login] = [login for login in place.value("sources") if login["source"] == "mastodon"]
        assert texts(town) == ["Look"] and "made a post without its files" in login["reason"]


def kill_connectors(process):
    """Kills the programs that a daemon has started."""
    for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)


def test_a_kill_after_the_file_was_sent_makes_no_second_post(place, tmp_path):
    with signed_in(place) as (town, _):
        town.server.faults.add("lost-answer", "POST /api/v1/statuses", times=1)
        town.server.faults.add("key-forgotten", "POST /api/v1/statuses", times=1)
        place.client(*WITH, "Look", "--media", picture(tmp_path), "--alt", "A cat")
        wait_until(lambda: texts(town) == ["Look"], lambda: place.value("outbox"))
        kill_connectors(place.value("status")["process_id"])
        nothing_waits(place)
        assert texts(town) == ["Look"] and len(town.server.world.media) == 1 and len(files(town)) == 1


def test_a_kill_while_a_file_is_sent_makes_no_post(place, tmp_path):
    with signed_in(place) as (town, _):
        town.server.faults.add("media-waits", "POST /api/v2/media", times=1, polls=1_000)
        post = place.start(*WITH, "Look", "--media", picture(tmp_path), "--alt", "A cat")
        wait_until(lambda: town.server.world.media, "the file")
        kill_connectors(place.value("status")["process_id"])
        _, said = post.communicate(timeout=60)
        assert post.returncode == 5 and "the program of mastodon ended" in said
        assert texts(town) == [] and place.value("outbox") == []
