internal import ViewState

/// Something that can be done to a post and taken back.
struct Marked: Hashable {
  enum Kind: Hashable {
    case mark(MarkKind)
    /// That it is unread.
    case unread
  }
  var post: UInt64
  var kind: Kind
}
