"""Where a daemon of this user listens (docs/PROTOCOL.md, section 1)."""

import os


def daemon_socket():
    """The path of its Unix socket, unless it was told another."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/"):
        return f"{runtime}/stack/daemon.sock"
    return f"/tmp/stack-{os.geteuid()}/daemon.sock"
