internal import ViewState

/// An action on a post that can be undone.
struct Marked: Hashable {
  enum Kind: Hashable {
    case mark(MarkKind)
    /// The post is marked as unread.
    case unread
  }
  var post: UInt64
  var kind: Kind
}

extension MarkKind {
  /// Returns words for a mark that was set or removed.
  func words(_ isOn: Bool) -> String {
    switch self {
    case .favourite: isOn ? "Favourite added" : "Favourite removed"
    case .repost: isOn ? "Reposted" : "Repost removed"
    case .save: isOn ? "Saved" : "No longer saved"
    case .mute: isOn ? "Conversation muted" : "Conversation no longer muted"
    }
  }
}
