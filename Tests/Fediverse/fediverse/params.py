"""Parameters of requests, whatever form they come in: query, form, multipart or JSON."""

import json

from .model import Refused

TRUE = {"true", "1", "on", True, 1}


class Params:
    """Parameters by name. `a[]=x&a[]=y` and a JSON list are lists; `a[b]=x` and a JSON object are read as `a[b]`."""

    def __init__(self):
        self.values, self.files = {}, {}

    @classmethod
    async def of(cls, request):
        params = cls()
        for name, value in request.query.items():
            params.add(name, value)
        if request.content_type == "application/json" and request.can_read_body:
            try:
                body = json.loads(await request.text() or "{}")
            except ValueError:
                raise Refused(400, "Error occurred while parsing request parameters") from None
            params.add_object("", body if isinstance(body, dict) else {})
        elif request.can_read_body:
            for name, value in (await request.post()).items():
                if hasattr(value, "file"):
                    params.files[name] = (value.filename, value.content_type, value.file.read())
                else:
                    params.add(name, value)
        return params

    def add(self, name, value):
        self.values.setdefault(name, []).append(value)

    def add_object(self, prefix, value):
        for key, inner in value.items():
            name = f"{prefix}[{key}]" if prefix else key
            if isinstance(inner, dict):
                self.add_object(name, inner)
            elif isinstance(inner, list):
                for one in inner:
                    self.add(name + "[]", one)
            elif inner is not None:
                self.add(name, inner)

    def get(self, name, default=None):
        return self.values[name][-1] if name in self.values else default

    def text(self, name, default=""):
        value = self.get(name, default)
        return value if isinstance(value, str) else str(value)

    def flag(self, name):
        return self.get(name, False) in TRUE

    def all(self, *names):
        """Returns all values given under `name` or `name[]`, for each of the names."""
        return [value for name in names for form in (name, name + "[]") for value in self.values.get(form, [])]

    def number(self, name, default):
        try:
            return int(self.get(name, default))
        except (TypeError, ValueError):
            return default

    def __contains__(self, name):
        return name in self.values or name + "[]" in self.values
