internal import ViewState

/// Writes what happens to a timeline: new posts as lines, or every event as JSON Lines.
public struct EventWriter: Sendable {
  private let format: RowFormat
  private let painter: LinePainter

  /// A writer in `format`; `json` is the same as `jsonl`, because a stream has no end that could close an array.
  public init(_ format: RowFormat, painter: LinePainter) {
    self.format = format
    self.painter = painter
  }

  /// The bytes of `event`; empty where the format has nothing to say of it. People see what is new; that a post shown
  /// above has changed or gone cannot be painted into what has scrolled by.
  public func bytes(of event: TimelineEvent) -> [UInt8] {
    switch format {
    case .lines:
      switch event {
      case .inserted(let row): return painter.paint(row)
      case .gap: return note("More posts have come than are shown here: `stack-client timeline` has them.")
      case .olderRows: return note("Older posts have come, further down than is shown here.")
      case .historyLost: return note("The daemon's store is another one now; this goes on from its present state.")
      case .changed, .removed: return []
      }
    case .plain:
      guard case .inserted(let row) = event, row.content.fields.kind != .gap else { return [] }
      return PlainRow.line(row)
    case .json, .jsonl: return event == .olderRows ? [] : json(event) + [0x0A]
    }
  }

  private func note(_ text: String) -> [UInt8] {
    var output = TerminalText(painter.traits)
    output.append("── " + text, as: .warning)
    output.endLine()
    output.endLine()
    return output.bytes
  }

  private func json(_ event: TimelineEvent) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("event")
      switch event {
      case .inserted(let row):
        json.string(row.content.fields.kind == .gap ? "gap" : "inserted")
        json.key("row")
        RowJSON.write(row, to: &json)
      case .changed(let row):
        json.string("changed")
        json.key("row")
        RowJSON.write(row, to: &json)
      case .removed(let id):
        json.string("removed")
        json.key("id")
        json.identifier(id)
      case .gap(let newer, let older):
        json.string("gap")
        json.key("newer")
        json.identifier(newer)
        json.key("older")
        if older == 0 { json.null() } else { json.identifier(older) }
      case .historyLost: json.string("history_lost")
      case .olderRows: json.string("older")
      }
    }
    return json.bytes
  }
}
