public import Messages
public import ViewState

extension Record {
  /// The record of a command without output of its own: only the revision that includes it.
  public static func done(_ revision: UInt64) -> Record { Record([("revision", .identifier(revision))], lines: []) }
}

extension PaneHeader.Kind {
  /// The name in JSON.
  var name: String {
    switch self {
    case .timeline: "timeline"
    case .conversation: "conversation"
    case .mentions: "mentions"
    case .lists: "lists"
    case .messages: "messages"
    case .profile: "profile"
    case .search: "search"
    case .list: "list"
    case .direct: "direct"
    case .launch: "launch"
    case .unknown: "unsupported"
    }
  }
}

extension PaneResponse {
  /// The pane that a command affected, and the revision that includes the change.
  public var record: Record {
    Record(
      [("pane_id", .identifier(paneID)), ("revision", .identifier(revision))],
      facts: [Record.Piece(String(paneID))])
  }
}

extension Pane {
  /// The record of a pane as a view shows it.
  public var record: Record {
    let header = self.header
    let title = header.query.isEmpty ? header.title : header.title + Array(": ".utf8) + header.query
    // A covered pane is not read, and so its rows are not counted.
    let rows = status.isExact || status.rowCount > 0 ? status.rowCount : nil
    return Record(
      [
        ("pane_id", .identifier(header.paneID)), ("kind", .text(Array(header.kind.name.utf8))),
        ("title", .text(header.title)),
        ("subject", header.subject == 0 ? .none : .identifier(header.subject)), ("query", .text(header.query)),
        ("filter", .text(header.filter)),
        ("rows", rows.map(Record.Value.number) ?? .none),
        ("selected_row", selection.rowID == 0 ? .none : .identifier(selection.rowID)),
      ],
      facts: [
        Record.Piece(String(header.paneID)), Record.Piece(header.kind.name, .faint), Record.Piece(title, .author),
        Record.Piece(header.filter, .faint),
        Record.Piece(rows.map { NumberText.count($0, "row", "rows") } ?? "", .faint),
        Record.Piece(selection.rowID == 0 ? "" : "row \(selection.rowID) selected", .faint),
      ])
  }
}

extension SessionSummary {
  /// The record of a session.
  public var record: Record {
    Record(
      [
        ("name", .text(Array(name.utf8))), ("panes", .texts(panes)), ("views", .number(views)),
        ("revision", .identifier(revision)), ("view_ids", .texts(viewIDs.map(String.init))),
      ],
      facts: [
        Record.Piece(name, .author), Record.Piece(panes.joined(separator: " › ")), Record.Piece(viewWords, .faint),
      ])
  }

  /// The views, by the numbers that `pane slide` takes.
  private var viewWords: String {
    let named = viewIDs.prefix(5).map(String.init).joined(separator: ", ")
    guard views > 0, !named.isEmpty else { return "" }
    return (views == 1 ? "view " : "views ") + named + (views > 5 ? " and \(views - 5) more" : "")
  }
}

extension MoveStackResponse {
  /// The position of a stack after a slide, in half steps.
  public var record: Record {
    Record(
      [("position", .number(position)), ("moved", .flag(hasMoved))], facts: [Record.Piece(String(position))])
  }
}

extension ComposeResponse {
  /// The ID of a new post.
  public var record: Record {
    Record(
      [("id", .identifier(postID)), ("revision", .identifier(revision))],
      facts: [Record.Piece(String(postID))])
  }
}

extension MarkResponse {
  /// The outcome of a mark; as text, the ID of the repost if there is one.
  public var record: Record {
    Record(
      [
        ("changed", .flag(hasChanged)),
        ("repost_id", repostID == 0 ? .none : .identifier(repostID)),
        ("revision", .identifier(revision)),
      ], facts: [Record.Piece(repostID == 0 ? "" : String(repostID))])
  }
}

extension MarkReadResponse {
  /// The number of posts that were marked read or unread.
  public func record(_ readMark: RowReadMark) -> Record {
    let word = readMark == .read ? "read" : "unread"
    return Record(
      [("changed", .number(changed)), ("revision", .identifier(revision))],
      facts: [Record.Piece("\(NumberText.count(changed, "post", "posts")) marked as \(word)")])
  }
}

extension UndoResponse {
  /// Describes what was undone or redone.
  public func record(isRedo: Bool) -> Record {
    Record(
      [
        ("what", .text(Array(description.utf8))), ("post_id", postID == 0 ? .none : .identifier(postID)),
        ("undoable", .number(Int(undoable))), ("redoable", .number(Int(redoable))),
        ("revision", .identifier(revision)),
      ], facts: [Record.Piece(sentence(isRedo: isRedo))])
  }
}

extension ListResponse {
  /// The outcome of a change to a list; as text, the ID of a new list.
  public func record(isNew: Bool) -> Record {
    Record(
      [
        ("list_id", .identifier(listID)),
        ("revision", .identifier(revision)),
      ], facts: [Record.Piece(isNew ? String(listID) : "")])
  }
}
