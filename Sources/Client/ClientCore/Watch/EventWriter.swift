internal import ViewState

/// Writes timeline events: new posts as lines for people, or every event as JSON Lines.
public struct EventWriter: Sendable {
  private let format: RowFormat
  private let painter: LinePainter

  /// Creates a writer. `json` is the same as `jsonl`, because a stream never ends and could not close an array.
  public init(_ format: RowFormat, painter: LinePainter) {
    self.format = format
    self.painter = painter
  }

  /// Returns the bytes of `event`; empty if the format does not include it. Lines for people show only new posts, since
  /// output that has scrolled by cannot be changed.
  public func bytes(of event: TimelineEvent) -> [UInt8] {
    switch format {
    case .lines:
      switch event {
      case .inserted(let row): return painter.paint(row)
      case .gap: return noticeLine("Some posts were skipped; `stack-client timeline` shows them.")
      case .olderRows: return noticeLine("Older posts were added further down.")
      case .historyLost: return noticeLine("The daemon now uses another store; continuing from its current state.")
      case .changed, .removed, .restored: return []
      }
    case .plain:
      guard case .inserted(let row) = event, row.content.fields.kind == .post else { return [] }
      return PlainRow.line(row)
    case .json, .jsonl: return event == .olderRows ? [] : json(event) + [0x0A]
    }
  }

  private func noticeLine(_ text: String) -> [UInt8] {
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
      case .restored(let row):
        json.string("restored")
        json.key("row")
        RowJSON.write(row, to: &json)
      case .removed(let id):
        json.string("removed")
        json.key("id")
        json.identifier(id)
      case .gap(let newer, let older):
        json.string("gap")
        json.key("newer")
        json.identifier(newer.rowID)
        json.key("older")
        if let older { json.identifier(older.rowID) } else { json.null() }
      case .historyLost: json.string("history_lost")
      case .olderRows: json.string("older")
      }
    }
    return json.bytes
  }
}
