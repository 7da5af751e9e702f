"""Gives recorded worlds to a daemon of then and to one of now, and prints what differs (scripts/replay)."""

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

import permitted
from compare import compare, count_rows
from daemon import Daemon
from play import Player
from record import records
from schema import Schema, Translator, compile_schema

SHOWN = 20  # differences of a world that are printed
state = {}


def schemas(options):
    """Returns the schemas of then and now, and the table."""
    table = permitted.load(options.permitted)
    then = Schema(compile_schema(options.then_schema), table.package[0])
    return then, Schema(compile_schema(options.now_schema), table.package[1]), table


def prepare(options):
    """Makes a worker ready."""
    then, now, table = schemas(options)
    state["sides"] = [(options.then, then, Translator(then, then, table)), (options.now, now, Translator(then, now, table))]
    state["preload"] = options.preload
    state["scratch"] = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def perform(program, schema, translator, record):
    """Plays a world on one daemon."""
    folder = tempfile.mkdtemp(prefix="replay-", dir=state["scratch"])
    try:
        return Player(Daemon(program, state["preload"], folder), schema, translator).play(record)
    finally:
        shutil.rmtree(folder)


def replay(line):
    """Plays a world on both daemons; returns its seed, what differs, and what was compared."""
    record = json.loads(line)
    try:
        then, now = [perform(*side, record) for side in state["sides"]]
    except Exception:  # whatever it is, it is told with the world's seed, and the others go on
        return record["world"], [traceback.format_exc()], 0, 0, 0
    rows = sum(count_rows(answer) for _, _, answer in then)
    return record["world"], compare(then, now), len(then), rows, sum("response" in answer for _, _, answer in then)


def play(options):
    """Plays all worlds of a file; returns whether nothing differs."""
    began, worlds, failed, found, totals = time.monotonic(), 0, 0, 0, [0, 0, 0]
    context = multiprocessing.get_context("spawn")
    with open(options.records, encoding="utf-8") as lines, context.Pool(options.jobs, prepare, [options]) as pool:
        for seed, lines, *counts in pool.imap_unordered(replay, lines):
            worlds, found, failed = worlds + 1, found + len(lines), failed + bool(lines)
            totals = [total + count for total, count in zip(totals, counts)]
            for line in lines[:SHOWN]:
                print(f"world {seed}, {line}")
            if len(lines) > SHOWN:
                print(f"world {seed}: {len(lines) - SHOWN} more")
            sys.stdout.flush()
    calls, rows, good = totals
    print(f"{worlds} worlds, {calls} answers compared ({good} responses of calls), {rows} rows; {time.monotonic() - began:.0f} s")
    print(f"{found} differences in {failed} worlds")
    return worlds > 0 and found == 0


def record(options):
    """Turns what the simulation printed on standard input into records."""
    then, _, table = schemas(options)
    with open(options.records, "w", encoding="utf-8") as file:
        for world in records(sys.stdin, then, table):
            file.write(json.dumps(world, ensure_ascii=False, separators=(",", ":")) + "\n")


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["record", "play"])
    parser.add_argument("--records", required=True, help="file of worlds, one a line")
    parser.add_argument("--then", help="daemon of 93cdc55")
    parser.add_argument("--now", help="daemon that is compared with it")
    parser.add_argument("--preload", help="clock.c, compiled")
    parser.add_argument("--then-schema", required=True, type=Path)
    parser.add_argument("--now-schema", required=True, type=Path)
    parser.add_argument("--permitted", default=permitted.TABLE, type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.step == "record":
        return record(options)
    sys.exit(0 if play(options) else 1)


if __name__ == "__main__":
    main()
