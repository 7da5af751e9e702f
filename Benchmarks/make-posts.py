#!/usr/bin/env python3
"""Writes COUNT posts of about 188 bytes of text each as JSON Lines (docs/JSONLINES.md), a minute apart, oldest first.

    Benchmarks/make-posts.py FILE [COUNT]
"""
import json
import sys

WORDS = "the timeline shows what people wrote while nobody looked and every post has its own place in it".split()
OTHER = ["漢字", "naïve", "שלום", "👩‍🚀", "привет", "ελληνικά"]


def main():
    path, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            words = [WORDS[(number * 7 + i) % len(WORDS)] for i in range(24 + number % 20)]
            if number % 10 < 3:
                words[number % 24] = OTHER[number % len(OTHER)]
            when = 1_500_000_000 + number * 60
            days, seconds = divmod(when, 86_400)
            text = json.dumps(" ".join(words), ensure_ascii=False)
            file.write(
                f'{{"source":"bench","id":"{number}","created_at":"{date(days)}T{seconds // 3600:02}:{seconds // 60 % 60:02}'
                f':{seconds % 60:02}Z","author":{{"id":"{number % 500}","handle":"u{number % 500}"}},"text":{text}}}\n'
            )


def date(days):
    """Returns the civil date of a day counted from 1970-01-01 (Hinnant, civil_from_days)."""
    z = days + 719_468
    era = z // 146_097
    doe = z - era * 146_097
    yoe = (doe - doe // 1460 + doe // 36_524 - doe // 146_096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + 3 if mp < 10 else mp - 9
    return f"{yoe + era * 400 + (month <= 2):04}-{month:02}-{doy - (153 * mp + 2) // 5 + 1:02}"


if __name__ == "__main__":
    main()
