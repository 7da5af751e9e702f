"""A daemon under a service manager, and its configuration file."""

import contextlib
import os
import re
import shutil
import socket
import subprocess

import pytest
from conftest import BIN, PATIENCE, ROOT


@contextlib.contextmanager
def manager(place, address):
    """Listens as a service manager does. Yields a function that waits for the next message."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind("\0" + address[1:] if address.startswith("@") else address)
        listener.settimeout(PATIENCE)
        place.environment["NOTIFY_SOCKET"] = address
        try:
            yield lambda: listener.recv(4096).decode()
        finally:
            del place.environment["NOTIFY_SOCKET"]


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_a_service_manager_is_told_when_clients_can_connect_and_of_the_end(place, kind):
    address = f"@stack-{os.getpid()}" if kind == "abstract" else str(place.folder / "notify")
    with manager(place, address) as message:
        with place.running():
            assert message() == "READY=1"
            assert place.texts("timeline") == []
        assert message() == "STOPPING=1"


def test_a_watchdog_gets_signs_of_life_until_the_daemon_hangs(place):
    with manager(place, str(place.folder / "notify")) as message:
        place.environment["WATCHDOG_USEC"] = "200000"
        with place.running():
            assert [message() for _ in range(4)] == ["READY=1"] + 3 * ["WATCHDOG=1"]
            place.post("It gets on.")
            assert message() == "WATCHDOG=1"
        while (last := message()) == "WATCHDOG=1":
            pass
        assert last == "STOPPING=1"


def test_settings_last_in_a_file(place):
    file = place.folder / "config/stack/daemon.toml"
    file.parent.mkdir(parents=True)
    file.write_text(f'store = "{place.folder}/elsewhere.db"\n[upstream.quiet]\ncommand = ["/bin/cat"]\n', encoding="utf-8")
    with place.running():
        place.post("Kept elsewhere.")
        assert (place.folder / "elsewhere.db").exists()
        assert place.texts("timeline") == ["Kept elsewhere."]
    checked = subprocess.run([BIN / "stack-daemon", "--check-config"], env=place.environment, capture_output=True, text=True, check=True).stdout
    assert f'store = "{place.folder}/elsewhere.db"  # {file}:1\n' in checked and "clock = \"system\"  # built in\n" in checked
    assert f'[upstream.quiet]\ncommand = ["/bin/cat"]  # {file}:3\n' in checked


def test_a_mistake_in_the_file_is_told_and_nothing_starts(place):
    file = place.folder / "other.toml"
    file.write_text("grop = 'staff'\n", encoding="utf-8")
    for option in ([], ["--check-config"]):
        refused = subprocess.run(
            [BIN / "stack-daemon", "--config", file, *option], env=place.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert refused.returncode == 2
        assert refused.stderr == f"stack-daemon: {file}:1:1: there is no setting grop; did you mean group?\n"
    missing = subprocess.run(
        [BIN / "stack-daemon", "--config", place.folder / "none.toml"], env=place.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert missing.returncode == 2 and "none.toml: no such file" in missing.stderr
    assert not (place.folder / "data").exists()


def test_the_manual_has_the_options_and_keys_of_the_program():
    shown = subprocess.run([BIN / "stack-daemon", "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^  --([a-z-]+) ", shown, re.MULTILINE))
    manual = (ROOT / "docs/man/stack-daemon.1").read_text(encoding="utf-8")
    assert set(re.findall(r"^\.It Fl -([a-z-]+)", manual, re.MULTILINE)) == options
    assert set(re.findall(r"Fl -([a-z-]+)", manual.split(".Sh DESCRIPTION")[0])) == options
    keys = set(re.findall(r"^\.It Ic ([a-z-]+)", (ROOT / "docs/man/stack-daemon.toml.5").read_text(encoding="utf-8"), re.MULTILINE))
    assert keys == options - {"config", "check-config", "version", "help"}
    documented = set(re.findall(r"^\| `([a-z-]+)", (ROOT / "docs/OPERATE.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert documented == keys


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_the_manual_is_well_formed():
    pages = sorted((ROOT / "docs/man").iterdir())
    assert subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True, text=True, check=False).stdout == ""


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_the_unit_is_hardened():
    unit = ROOT / "scripts/units/system/stack.service"
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", unit], capture_output=True, text=True, check=True).stdout
    assert float(re.search(r"Overall exposure level for stack.service: (\S+)", told)[1]) <= 1.5, told
