"""Time and identifiers."""

import datetime
import time

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Clock:
    """The server's clock, in seconds since 1970. Tests give it a fixed source and move it with `advance`."""

    def __init__(self, source=time.time):
        self.source, self.ahead = source, 0.0

    def now(self):
        return self.source() + self.ahead

    def advance(self, seconds):
        self.ahead += seconds


def iso(seconds):
    """Returns an instant as Mastodon writes it: 2026-10-14T19:09:08.137Z."""
    moment = datetime.datetime.fromtimestamp(round(seconds, 3), datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


def digits(number, alphabet, length=0):
    """Returns a number in the base of an alphabet, padded to `length` places."""
    text = ""
    while number or len(text) < max(length, 1):
        number, place = divmod(number, len(alphabet))
        text = alphabet[place] + text
    return text


class Identifiers:
    """Makes identifiers that grow with time: `snowflake` (Mastodon, Pixelfed), `ulid` (GoToSocial) or `flake` (Akkoma)."""

    def __init__(self, kind):
        self.kind, self.count = kind, 0

    def make(self, seconds):
        self.count += 1
        millis = int(seconds * 1000)
        match self.kind:
            case "snowflake":
                return str(millis << 16 | self.count & 0xFFFF)
            case "ulid":
                return digits(millis, CROCKFORD, 10) + digits(self.count, CROCKFORD, 16)
            case "flake":
                return digits(millis << 64 | self.count, BASE62, 18)

    @staticmethod
    def order(identifier):
        """Returns a sort key. Identifiers of one server have one alphabet, which is in the order of its bytes."""
        return len(identifier), identifier
