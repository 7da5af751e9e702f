"""Real clients, as processes."""

LIMIT = 120  # seconds that a client may take


def limited(*command, seconds=LIMIT):
    """Returns a command that is ended in time, with the processes that it has started, so that what reads from it ends too."""
    return ["timeout", "--kill-after=5", str(seconds), *command]
