"""Fixtures: a server of each kind whose clock stands still, and clients of its accounts."""

import tempfile

import pytest
from client import Client
from fediverse.clock import Clock
from fediverse.flavours import FLAVOURS, MASTODON_4_5
from fediverse.server import Server
from fediverse.tls import make_authority

NOW = 1_795_000_000.0  # 18 November 2026, 11:06:40 UTC


@pytest.fixture(scope="session")
def authority():
    with tempfile.TemporaryDirectory() as folder:
        yield make_authority(folder)


@pytest.fixture
def start(authority):
    """Starts servers, which end with the test: `start(flavour)`."""
    servers = []

    def run(flavour=MASTODON_4_5, **fields):
        servers.append(Server(flavour, clock=Clock(lambda: NOW), authority=authority, **fields))
        return servers[-1]

    yield run
    for server in servers:
        server.close()


@pytest.fixture
def server(start):
    return start()


@pytest.fixture(params=FLAVOURS.values(), ids=FLAVOURS)
def any_server(request, start):
    return start(request.param)


@pytest.fixture
def ann(server):
    client = Client.of(server, "ann")
    yield client
    client.close()
