"""A client's mirror of a view (docs/PROTOCOL.md, "Frames and the mirror"), with the viewport of the top pane."""
from requests import frames_pb2


class Pane:
    """A pane of the view."""

    def __init__(self, header):
        self.header, self.state, self.rows = header, frames_pb2.PaneState(pane_id=header.pane_id), []

    def place(self, row):
        return next(place for place, held in enumerate(self.rows) if held.row.row_id == row)


class Mirror:
    """The state of a view, and the row at its top (0: always the newest)."""

    def __init__(self):
        self.panes, self.moved, self.anchor = {}, None, 0
        self.epoch, self.revision, self.labels_at, self.layout_key = 0, 0, 0, 0

    def apply(self, frame):
        """Applies a whole frame; raises ValueError if it does not start from the mirror's revision."""
        if frame.reset_reason:
            self.panes, self.moved = {}, None
        elif (frame.epoch, frame.base_revision) != (self.epoch, self.revision):
            raise ValueError(f"frame {frame.number} starts from {frame.base_revision}, the mirror is at {self.revision}")
        for operation in frame.operations:
            name = operation.WhichOneof("change")
            if name:
                getattr(self, name)(getattr(operation, name))
        self.epoch, self.revision, self.labels_at = frame.epoch, frame.revision, frame.labels_at_ms
        self.layout_key = frame.layout_key or self.layout_key

    def pane_popped(self, change):
        del self.panes[change.pane_id]

    def pane_pushed(self, change):
        self.panes[change.pane.pane_id] = Pane(change.pane)

    def stack_moved(self, change):
        self.moved = change

    def rows_removed(self, change):
        pane, removed = self.panes[change.pane_id], set(change.row_ids)
        pane.rows = [held for held in pane.rows if held.row.row_id not in removed]

    def rows_inserted(self, change):
        pane = self.panes[change.pane_id]
        at = pane.place(change.after_row) + 1 if change.after_row else 0
        pane.rows[at:at] = change.rows

    def rows_changed(self, change):
        pane = self.panes[change.pane_id]
        for each in change.changes:
            held = pane.rows[pane.place(each.row_id)]
            if each.mask & 1:
                held.caps = each.caps
            if each.mask & 2:
                held.row.CopyFrom(each.row)

    def pane_state(self, change):
        self.panes[change.pane_id].state = change

    def heights_changed(self, change):
        pane = self.panes[change.pane_id]
        for each in change.rows:
            row = pane.rows[pane.place(each.row_id)].row
            row.height = each.height
            row.line_ends[:] = each.line_ends
            row.folded_lines = each.folded_lines

    def times_refreshed(self, change):
        pane = self.panes[change.pane_id]
        for row, label in zip(change.row_ids, change.label_indexes):
            pane.rows[pane.place(row)].label = change.labels[label]

    def ignore(self, change):
        """Ignores an operation that does not concern the rows."""

    clock_moved = selection_changed = navigation_changed = ignore

    def resume(self):
        """Returns the state to resume from, for a Hello."""
        panes = [frames_pb2.HeldPane(
            pane_id=pane.header.pane_id, row_ids=[held.row.row_id for held in pane.rows],
            fingerprints=[held.row.fingerprint for held in pane.rows], caps=[held.caps for held in pane.rows])
            for pane in self.panes.values()]
        return frames_pb2.Resume(
            epoch=self.epoch, revision=self.revision, layout_key=self.layout_key, labels_at_ms=self.labels_at, panes=panes)

    @property
    def top(self):
        """The top pane."""
        return list(self.panes.values())[-1]

    def move(self, rows):
        """Moves the anchor down by `rows` rows (up if negative) and returns the viewport to send. At the newest row the anchor is 0."""
        pane = self.top
        place = pane.place(self.anchor) if self.anchor else 0
        place = max(0, min(len(pane.rows) - 1, place + rows))
        is_first = place == 0 and pane.state.rows_above == 0
        self.anchor = 0 if is_first else pane.rows[place].row.row_id
        return frames_pb2.Viewport(pane_id=pane.header.pane_id, anchor_row=self.anchor)

    def screen(self, height):
        """Returns the frame that would resend the rows on the screen and no others."""
        pane = self.top
        place, left, rows = pane.place(self.anchor) if self.anchor else 0, height, []
        while place < len(pane.rows) and left > 0:
            rows.append(pane.rows[place])
            left -= rows[-1].row.height
            place += 1
        operations = [frames_pb2.Operation(pane_pushed=frames_pb2.PanePushed(pane=pane.header)),
                      frames_pb2.Operation(stack_moved=self.moved),
                      frames_pb2.Operation(rows_inserted=frames_pb2.RowsInserted(pane_id=pane.header.pane_id, rows=rows)),
                      frames_pb2.Operation(pane_state=pane.state)]
        return frames_pb2.ServerFrame(
            number=1, epoch=self.epoch, revision=self.revision, layout_generation=1, reset_reason=frames_pb2.RESET_REASON_FIRST,
            operations=operations)
