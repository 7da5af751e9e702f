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
