"""What a view was told by the daemon: panes, rows, where they lie. Apply each frame, then show what is here; nothing else is kept.

The order of operations, what a reset means and what may be skipped is in docs/PROTOCOL.md.
"""


class Pane:
    """A pane as the view holds it: its rows from top to bottom, and which line of which row is the first one shown."""

    def __init__(self, header):
        self.header, self.rows, self.selected, self.anchor = header, [], 0, (0, 0)

    def index(self, row_id):
        return next(index for index, placed in enumerate(self.rows) if placed.row.row_id == row_id)

    def lines(self):
        """All lines that are held, each as a row and which of its lines it is."""
        return [(placed, line) for placed in self.rows for line in range(placed.day_height + placed.row.height)]

    def first_line(self):
        """Where in them the screen begins; at the top where there is no anchor."""
        return next((n for n, (placed, line) in enumerate(self.lines()) if (placed.row.row_id, line) == self.anchor), 0)


class Mirror:
    """What the daemon has told of the view: one method for each operation that is needed to show it."""

    def __init__(self):
        self.panes, self.frames, self.navigation, self.view_id = {}, [], None, 0

    def apply(self, frame):
        if frame.HasField("welcome"):
            self.view_id = frame.welcome.view_id
        if frame.reset_reason:
            self.panes, self.frames, self.navigation = {}, [], None
        for operation in frame.operations:
            name = operation.WhichOneof("change")
            if handle := getattr(self, name or "unknown", None):  # what is not known is skipped
                handle(getattr(operation, name))

    def pane_popped(self, gone):
        del self.panes[gone.pane_id]

    def pane_pushed(self, come):
        self.panes[come.pane.pane_id] = Pane(come.pane)

    def stack_moved(self, moved):
        self.frames = moved.frames

    def rows_removed(self, gone):
        pane, ids = self.panes[gone.pane_id], set(gone.row_ids)
        pane.rows = [placed for placed in pane.rows if placed.row.row_id not in ids]

    def rows_inserted(self, come):
        pane = self.panes[come.pane_id]
        index = pane.index(come.after_row) + 1 if come.after_row else 0
        pane.rows[index:index] = come.rows

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
            row.height, row.line_ends[:] = layout.height, layout.line_ends

    def times_refreshed(self, times):
        pane = self.panes[times.pane_id]
        for row_id, index in zip(times.row_ids, times.label_indexes):
            pane.rows[pane.index(row_id)].label = times.labels[index]

    def selection_changed(self, selection):
        self.panes[selection.pane_id].selected = selection.row_id

    def navigation_changed(self, navigation):
        self.navigation = navigation
