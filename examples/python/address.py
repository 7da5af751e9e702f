"""Finds the socket of the user's daemon (docs/PROTOCOL.md, Connecting)."""

import os


def daemon_socket():
    """Returns the path of the Unix socket that stack-client uses by default."""
    if named := os.environ.get("STACK_SOCKET"):
        return named
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/"):
        return f"{runtime}/stack/daemon.sock"
    return f"/tmp/stack-{os.geteuid()}/daemon.sock"
