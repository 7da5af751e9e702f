"""Replays recorded worlds on an old and a new daemon, and prints the differences (scripts/replay)."""

import argparse
import hashlib
import json
import multiprocessing
import os
import pickle
import shutil
import sys
import tempfile
import time
import traceback
import zlib
from pathlib import Path

import permitted
from compare import compare, count_rows
from daemon import Daemon
from play import Player
from record import records
from schema import Schema, Translator, check_table, compile_schema

SHOWN = 20  # differences printed per world
state = {}


def prepare(options):
    """Prepares a worker process."""
    table = permitted.load(options.permitted)
    then = Schema(compile_schema(options.then_schema), table.package[0])
    check_table(table, then)
    now = Schema(compile_schema(options.now_schema), table.package[1])
    state["sides"] = [(options.then, then, Translator(then, then, table)), (options.now, now, Translator(then, now, table))]
    state["preload"], state["answers"] = options.preload, options.answers
    state["scratch"] = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def perform(program, schema, translator, record):
    """Replays a world on one daemon."""
    folder = tempfile.mkdtemp(prefix="replay-", dir=state["scratch"])
    try:
        return Player(Daemon(program.resolve(), state["preload"].resolve(), folder), schema, translator).play(record)
    finally:
        shutil.rmtree(folder)


def perform_then(line, record):
    """Returns the responses of the old daemon, which are cached because they never change."""
    if not state["answers"]:
        return perform(*state["sides"][0], record)
    kept = state["answers"] / hashlib.sha256(line.encode()).hexdigest()
    if not kept.exists():
        answers = perform(*state["sides"][0], record)
        kept.with_suffix(".part").write_bytes(zlib.compress(pickle.dumps(answers), level=1))
        kept.with_suffix(".part").rename(kept)
    return pickle.loads(zlib.decompress(kept.read_bytes()))


def stamp(options):
    """Returns a hash of everything that the old responses depend on, apart from the calls."""
    files = [options.then, options.permitted, *sorted(Path(__file__).parent.glob("*.py")), Path(__file__).with_name("clock.c")]
    return hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).hexdigest()[:12]


def make_room(options):
    """Creates the cache of old responses, and deletes those of other tools or daemons."""
    for folder in options.answers.glob("*"):
        if folder.name != stamp(options):
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
    options.answers = options.answers / stamp(options)
    options.answers.mkdir(parents=True, exist_ok=True)


def replay(line):
    """Replays a world on both daemons; returns its seed, the differences, and counts of what was compared."""
    record = json.loads(line)
    try:
        then, now = perform_then(line, record), perform(*state["sides"][1], record)
    except Exception:  # reported with the world's seed; the other worlds continue
        return record["world"], [traceback.format_exc()], 0, 0, 0
    rows = sum(count_rows(answer) for _, _, answer in then)
    # A call that did not end in time has no answer: that is a difference of its world, and the others continue.
    answered = sum("response" in (answer or ()) for _, _, answer in then)
    return record["world"], compare(then, now), len(then), rows, answered


def play(options):
    """Replays all worlds of a file; returns True if there are no differences."""
    began, worlds, failed, found, totals, told = time.monotonic(), 0, 0, 0, [0, 0, 0], set()
    if options.answers:
        make_room(options)
    context = multiprocessing.get_context("spawn")
    with open(options.records, encoding="utf-8") as lines, context.Pool(options.jobs, prepare, [options]) as pool:
        for seed, lines, *counts in pool.imap_unordered(replay, lines):
            worlds, found, failed = worlds + 1, found + len(lines), failed + bool(lines)
            totals = [total + count for total, count in zip(totals, counts)]
            for line in lines[:SHOWN]:
                print(f"world {seed}, {'as above' if line in told else line}")
                told.add(line)
            if len(lines) > SHOWN:
                print(f"world {seed}: {len(lines) - SHOWN} more")
            sys.stdout.flush()
    calls, rows, good = totals
    print(f"{worlds} worlds, {calls} results compared ({good} successful responses), {rows} rows; {time.monotonic() - began:.0f} s")
    print(f"{found} differences in {failed} worlds")
    return worlds > 0 and found == 0


def record(options):
    """Converts the simulation's output on standard input to records, and prints them."""
    schema = Schema(compile_schema(options.schema), permitted.Permitted().package[0])
    for world in records(sys.stdin, schema):
        print(json.dumps(world, ensure_ascii=False, separators=(",", ":")))


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(required=True)
    recording = steps.add_parser("record", help="convert the simulation's output to records")
    recording.add_argument("--schema", type=Path, required=True, help="the Proto folder of 93cdc55")
    recording.set_defaults(run=record)
    playing = steps.add_parser("play", help="replay records on two daemons")
    playing.add_argument("--records", type=Path, required=True, help="file with a world per line")
    playing.add_argument("--preload", type=Path, required=True, help="the compiled clock.c")
    playing.add_argument("--permitted", type=Path, default=permitted.TABLE, help="the table of permitted differences")
    playing.add_argument("--answers", type=Path, help="folder that caches the old daemon's responses")
    playing.add_argument("--jobs", type=int, default=os.cpu_count(), help="worlds at a time")
    for build in ("then", "now"):
        playing.add_argument(f"--{build}", type=Path, required=True, help="the stack-daemon of this build")
        playing.add_argument(f"--{build}-schema", type=Path, required=True, help="the Proto folder of this build")
    playing.set_defaults(run=play)
    options = parser.parse_args()
    sys.exit(0 if options.run(options) in (None, True) else 1)


if __name__ == "__main__":
    main()
