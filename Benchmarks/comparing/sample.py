"""Measures one area of one tree once: sample.py TREE AREA SETTINGS prints {figure: [value, unit]} as JSON.

SETTINGS are the area's parameters (catalogue.py) as JSON. Everything that talks to the daemon or reads a frame belongs to the tree: its
Benchmarks modules, the Python messages of its schema and its load client. A change of the schema therefore needs no change here.

INTERFACE lists everything that this module uses of a tree, old or new. test_compare.py checks that the working tree has all of it.
"""
import importlib
import json
import pathlib
import resource
import sys
import types

# Folders of a tree's Benchmarks that hold its modules, in search order.
FOLDERS = ("screen", "streaming", "layout", "")
# Names used of a tree's modules. Constants are set to an area's parameters.
INTERFACE = {
    "harness": ["CPU", "Daemon", "Load", "folders", "measured", "start", "stop"],
    "requests": ["attach", "compose", "fill", "grpc", "watch"],
    "memory": ["growth"],
    "session": ["Mirror", "Player", "STEPS", "TICKS", "play", "posts"],
    "sections": ["TRIES", "again", "fill", "measure_opening", "measure_undoing", "peer", "start", "stop"],
    "budgets": ["BIN", "Daemon"],
    "wrap": ["BUILT", "Engine"],
    "index": ["lines"],
    "search": ["figures"],
    "screen": ["BYTE_KEYS", "KEYS", "MANY_KEYS", "measure_bytes", "measure_first", "measure_keys", "measure_memory", "rest"],
    "programs": ["Stack"],
    "terminal": ["Terminal"],
}


class Tree:
    """A tree, whose own modules are imported."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.built = self.root / ".build" / "benchmarks"
        self.folders = [str(self.root / "Benchmarks" / folder) for folder in FOLDERS]
        self.import_messages()

    def import_messages(self):
        """Imports the packages of the tree's schema, before one of its benchmark modules can find older ones elsewhere."""
        stubs = self.built / "stubs"
        sys.path.insert(0, str(stubs))
        for package in stubs.glob("*/__init__.py"):
            importlib.import_module(package.parent.name)

    def module(self, name, **constants):
        """Returns a module with some of its constants set."""
        # Set each time: a module may put the examples first, which have modules of the same names.
        sys.path[:] = self.folders + [path for path in sys.path if path not in self.folders]
        module = importlib.import_module(name)
        home = pathlib.Path(module.__file__)
        assert home.is_relative_to(self.root / "Benchmarks"), f"{name} comes from {home}, not from {self.root}"
        for constant, value in constants.items():
            assert hasattr(module, constant), f"{home} has no {constant}"
            setattr(module, constant, value)
        return module


class Collector:
    """A report that collects figures: {name: values}. An indented name belongs to the last one that is not indented."""

    def __init__(self):
        self.figures, self.head = {}, ""

    def add(self, name, values, unit, budget):
        """Stores a figure."""
        del unit, budget
        if name.startswith(" "):
            name = f"{self.head} / {name.strip()}"
        else:
            self.head = name
        self.figures[name] = list(values)

    def note(self, text):
        """Ignores notes, which are not figures."""


def children_cpu():
    """Returns the CPU seconds of all children that have exited."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(root, area, settings):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    tree = Tree(root)
    # Imported here, because they import this module and the tree's modules must be found first.
    areas = map(importlib.import_module, ("daemon_areas", "program_areas", "screen_areas"))
    name = f"measure_{area}"
    measure = next(getattr(module, name) for module in areas if hasattr(module, name))
    print(json.dumps(measure(tree, types.SimpleNamespace(**json.loads(settings)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
