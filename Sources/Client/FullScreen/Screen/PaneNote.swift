internal import ViewState

/// The text in a pane without rows: the reason, and what to do about it. A conversation of one post has a text too.
enum PaneNote {
  static func words(for pane: Pane, _ keymap: Keymap) -> [String] {
    guard pane.rows.isEmpty else { return belowRows(of: pane, keymap) }
    guard pane.status.isExact, !pane.status.isLoading, pane.status.rowCount == 0 else { return ["Loading."] }
    func key(_ action: Action) -> String { keymap.keys(for: action, in: .panes).first ?? ":\(action.rawValue)" }
    guard pane.header.filter.isEmpty else {
      return [
        "No posts match \(String(decoding: pane.header.filter, as: UTF8.self)).", "",
        "\(key(.clearLimit))  Clear the filter.",
      ]
    }
    switch pane.header.kind {
    case .timeline:
      return [
        "No posts yet.", "",
        "\(key(.compose))  Write a post.",
        "\(key(.palette))import FILE  Import a Twitter or Mastodon archive, or JSON Lines.",
        "\(key(.palette))follow NAME  Add an author's posts to this timeline.",
        "\(key(.help))  Show all keys.",
        "\(key(.quit))  Quit. The daemon keeps your posts.",
      ]
    case .mentions: return ["No mentions yet. Posts that mention you or reply to you appear here."]
    case .lists: return ["No lists yet.", "", "\(key(.palette))list-make NAME  Create a list."]
    case .messages: return ["No messages yet.", "", "\(key(.composeDirect))  Write a direct message."]
    case .search:
      guard !pane.header.query.isEmpty else { return ["\(key(.search))  Search all posts."] }
      return ["No posts match yet. New posts that match appear here."]
    case .profile: return ["No posts that you can see."]
    case .list:
      return ["No posts in this list yet.", "", "\(key(.palette))list-add LIST NAME  Add an author."]
    case .conversation, .direct, .launch, .unknown: return ["Nothing here."]
    }
  }

  /// Returns the text below the only post of a conversation.
  private static func belowRows(of pane: Pane, _ keymap: Keymap) -> [String] {
    let isConversation = pane.header.kind == .conversation || pane.header.kind == .direct
    guard isConversation, pane.status.isExact, pane.status.rowCount == 1, pane.rows[0].tree.collapsedReplies == 0 else {
      return []
    }
    let key = keymap.keys(for: .reply, in: .panes).first ?? ":\(Action.reply.rawValue)"
    return ["No replies yet \u{B7} \(key) replies"]
  }
}
