"""Mirrors a view: its panes, their rows and their places. Apply each frame, then draw the mirror; a client needs no other state.

docs/PROTOCOL.md, "Frames and the mirror", describes the order of operations, resets, and the operations that a client may skip.
"""


class Pane:
    """One pane: its rows from top to bottom, and its anchor, the row and line at the top of the screen."""

    def __init__(self, header):
        self.header, self.rows, self.selected, self.anchor = header, [], 0, (0, 0)

    def index(self, row_id):
        return next(index for index, placed in enumerate(self.rows) if placed.row.row_id == row_id)

    def lines(self):
        """Returns all lines that the view holds, each as a row and an index of a line in it."""
        return [(placed, line) for placed in self.rows for line in range(placed.day_height + placed.row.height)]

    def first_line(self):
        """Returns the index in `lines()` of the line at the top of the screen, or 0 without an anchor."""
        return next((n for n, (placed, line) in enumerate(self.lines()) if (placed.row.row_id, line) == self.anchor), 0)


class Mirror:
    """The state of a view, with one method for each operation that drawing needs."""

    def __init__(self):
        self.panes, self.frames, self.navigation, self.view_id = {}, [], None, 0

    def apply(self, frame):
        if frame.HasField("welcome"):
            self.view_id = frame.welcome.view_id
        if frame.reset_reason:
            self.panes, self.frames, self.navigation = {}, [], None
        for operation in frame.operations:
            name = operation.WhichOneof("change")
            if handle := getattr(self, name or "unknown", None):  # unknown operations are skipped
                handle(getattr(operation, name))

    def pane_popped(self, popped):
        del self.panes[popped.pane_id]

    def pane_pushed(self, pushed):
        self.panes[pushed.pane.pane_id] = Pane(pushed.pane)

    def stack_moved(self, moved):
        self.frames = moved.frames

    def rows_removed(self, removed):
        pane, ids = self.panes[removed.pane_id], set(removed.row_ids)
        pane.rows = [placed for placed in pane.rows if placed.row.row_id not in ids]

    def rows_inserted(self, inserted):
        pane = self.panes[inserted.pane_id]
        index = pane.index(inserted.after_row) + 1 if inserted.after_row else 0
        pane.rows[index:index] = inserted.rows

    def rows_changed(self, changed):
        pane = self.panes[changed.pane_id]
        for change in changed.changes:
            placed = pane.rows[pane.index(change.row_id)]
            if change.mask & 1:
                placed.caps = change.caps
            if change.mask & 2:
                placed.row.CopyFrom(change.row)
            if change.mask & 4:
                placed.day, placed.day_height = change.day, change.day_height
            if change.mask & 8:
                placed.depth, placed.collapsed_replies = change.depth, change.collapsed_replies

    def pane_state(self, state):
        if state.anchor_row:
            self.panes[state.pane_id].anchor = (state.anchor_row, state.anchor_line)

    def heights_changed(self, changed):
        pane = self.panes[changed.pane_id]
        for layout in changed.rows:
            row = pane.rows[pane.index(layout.row_id)].row
            row.height, row.line_ends[:], row.folded_lines = layout.height, layout.line_ends, layout.folded_lines

    def times_refreshed(self, times):
        pane = self.panes[times.pane_id]
        for row_id, index in zip(times.row_ids, times.label_indexes):
            pane.rows[pane.index(row_id)].label = times.labels[index]

    def selection_changed(self, selection):
        self.panes[selection.pane_id].selected = selection.row_id

    def navigation_changed(self, navigation):
        self.navigation = navigation
