#!/usr/bin/env python3
"""Writes a Twitter archive of a given number of tweets to a folder: account.js and tweets.js.

Each tweet is one of the repository's sample archive with its own ID and time, so that texts, scripts, links, pictures and escapes have the
samples' proportions. The file of 108,000 tweets has about 132 MB, like real exports of that size.

    Benchmarks/make-tweets.py FOLDER [COUNT]
"""
import datetime
import json
import pathlib
import sys

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Fixtures" / "twitter-archive" / "data"
FIRST = datetime.datetime(2010, 1, 1, tzinfo=datetime.timezone.utc)
WORDS = "the timeline shows what people wrote while nobody looked and every post has its own place in it".split()


def samples():
    for name in ("tweets.js", "tweets-part1.js"):
        text = (SAMPLES / name).read_text(encoding="utf-8")
        yield from (element["tweet"] for element in json.loads(text[text.index("["):]))


def tweet(sample, number):
    made = dict(sample)
    made["id"] = made["id_str"] = str(1_000_000_000_000_000_000 + number * 1009)
    made["created_at"] = (FIRST + datetime.timedelta(minutes=37 * number)).strftime("%a %b %d %H:%M:%S +0000 %Y")
    words = " ".join(WORDS[(number + i) % len(WORDS)] for i in range(number % 24))
    made["full_text"] = f"{made['full_text']} {words}".rstrip()
    return made


def main(folder, count):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "account.js").write_bytes((SAMPLES / "account.js").read_bytes())
    originals = list(samples())
    with open(folder / "tweets.js", "w", encoding="utf-8") as file:
        file.write("window.YTD.tweets.part0 = [")
        for number in range(count):
            element = {"tweet": tweet(originals[number % len(originals)], number)}
            body = json.dumps(element, ensure_ascii=False, indent=2).replace("\n", "\n  ")
            file.write(("," if number else "") + "\n  " + body)
        file.write("\n]")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 108_000)
