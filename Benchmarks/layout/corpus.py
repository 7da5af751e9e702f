"""Makes the posts that layout is measured with, as files that every engine reads.

A corpus is a u32 count, count + 1 offsets as u32, then the bytes of the posts, all little-endian. *mixed* is made with a fixed seed: 188
bytes a post; 70 % of the posts are plain ASCII, the others accented Latin, ideographs and Hangul, Arabic and Hebrew, Thai and Hindi, or
emoji. *samples* repeats the posts of Tests/Fixtures and examples/timeline.jsonl in random order.
"""
import json
import math
import pathlib
import random
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SEED = 20080827
COUNT = 200_000

COMMON = """the of and to a in is it you that he was for on are with as his they be at one have this from or had by hot but some what
there we can out other were all your when up use word how said an each she which do their time if will way about many then them would
write like so these her long make thing see him two has look more day could go come did my sound no most number who over know water
than call first people may down side been now find any new work part take get place made live where after back little only round man
year came show every good me give our under name very through just form great think say help low line before turn cause same mean
differ move right boy old too does tell sentence set three want air well also play small end put home read hand port large spell add
even land here must big high such follow act why ask men change went light kind off need house picture try us again animal point
mother world near build self earth father really honestly tonight tomorrow today weekend coffee morning finally literally someone
everyone nothing something waiting watching listening reading thinking working release version server update thread project music
video game season episode""".split()
ACCENTED = """café résumé naïve über größe straße fußgänger schön müde déjà être garçon français où voilà élève forêt señor mañana año
niño está corazón canción aquí también más jalapeño coração não você são irmã avó çok güzel şehir İstanbul öğrenci ağaç příliš
žluťoučký kůň úpěl zażółć gęślą jaźń łódź człowiek årets smörgåsbord ålesund fjørd blåbær hægt þetta elő ország kérem köszönöm šta đak
ljubav și ța înainte bună dimineața""".split()
DECOMPOSED = ["e\u0301", "a\u0300", "o\u0308", "n\u0303", "u\u0302"]
QUOTED = ["“%s”", "«\u00a0%s\u00a0»", "‘%s’", "%s — ", "%s…", "„%s“"]
HAN = [chr(code) for code in range(0x4E00, 0x9FA0, 7)]
KANA = [chr(code) for code in [*range(0x3042, 0x3094), *range(0x30A2, 0x30F5)]]
HANGUL = [chr(code) for code in range(0xAC00, 0xD7A3, 13)]
EAST_ASIAN_MARKS = "、。，！？「」『』（）…・ー〜："
ARABIC = "في من على إلى أن هذا التي كان مع عن ما لا قال بعد كل يوم بين قبل ذلك عند العربية مرحبا شكرا الناس الوقت كِتَابٌ مُحَمَّد".split()
HEBREW = "של את על לא זה הוא אני עם כי גם היה כל יש אבל מה שלום תודה בבקשה היום מחר אנשים עברית שָׁלוֹם".split()
THAI = "สวัสดี ครับ วันนี้ อากาศ ดี มาก ฉัน รัก ภาษาไทย ไป กิน ข้าว ที่ บ้าน ของ เรา ไม่ ได้ ให้ เป็น การ ความ และ ใน".split()
HINDI = "नमस्ते यह है और के में की से को पर नहीं एक भारत हिन्दी क्या आप मैं हम लोग समय बहुत अच्छा क्षत्रिय श्री".split()
PICTURES = "😀 😂 🔥 🎉 🚀 😭 🙏 💯 ✨ 🤔 😍 👀 🥺 🌍 🍕 🐱 🎶 ⭐ ✅ ❌".split()
STYLED = "❤️ ☀️ ✌️ ☺️ ⚠️ ✈️ ☎️ 1️⃣ #️⃣ ▶️ ©️ ™️".split()
HANDS, TONES = "👍 👋 🙌 👏 💪 ✊ 🤝 🧑 👩 👨".split(), "🏻 🏼 🏽 🏾 🏿".split()
JOINED = "👨‍👩‍👧‍👦 👩‍❤️‍👨 👩‍💻 🧑🏽‍🚀 🏳️‍🌈 🏴‍☠️ 👨‍👨‍👦 🤦🏻‍♂️ 🧘‍♀️ ❤️‍🔥 👁️‍🗨️".split()
FLAGS = "🇺🇸 🇩🇪 🇯🇵 🇧🇷 🇫🇷 🇬🇧 🇰🇷 🇮🇳 🏴󠁧󠁢󠁳󠁣󠁴󠁿".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SYLLABLES = [
    onset + vowel for onset in "b c d f g l m n p r s t v w st tr ch sh th".split() for vowel in "a e i o u ea ou".split()
]


