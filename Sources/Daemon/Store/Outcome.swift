public import Posts

/// What became of a ``Write``.
public enum Outcome: Equatable, Sendable {
  /// To ``Write/importBatch(_:owner:)``.
  case imported(ImportReport)
  /// To ``Write/compose(_:)``.
  case composed(ComposedPost)
  /// To ``Write/saveSession(_:name:bytes:)``.
  case sessionSaved
  /// To ``Write/deleteSession(_:name:)``.
  case sessionDeleted
  /// To ``Write/claimIdentity(_:source:authorNativeID:)``: the author that the account is now.
  case identityClaimed(Author)
  /// To ``Write/openAccount(uid:name:)``: found or made.
  case accountOpened(Account)
  /// To ``Write/nameAuthor(_:handle:displayName:)``: as it is shown now.
  case authorNamed(Author)
  /// Nothing was stored for it; the other writes of the transaction were.
  case refused(Refusal)
}

/// A post that was composed, now or by an earlier command with the same request id.
public struct ComposedPost: Equatable, Sendable {
  /// As it is stored.
  public var post: StoredPost
  /// The account's own author.
  public var author: Author
  /// Whether it was there already: nothing was stored this time.
  public var isRepeated: Bool
}

/// What a transaction did.
public struct Commit: Equatable, Sendable {
  /// The store's revision after it; the one before if nothing changed.
  public var revision: UInt64
  /// Posts with this number or a higher one are new; those with a lower one were there before.
  public var firstNewPost: PostID
  /// One for each write, in their order.
  public var outcomes: [Outcome]
}
