internal import ViewState

/// What a pane without rows says: why, and what can be done about it.
enum PaneNote {
  static func words(for pane: Pane, _ keymap: Keymap) -> [String] {
    guard pane.status.isExact, !pane.status.isLoading, pane.status.rowCount == 0 else { return ["Loading."] }
    func key(_ action: Action) -> String { keymap.keys(for: action, in: .panes).first ?? ":\(action.rawValue)" }
    guard pane.header.filter.isEmpty else {
      return [
        "Nothing passes \(String(decoding: pane.header.filter, as: UTF8.self)).", "",
        "\(key(.clearLimit))  shows all again.",
      ]
    }
    switch pane.header.kind {
    case .timeline:
      return [
        "Nothing is here yet.", "",
        "\(key(.compose))  writes a post.",
        "\(key(.palette))  import FILE  brings in an archive of Twitter or Mastodon, or JSON Lines.",
        "\(key(.palette))  follow NAME  takes somebody's posts into this timeline.",
        "\(key(.help))  shows all keys, \(key(.quit)) leaves. What you bring in stays when you leave: the daemon keeps it.",
      ]
    case .mentions: return ["Nobody has mentioned you yet. Posts that name you or answer you come here."]
    case .lists: return ["No lists yet.", "", "\(key(.palette))  list-make NAME  makes one."]
    case .messages: return ["No messages yet. A post for those whom it names only begins a conversation here."]
    case .search:
      guard !pane.header.query.isEmpty else { return ["\(key(.search))  searches all posts."] }
      return ["Nothing found yet. What comes in and matches will show here."]
    case .profile: return ["No posts that you may see."]
    case .list:
      return ["Nothing in this list yet.", "", "\(key(.palette))  list-add LIST NAME  puts an author into it."]
    case .conversation, .direct, .launch, .unknown: return ["Nothing is here."]
    }
  }
}