class Writer:
    """Generates posts that resemble real ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def post(self):
        """Returns a post. Its length is log-normal around 122 characters, at most 500; one in 25 has a line feed."""
        count = max(1, min(500, round(math.exp(self.random.gauss(math.log(122), 0.62)))))
        (write,) = self.random.choices(
            [self.plain, self.accented, self.east_asian, self.right_to_left, self.south_asian, self.pictures], [70, 10, 8, 4, 3, 5])
        text = write(count)
        space = text.find(" ", len(text) // 2)
        if self.random.random() < 0.04 and len(text) > 40 and space > 0:
            text = text[:space] + "\n" * (2 if self.random.random() < 0.3 else 1) + text[space + 1 :]
        return text[: 500 if self.random.random() < 0.5 else max(count, 1)].strip() or "a"

    def one(self, *choices):
        return self.random.choice(choices)

    def pick(self, values):
        return self.random.choice(values)

    def word(self):
        if self.random.random() < 0.8:
            return self.pick(COMMON)
        return "".join(self.pick(SYLLABLES) for _ in range(self.random.randint(2, 4)))

    def link(self):
        kind, number = self.random.random(), self.random.randint
        if kind < 0.5:
            return "https://t.co/" + "".join(self.pick(LETTERS + LETTERS.upper() + "0123456789") for _ in range(10))
        if kind < 0.8:
            host = self.pick(SYLLABLES) + self.pick(SYLLABLES)
            return f"https://www.{host}.com/{self.pick(COMMON)}/{self.pick(COMMON)}-{self.pick(COMMON)}-{number(1, 9999)}"
        return f"http://{self.pick(SYLLABLES)}{self.pick(COMMON)}.org/{self.pick(COMMON)}?id={number(1, 10**6)}&from={self.pick(COMMON)}"

    def token(self):
        """Returns a word or, rarely, a mention, a hashtag, an amount, a time, a word in brackets or an emoticon."""
        kind, number = self.random.random(), self.random.randint
        if kind < 0.035:
            return f"@{self.pick(COMMON)}{number(1, 99)}" if self.random.random() < 0.5 else f"@{self.word()}_{self.word()}"
        if kind < 0.06:
            return f"#{self.word().capitalize()}{self.word().capitalize()}"
        if kind < 0.075:
            return self.one(
                f"${number(1, 999)}.{number(0, 99):02}", f"{number(1, 100)}%", f"{number(0, 23)}:{number(0, 59):02}",
                f"{number(1, 12)}/{number(1, 28)}/{number(8, 26)}", f"({self.word()})", f'"{self.word()} {self.word()}"',
                f"{self.word()}-{self.word()}", f"{self.word()}/{self.word()}", "--", "it's", "don't", "I'm", "...", ":-)", "<3", "&")
        return self.word()

    def filled(self, count, separator, make):
        """Joins results of `make` until there are `count` characters."""
        parts, length = [], 0
        while length < count:
            parts.append(make())
            length += len(parts[-1]) + len(separator)
        return separator.join(parts)

    def with_mark(self, text, share=0.08):
        return text + self.pick(".,!?") if self.random.random() < share else text

    def plain(self, count):
        starts = [True]

        def make():
            text = self.token()
            if starts[0]:
                text, starts[0] = text[:1].upper() + text[1:], False
            kind = self.random.random()
            if kind < 0.08:
                text, starts[0] = text + self.one(".", "!", "?", "..."), True
            elif kind < 0.13:
                text += ","
            return text

        text = self.filled(count, " ", make)
        return f"{text} {self.link()}" if self.random.random() < 0.22 else text

    def mixture(self, words, count, share=0.06):
        """Returns words of a language mixed with a few plain ones."""
        return self.filled(count, " ", lambda: self.with_mark(self.token() if self.random.random() < share else self.pick(words)))

    def accented(self, count):
        def make():
            text = self.pick(ACCENTED) if self.random.random() < 0.45 else self.token()
            if self.random.random() < 0.02:
                text += self.pick(DECOMPOSED)
            if self.random.random() < 0.03:
                text = self.pick(QUOTED) % text
            return self.with_mark(text)

        return self.filled(count, " ", make)

    def east_asian(self, count):
        kind = self.random.random()
        if kind < 0.25:
            words = ["".join(self.pick(HANGUL) for _ in range(self.random.randint(1, 4))) for _ in range(40)]
            return self.mixture(words, count, 0.1)
        pool = HAN if kind < 0.6 else HAN[::3] + KANA * 6

        def make():
            text = "".join(self.pick(pool) for _ in range(self.random.randint(2, 9)))
            kind = self.random.random()
            return text + (self.pick(EAST_ASIAN_MARKS) if kind < 0.5 else f" {self.token()} " if kind < 0.57 else "")

        return self.filled(count, "", make)

    def right_to_left(self, count):
        return self.mixture(ARABIC if self.random.random() < 0.6 else HEBREW, count)

    def south_asian(self, count):
        if self.random.random() < 0.6:
            return self.filled(count, " ", lambda: "".join(self.pick(THAI) for _ in range(self.random.randint(2, 8))))
        return self.mixture(HINDI, count)

    def pictures(self, count):
        def make():
            (make,) = self.random.choices([
                self.token, lambda: self.pick(PICTURES) * self.random.randint(1, 3), lambda: self.pick(STYLED),
                lambda: self.pick(HANDS) + self.pick(TONES), lambda: self.pick(JOINED), lambda: self.pick(FLAGS),
            ], [55, 15, 10, 8, 7, 5])
            return make()

        return self.filled(count, " ", make)


def mixed():
    writer = Writer(SEED)
    return [writer.post() for _ in range(COUNT)]


def unescaped(text):
    return text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")


def samples():
    rows = [line.split("\t") for line in (ROOT / "Tests/Fixtures/expected.tsv").read_text(encoding="utf-8").splitlines()]
    texts = [unescaped(row[rows[0].index("text")]) for row in rows[1:]]
    return repeated(texts + texts_of(ROOT / "examples/timeline.jsonl"))


def texts_of(path):
    """Returns the texts of a JSON Lines file (docs/JSONLINES.md); reposts have no text."""
    with open(path, encoding="utf-8") as file:
        posts = [json.loads(line) for line in file]
    return [post["text"] for post in posts if "text" in post]


def repeated(texts):
    """Repeats the texts, in another order each time."""
    shuffler = random.Random(SEED)
    made = []
    while len(made) < COUNT:
        made += shuffler.sample(texts, len(texts))
    return made[:COUNT]


def write(path, texts):
    """Writes a corpus."""
    encoded = [text.encode() for text in texts]
    offsets = [0]
    for text in encoded:
        offsets.append(offsets[-1] + len(text))
    path.write_bytes(struct.pack(f"<{len(offsets) + 1}I", len(encoded), *offsets) + b"".join(encoded))


def ensure_mixed(path):
    """Makes the mixed corpus, unless it exists and is newer than this file."""
    if not path.exists() or path.stat().st_mtime < pathlib.Path(__file__).stat().st_mtime:
        write(path, mixed())


def describe(path):
    """Describes a corpus: the mean length of its posts and the share in ASCII."""
    content = path.read_bytes()
    (count,) = struct.unpack_from("<I", content)
    offsets = struct.unpack_from(f"<{count + 1}I", content, 4)
    start = 4 * (count + 2)
    plain = sum(content[start + one : start + other].isascii() for one, other in zip(offsets, offsets[1:]))
    return f"{count} posts of {offsets[-1] / count:.0f} bytes, {100 * plain / count:.0f} % ASCII"
