"""Runs a server by hand.

    python -m fediverse [--flavour mastodon-4.5] [--port 8443] [--faults FILE] [--posts 100]

Accounts are ann and ben; their passwords are ann-secret and ben-secret. Ann follows ben, who has written `--posts` posts. The CA's
certificate is at the path that is printed.
"""

import argparse
import pathlib
import signal

from .flavours import FLAVOURS
from .server import Server


def main():
    parser = argparse.ArgumentParser(prog="fediverse", description="A server of the fediverse in memory.")
    parser.add_argument("--flavour", choices=FLAVOURS, default="mastodon-4.5")
    parser.add_argument("--port", type=int, default=8443)
    parser.add_argument("--posts", type=int, default=100)
    parser.add_argument("--faults", type=pathlib.Path, help="a JSON object a line (fediverse/faults.py)")
    options = parser.parse_args()
    with Server(FLAVOURS[options.flavour], port=options.port) as server:
        if options.faults:
            server.faults.read(options.faults)
        ann, ben = server.account("ann"), server.account("ben")
        server.act(server.world.follow, ann, ben)
        for number in range(options.posts):
            server.act(server.world.publish, ben, f"Post {number + 1}")
        print(f"{server.origin} speaks {options.flavour}; --cacert {server.authority}", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})


if __name__ == "__main__":
    main()
