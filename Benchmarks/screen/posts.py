"""Writes the same posts in three formats: JSON Lines, RSS, and the TSV of sfeed."""
import json
import re

WORDS = "the timeline shows what people wrote while nobody looked and every post has its own place in it".split()
OTHER = ["漢字", "naïve", "שלום", "👩‍🚀", "привет", "ελληνικά"]
AUTHORS = 500
FIRST_SECOND = 1_500_000_000
# The beginning of every title.
TITLE = re.compile(rb"post \d{7} ")


def text(number):
    """Returns a text of about 190 bytes; 30 % of them have a word that is not ASCII. The last word is in no other post."""
    words = [WORDS[(number * 7 + index) % len(WORDS)] for index in range(24 + number % 20)]
    if number % 10 < 3:
        words[number % 24] = OTHER[number % len(OTHER)]
    return f"{' '.join(words)} {last_word(number)}"


def last_word(number):
    return f"w{number:07}"


def title(number):
    return f"post {number:07} " + " ".join(WORDS[(number * 7 + index) % len(WORDS)] for index in range(8))


def write_lines(path, count):
    """Writes the posts as JSON Lines, a minute apart, oldest first."""
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            author = number % AUTHORS
            file.write(
                f'{{"source":"bench","id":"{number}","created_at":{1000 * (FIRST_SECOND + 60 * number)},'
                f'"author":{{"id":"{author}","handle":"u{author}"}},"text":{json.dumps(text(number), ensure_ascii=False)}}}\n')


def write_rss(path, count):
    """Writes the posts as an RSS feed, newest first, as usual in feeds."""
    from email.utils import formatdate

    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>Posts</title>'
                   "<link>http://example.org/</link><description>-</description>\n")
        for number in reversed(range(count)):
            file.write(
                f"<item><title>{title(number)}</title><link>http://example.org/{number}</link><guid>http://example.org/{number}</guid>"
                f"<pubDate>{formatdate(FIRST_SECOND + 60 * number)}</pubDate><description>{text(number)}</description></item>\n")
        file.write("</channel></rss>\n")


def write_tsv(path, count):
    """Writes the posts in the format of sfeed(5): time, title, link, content, its type, ID, author, enclosure, category; newest first."""
    with open(path, "w", encoding="utf-8") as file:
        for number in reversed(range(count)):
            link = f"http://example.org/{number}"
            file.write(f"{FIRST_SECOND + 60 * number}\t{title(number)}\t{link}\t{text(number)}\tplain\t{link}\tu{number % AUTHORS}\t\t\n")
