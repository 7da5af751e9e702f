internal import ViewState

/// The text in a pane without rows: the reason, and what to do about it. A conversation of one post has a text too.
enum PaneNote {
  /// A line: a key or command with what it does, or a sentence.
  struct Line: Equatable {
    /// The key or command; empty for a sentence.
    let key: String
    let text: String

    init(_ key: String, _ text: String) { (self.key, self.text) = (key, text) }

    /// A sentence.
    init(_ text: String) { self.init("", text) }

    static let blank = Line("")
    /// The line as one text.
    var words: String { key.isEmpty ? text : "\(key)  \(text)" }
  }

  /// Breaks lines into such of at most `width` cells. What keys do is in a column of its own, if that leaves half the
  /// width to it; otherwise only the first line of each is not indented.
  static func wrapped(_ lines: [Line], width: Int) -> [String] {
    let column = 2 + (lines.map { CellText.width($0.key) }.max() ?? 0)
    return lines.flatMap { line -> [String] in
      guard !line.key.isEmpty else { return CellText.wrapped(line.text, width: width) }
      guard column <= width / 2 else { return hanging(CellText.wrapped(line.words, width: max(1, width - 2)), by: 2) }
      let gap = String(repeating: " ", count: column - CellText.width(line.key))
      var parts = hanging(CellText.wrapped(line.text, width: width - column), by: column)
      parts[0] = line.key + gap + parts[0]
      return parts
    }
  }

  /// Indents all lines but the first.
  private static func hanging(_ lines: [String], by cells: Int) -> [String] {
    [lines[0]] + lines.dropFirst().map { String(repeating: " ", count: cells) + $0 }
  }

  /// Returns the text of a pane; empty if its rows speak for themselves.
  static func lines(for pane: Pane, _ keymap: Keymap) -> [Line] {
    guard pane.rows.isEmpty else { return belowRows(of: pane, keymap) }
    guard pane.status.isExact, !pane.status.isLoading, pane.status.rowCount == 0 else { return [Line("Loading.")] }
    func key(_ action: Action) -> String { keymap.keys(for: action, in: .panes).first ?? ":\(action.rawValue)" }
    guard pane.header.filter.isEmpty else {
      return [
        Line("No posts match \(String(decoding: pane.header.filter, as: UTF8.self))."), .blank,
        Line(key(.clearLimit), "Clear the filter."),
      ]
    }
    switch pane.header.kind {
    case .timeline:
      return [
        Line("No posts yet."), .blank,
        Line(key(.compose), "Write a post."),
        Line("\(key(.palette))import FILE", "Import a Twitter or Mastodon archive, or JSON Lines."),
        Line("\(key(.palette))follow NAME", "Add an author's posts to this timeline."),
        Line(key(.help), "Show all keys."),
        Line(key(.quit), "Quit. The daemon keeps your posts."),
      ]
    case .mentions: return [Line("No mentions yet. Posts that mention you or reply to you appear here.")]
    case .lists: return [Line("No lists yet."), .blank, Line("\(key(.palette))list-make NAME", "Create a list.")]
    case .messages: return [Line("No messages yet."), .blank, Line(key(.composeDirect), "Write a direct message.")]
    case .search:
      guard !pane.header.query.isEmpty else { return [Line(key(.search), "Search all posts.")] }
      return [Line("No posts match yet. New posts that match appear here.")]
    case .profile: return [Line("No posts that you can see.")]
    case .list:
      return [
        Line("No posts in this list yet."), .blank, Line("\(key(.palette))list-add LIST NAME", "Add an author."),
      ]
    case .conversation, .direct, .launch, .unknown: return [Line("Nothing here.")]
    }
  }

  /// Returns the text below the only post of a conversation.
  private static func belowRows(of pane: Pane, _ keymap: Keymap) -> [Line] {
    let isConversation = pane.header.kind == .conversation || pane.header.kind == .direct
    guard isConversation, pane.status.isExact, pane.status.rowCount == 1, pane.rows[0].tree.collapsedReplies == 0 else {
      return []
    }
    let key = keymap.keys(for: .reply, in: .panes).first ?? ":\(Action.reply.rawValue)"
    return [Line("No replies yet \u{B7} \(key) replies")]
  }
}
