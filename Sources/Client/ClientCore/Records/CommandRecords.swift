public import Messages
public import ViewState

extension Record {
  /// Something is done of which there is nothing to tell but when it shows.
  public static func done(_ revision: UInt64) -> Record { Record([("revision", .identifier(revision))], lines: []) }
}

extension PaneHeader.Kind {
  /// The word for it in JSON.
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
  /// The pane that a command was about, and the revision that shows it.
  public var record: Record {
    Record(
      [("pane_id", .identifier(paneID)), ("revision", .identifier(revision))],
      facts: [Record.Piece(String(paneID))])
  }
}

extension Pane {
  /// A pane as a view shows it.
  public var record: Record {
    let header = self.header
    let title = header.query.isEmpty ? header.title : header.title + Array(": ".utf8) + header.query
    return Record(
      [
        ("pane_id", .identifier(header.paneID)), ("kind", .text(Array(header.kind.name.utf8))),
        ("title", .text(header.title)),
        ("subject", header.subject == 0 ? .none : .identifier(header.subject)), ("query", .text(header.query)),
        ("filter", .text(header.filter)),
        ("rows", .number(status.rowCount)),
        ("selected_row", selection.rowID == 0 ? .none : .identifier(selection.rowID)),
      ],
      facts: [
        Record.Piece(String(header.paneID)), Record.Piece(header.kind.name, .faint), Record.Piece(title, .author),
        Record.Piece(header.filter, .faint), Record.Piece(NumberText.count(status.rowCount, "row", "rows"), .faint),
        Record.Piece(selection.rowID == 0 ? "" : "row \(selection.rowID) selected", .faint),
      ])
  }
}

extension SessionSummary {
  /// A session.
  public var record: Record {
    Record(
      [
        ("name", .text(Array(name.utf8))), ("panes", .texts(panes)), ("views", .number(views)),
        ("revision", .identifier(revision)),
      ],
      facts: [
        Record.Piece(name, .author), Record.Piece(panes.joined(separator: " › ")),
        Record.Piece(views == 0 ? "" : NumberText.count(views, "view", "views"), .faint),
      ])
  }
}

extension MoveStackResponse {
  /// Where a stack lies after a slide: its position in half steps, doubled.
  public var record: Record {
    Record(
      [("position", .number(position)), ("moved", .flag(hasMoved))], facts: [Record.Piece(String(position))])
  }
}

extension ComposeResponse {
  /// A post is written; people are told its number.
  public var record: Record {
    Record(
      [("id", .identifier(postID)), ("revision", .identifier(revision))],
      facts: [Record.Piece(String(postID))])
  }
}

extension MarkResponse {
  /// Something is done to a post; people are told the number of a repost.
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
  /// Posts are marked read or unread; people are told how many.
  public func record(_ readMark: RowReadMark) -> Record {
    let word = readMark == .read ? "read" : "unread"
    return Record(
      [("changed", .number(changed)), ("revision", .identifier(revision))],
      facts: [Record.Piece("\(NumberText.count(changed, "post", "posts")) marked as \(word)")])
  }
}

extension UndoResponse {
  /// Something is taken back or done again; people are told what.
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
  /// A list is made or changed; people are told the number of a new one.
  public func record(isNew: Bool) -> Record {
    Record(
      [
        ("list_id", .identifier(listID)),
        ("revision", .identifier(revision)),
      ], facts: [Record.Piece(isNew ? String(listID) : "")])
  }
}
