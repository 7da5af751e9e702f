internal import Messages
internal import ViewState

/// Gaps: rows that say what is missing (behaviour.md, rule 36).
extension App {
  /// Says what a gap is, and how it is filled.
  mutating func explainGap(_ row: PlacedRow) {
    let fields = row.content.fields
    state.overlay = .message(
      Message(
        title: "A gap",
        lines: [
          String(decoding: fields.text, as: UTF8.self), "From when to when: \(row.label).", "",
          "Nothing here can be asked for them by itself. Import a file that has them",
          "(:import FILE); a line {\"complete\": {\"newer\": …, \"older\": …}} in it says",
          "from when to when all are there, and closes the gap as far as that.",
        ]))
  }

  /// Says that nothing can be done to a row as to a post.
  mutating func tellNoPost(_ row: PlacedRow) {
    tell(row.content.fields.kind == .gap ? "This is a gap, and no post." : "This is no post.", .warning)
  }
}
