public import Messages
public import ViewState

extension Record {
  /// The pane that a command was about, and the revision that shows it.
  public static func pane(_ pane: PaneResponse) -> Record {
    Record(
      [("pane_id", .identifier(pane.paneID)), ("revision", .identifier(pane.revision))],
      facts: [Piece(String(pane.paneID))])
  }

  /// A pane as a view shows it.
  public static func pane(_ pane: Pane) -> Record {
    let header = pane.header
    let title = header.query.isEmpty ? header.title : header.title + Array(": ".utf8) + header.query
    return Record(
      [
        ("pane_id", .identifier(header.paneID)), ("kind", .text(Array(header.kind.name.utf8))),
        ("title", .text(header.title)),
        ("subject", header.subject == 0 ? .none : .identifier(header.subject)), ("query", .text(header.query)),
        ("filter", .text(header.filter)),
        ("rows", .number(pane.status.rowCount)),
        ("selected_row", pane.selection.rowID == 0 ? .none : .identifier(pane.selection.rowID)),
      ],
      facts: [
        Piece(String(header.paneID)), Piece(header.kind.name, .faint), Piece(title, .author),
        Piece(header.filter, .faint), Piece(count(pane.status.rowCount, "row", "rows"), .faint),
        Piece(pane.selection.rowID == 0 ? "" : "row \(pane.selection.rowID) selected", .faint),
      ])
  }

  /// A session.
  public static func session(_ session: SessionSummary) -> Record {
    Record(
      [
        ("name", .text(Array(session.name.utf8))), ("panes", .texts(session.panes)), ("views", .number(session.views)),
        ("revision", .identifier(session.revision)),
      ],
      facts: [
        Piece(session.name, .author), Piece(session.panes.joined(separator: " › ")),
        Piece(session.views == 0 ? "" : count(session.views, "view", "views"), .faint),
      ])
  }

  /// Where a stack lies after a slide: its position in half steps, doubled.
  public static func slide(_ moved: MoveStackResponse) -> Record {
    Record(
      [("position", .number(moved.position)), ("moved", .flag(moved.hasMoved))], facts: [Piece(String(moved.position))])
  }

  /// Something is done of which there is nothing to tell but when it shows.
  public static func done(_ revision: UInt64) -> Record { Record([("revision", .identifier(revision))], lines: []) }

  /// A post is written; people are told its number.
  public static func posted(_ answer: ComposeResponse) -> Record {
    Record(
      [("id", .identifier(answer.postID)), ("revision", .identifier(answer.revision))],
      facts: [Piece(String(answer.postID))])
  }

  /// Something is done to a post; people are told the number of a repost.
  public static func marked(_ answer: MarkResponse) -> Record {
    Record(
      [
        ("changed", .flag(answer.hasChanged)),
        ("repost_id", answer.repostID == 0 ? .none : .identifier(answer.repostID)),
        ("revision", .identifier(answer.revision)),
      ], facts: [Piece(answer.repostID == 0 ? "" : String(answer.repostID))])
  }

  /// Posts are marked read or unread; people are told how many.
  public static func readMarked(_ answer: MarkReadResponse, _ readMark: RowReadMark) -> Record {
    let word = readMark == .read ? "read" : "unread"
    return Record(
      [("changed", .number(answer.changed)), ("revision", .identifier(answer.revision))],
      facts: [Piece("\(count(answer.changed, "post", "posts")) marked as \(word)")])
  }

  /// Something is taken back or done again; people are told what.
  public static func undone(_ answer: UndoResponse, isRedo: Bool) -> Record {
    Record(
      [
        ("what", .text(Array(answer.what.utf8))), ("post_id", answer.postID == 0 ? .none : .identifier(answer.postID)),
        ("undoable", .number(Int(answer.undoable))), ("redoable", .number(Int(answer.redoable))),
        ("revision", .identifier(answer.revision)),
      ], facts: [Piece(answer.sentence(isRedo: isRedo))])
  }

  /// A list is made or changed; people are told the number of a new one.
  public static func list(_ changed: ListResponse, isNew: Bool) -> Record {
    Record(
      [
        ("list_id", changed.listID == 0 ? .none : .identifier(changed.listID)),
        ("revision", .identifier(changed.revision)),
      ], facts: [Piece(isNew ? String(changed.listID) : "")])
  }
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
