internal import Posts

/// What a new reply answers.
struct ReplyParent {
  var id: PostID
  var source: String
  var nativeID: String
  /// Who wrote or imported it.
  var owner: AccountID
  var visibility: Visibility
  var audience: Audience

  /// What an answer of `source` calls it (``ReplyTargets/target(of:source:owner:)``).
  func key(in source: String) -> String { self.source == source ? nativeID : "\(self.source):\(nativeID)" }
}

extension Visibility {
  /// The narrower of two.
  func narrowed(to other: Visibility) -> Visibility { rawValue < other.rawValue ? other : self }
}
