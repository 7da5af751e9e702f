"""The areas of a comparison, with their parameters in full and with --quick."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Area:
    """An area of figures, measured by the function `measure_NAME` of a module in this folder."""

    name: str
    full: dict
    quick: dict
    # The maximum number of runs; counters that hardly vary need few.
    most_runs: int = 99


AREAS = [
    # Server CPU of a delivery, and of a post without watchers.
    Area("fanout", {"views": [100, 1000], "posts": [150, 60]}, {"views": [100, 1000], "posts": [60, 18]}),
    # From a command to the frame of its own view, alone and beside other views.
    Area("latency", {"posts": 100, "others": 200}, {"posts": 60, "others": 100}),
    # Resident memory of idle views and connections.
    Area("memory", {"views": 2000}, {"views": 900}, most_runs=5),
    # A daemon with a new store: time and CPU until it listens, and memory; start of the client.
    Area("start", {"starts": 7}, {"starts": 5}),
    # Frames of a session of scrolling and posting.
    Area("bytes", {"steps": 300}, {"steps": 300}, most_runs=3),
    Area("wrap", {"widths": [50, 79], "passes": 3}, {"widths": [50], "passes": 2}),
    Area("heights", {"rows": 1_000_000, "turns": 3}, {"rows": 1_000_000, "turns": 3}),
    Area("posts", {"rows": 500_000}, {"rows": 200_000}),
    Area("resize", {"rows": 1_000_000, "widths": [50, 79, 38, 120]}, {"rows": 500_000, "widths": [50, 79]}),
    Area("ticks", {"posts": 1_000_000}, {"posts": 1_000_000}),  # the deepest view is 902,500 posts down
    Area("matching", {"posts": 20_000}, {"posts": 5_000}),
    Area("storing", {"posts": 30_000}, {"posts": 10_000}),
    # An import, opened sections, written posts and undo on one store. With fewer than 48,500 posts, the search for a rare tag finds
    # nothing.
    Area("sections", {"posts": 50_000, "tries": 2, "seconds": 2, "writers": 50},
         {"posts": 50_000, "tries": 1, "seconds": 1, "writers": 50}),
    # Imports by stack-client, then its line mode.
    Area("line", {"posts": 50_000, "tweets": 5_000, "calls": 20}, {"posts": 20_000, "tweets": 2_000, "calls": 8}),
    Area("screen", {"posts": 20_000, "starts": 5, "keys": 8, "byte_keys": 10, "many_keys": 400},
         {"posts": 10_000, "starts": 3, "keys": 3, "byte_keys": 5, "many_keys": 100}),
]

# Renamed figures: the old name and the present one, so that both count as one figure.
RENAMED = {}
