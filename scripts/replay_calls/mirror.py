"""A view's mirror, as values under the names of 93cdc55 (docs/PROTOCOL.md, section 4)."""


class Mirror:
    """The state after a view's frames. Each operation has a method of its name."""

    def __init__(self):
        self.reset()
        self.epoch = self.revision = self.layout_key = self.labels_at_ms = 0
        self.view_id, self.applied, self.loading = 0, 0, {}

    def reset(self):
        """Clears the mirror."""
        self.panes, self.stack, self.navigation = {}, {}, {}

    def apply(self, frame):
        """Applies a frame; returns a message if it does not fit, else None."""
        if frame.get("reset", "RESET_REASON_NONE") != "RESET_REASON_NONE":
            self.reset()
        elif (frame.get("epoch", 0), frame.get("base_revision", 0)) != (self.epoch, self.revision):
            return "a frame that does not follow the last one"
        # View IDs begin at a random number, and are not compared (permitted.txt).
        self.view_id = frame.get("welcome", {}).get("~view_id", self.view_id)
        try:
            for operation in frame.get("operations", []):
                for name, value in operation.items():
                    getattr(self, name)(value)
        except (KeyError, StopIteration, AttributeError) as error:
            return f"an operation that does not fit: {error!r}"
        self.epoch, self.revision = frame.get("epoch", 0), frame.get("revision", 0)
        self.labels_at_ms = frame.get("labels_at_ms", 0)
        self.layout_key = frame.get("layout_key", 0) or self.layout_key
        self.applied += 1
        return None

    def rows(self, change):
        """Returns the rows of a change's pane."""
        return self.panes[change["pane_id"]]["rows"]

    def pane_popped(self, change):
        """Removes a pane."""
        del self.panes[change["pane_id"]]

    def pane_pushed(self, change):
        """Adds a pane on top."""
        self.panes[change["pane"]["pane_id"]] = {"header": change["pane"], "rows": []}

    def stack_moved(self, change):
        """Stores the positions of panes."""
        self.stack = change

    def rows_removed(self, change):
        """Removes rows."""
        pane, gone = self.panes[change["pane_id"]], set(change["row_ids"])
        pane["rows"] = [row for row in pane["rows"] if row["row"]["row_id"] not in gone]

    def rows_inserted(self, change):
        """Inserts rows."""
        rows = self.rows(change)
        index = place(rows, change["after_row"]) + 1 if change.get("after_row") else 0
        rows[index:index] = change.get("rows", [])

    def rows_changed(self, change):
        """Changes rows in place; each part has a bit of the mask."""
        rows = self.rows(change)
        for entry in change["changes"]:
            row, mask = rows[place(rows, entry["row_id"])], entry.get("mask", 0)
            for bit, names in ((1, ["caps"]), (2, ["row"]), (4, ["day", "day_height"]), (8, ["depth", "collapsed_replies"])):
                if mask & bit:
                    for name in names:
                        put(row, name, entry)

    def pane_state(self, change):
        """Stores a pane's state."""
        self.panes[change["pane_id"]]["state"] = change

    def heights_changed(self, change):
        """Changes the line breaks of rows."""
        rows = self.rows(change)
        for layout in change["rows"]:
            row = rows[place(rows, layout["row_id"])]["row"]
            put(row, "height", layout)
            put(row, "line_ends", layout)
            put(row, "folded_lines", layout)

    def times_refreshed(self, change):
        """Changes the labels of rows."""
        rows = self.rows(change)
        for row_id, index in zip(change["row_ids"], change["label_indexes"]):
            rows[place(rows, row_id)]["label"] = change["labels"][index]

    def clock_moved(self, change):
        """Stores the position of a pane's clock."""
        self.panes[change["pane_id"]]["clock"] = change

    def selection_changed(self, change):
        """Stores a pane's selected row."""
        self.panes[change["pane_id"]]["selection"] = change

    def navigation_changed(self, change):
        """Stores the navigation pane."""
        self.navigation = change

    def resume(self):
        """Returns the `resume` of a client that reattaches with this mirror."""
        panes = [{"pane_id": pane["header"]["pane_id"],
                  # Each daemon draws new fingerprints, which are not compared (permitted.txt).
                  "row_ids": [row["row"].get("row_id", 0) for row in pane["rows"]],
                  "fingerprints": [row["row"].get("~fingerprint", 0) for row in pane["rows"]],
                  "caps": [row.get("caps", 0) for row in pane["rows"]]} for pane in self.panes.values()]
        last = {"epoch": self.epoch, "revision": self.revision, "layout_key": self.layout_key, "labels_at_ms": self.labels_at_ms}
        return last | {"panes": panes}

    def shown(self):
        """Returns the contents to compare."""
        return {"panes": list(self.panes.values()), "stack": self.stack, "navigation": self.navigation}

    def row_count(self):
        """Returns the number of rows."""
        return sum(len(pane["rows"]) for pane in self.panes.values())

    def is_loading(self):
        """Returns whether rows of a window are loading."""
        return any(pane.get("state", {}).get("loading") for pane in self.panes.values())


def place(rows, row_id):
    """Returns the index of a row."""
    return next(index for index, row in enumerate(rows) if row["row"]["row_id"] == row_id)


def put(target, name, source):
    """Copies a field, or removes it if it has its default."""
    if name in source:
        target[name] = source[name]
    else:
        target.pop(name, None)
