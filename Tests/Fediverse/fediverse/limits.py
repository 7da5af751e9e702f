"""Rate limits: 300 requests in five minutes for each token (or address), and the fields that say so."""

import math

from .clock import iso

PERIOD, MOST = 300, 300


class Limits:
    """Counts requests by the server's clock."""

    def __init__(self, flavour, clock):
        self.flavour, self.clock, self.counts, self.most = flavour, clock, {}, MOST

    def count(self, who):
        """Counts a request. Returns whether it is refused, and the fields of its answer."""
        now = self.clock.now()
        start = now // PERIOD * PERIOD
        period, count = self.counts.get(who, (start, 0))
        count = count + 1 if period == start else 1
        self.counts[who] = (start, count)
        refused = count > self.most
        if not (self.flavour.limit_fields or refused):
            return False, {}
        return refused, self.fields(max(self.most - count, 0), start + PERIOD, refused)

    def fields(self, remaining, reset, refused):
        fields = {"X-RateLimit-Limit": str(self.most), "X-RateLimit-Remaining": str(remaining)}
        if self.flavour.reset_form == "iso":
            fields["X-RateLimit-Reset"] = iso(reset)
        elif refused:
            fields["X-RateLimit-Reset"] = str(math.ceil(reset))
        if refused and self.flavour.retry_after:
            fields["Retry-After"] = str(math.ceil(reset - self.clock.now()))
        return fields
