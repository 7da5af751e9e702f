internal import Posts

/// The parent of a new reply.
struct ReplyParent {
  var id: PostID
  /// The server whose word it is; 0 for none.
  var server: Int64
  var source: String
  var nativeID: String
  /// The account that wrote or imported it.
  var owner: AccountID
  var visibility: Visibility
  var audience: Audience

  /// Returns the key by which a reply in `source` refers to this post (``ReplyTargets/target(of:source:owner:)``).
  func key(in source: String) -> String { self.source == source ? nativeID : "\(self.source):\(nativeID)" }
}

extension Visibility {
  /// Returns the narrower of two visibilities.
  func narrowed(to other: Visibility) -> Visibility { rawValue < other.rawValue ? other : self }
}
