public import Posts

/// What became of a ``Write``.
public enum Outcome: Equatable, Sendable {
  /// To ``Write/importBatch(_:owner:)``.
  case imported(ImportReport)
  /// To ``Write/noteGap(_:_:)``: false where it was known.
  case gapNoted(hasChanged: Bool)
  /// To ``Write/compose(_:)``.
  case composed(ComposedPost)
  /// To ``Write/deletePost(_:_:requestID:)``; also where the same request had deleted it before.
  case postDeleted(PostID)
  /// To ``Write/edit(_:)``.
  case edited(EditedPost)
  /// To ``Write/saveDraft(_:)``: its number; nil where nothing of it is seen, so that there is none any more.
  case draftSaved(Int64?)
  /// To ``Write/deleteDraft(_:_:)``.
  case draftDeleted(Int64)
  /// To ``Write/mark(_:)``, whether or not it was so before.
  case marked(MarkedPost)
  /// To ``Write/markRead(_:)``: of how many of the posts something else was said before.
  case readMarked(Int)
  /// To ``Write/undo(_:)``, also where it could not be done.
  case undone(Undone)
  /// To ``Write/retry(_:_:requestID:)``, ``Write/discard(_:_:requestID:)`` and ``Write/takeAnswer(source:_:)``: with
  /// the reposts that came back by it.
  case settled([ComposedPost])
  /// To ``Write/takeOutgoing(source:limit:again:)``, in order.
  case outgoing([UpstreamCommand])
  /// To ``Write/quiet(_:)``, whether or not it was so before.
  case quieted(Quieted)

  /// To ``Write/follow(_:_:)``, whether or not it was so before.
  case followed(AuthorID)
  /// To ``Write/unfollow(_:_:)``, whether or not it was so before.
  case unfollowed(AuthorID)
  /// To ``Write/makeList(_:name:)``.
  case listMade(ListID)
  /// To ``Write/renameList(_:_:name:)``, ``Write/addToList(_:_:_:)`` and ``Write/removeFromList(_:_:_:)``, whether or
  /// not it was so before.
  case listChanged(ListID)
  /// To ``Write/deleteList(_:_:)``.
  case listDeleted(ListID)
  /// To ``Write/markSeen(_:_:_:)``: false where what was noted is as new or newer, and stays.
  case seen(isNewer: Bool)

  /// To ``Write/saveSession(_:name:bytes:)``.
  case sessionSaved
  /// To ``Write/savePlaces(_:session:bytes:)``.
  case placesSaved
  /// To ``Write/renameSession(_:name:to:)``.
  case sessionRenamed
  /// To ``Write/deleteSession(_:name:)``.
  case sessionDeleted

  /// To ``Write/openAccount(uid:name:)``: found or made; to ``Write/makeAccount(name:)``; and to
  /// ``Write/setPostLimit(_:_:)``.
  case accountOpened(Account)
  /// To ``Write/nameAuthor(_:handle:displayName:)``: as it is shown now.
  case authorNamed(Author)
  /// To ``Write/claimIdentity(_:source:authorNativeID:)``: the author that the account is now.
  case identityClaimed(Author)
  /// To ``Write/issueToken(_:)``.
  case tokenIssued(Token)
  /// To ``Write/revokeToken(_:_:)``: what it was.
  case tokenRevoked(Token)

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

/// A post that was given another text, now or by an earlier command with the same request id.
public struct EditedPost: Equatable, Sendable {
  /// The post; of a repost of it, the post itself.
  public var post: PostID
  /// What it said before; nil where nothing was stored, because it says so already or the command was done before.
  public var former: PackedBody?
}

/// A post to which an account has done something.
public struct MarkedPost: Equatable, Sendable {
  /// The post; of a repost, its original.
  public var post: PostID
  /// False where it was so already: nothing was stored.
  public var hasChanged: Bool
  /// The repost, if one was made.
  public var repost: ComposedPost?
  /// The repost that an earlier command with the same request id made, if this one repeats it.
  public var earlierRepost: PostID?
}

/// What a transaction did.
public struct Commit: Equatable, Sendable {
  /// The store's revision after it; the one before if nothing changed.
  public var revision: UInt64
  /// Posts with this number or a higher one are new; those with a lower one were there before.
  public var firstNewPost: PostID
  /// One for each write, in their order.
  public var outcomes: [Outcome]
  /// What they did to lists, all together.
  public var changes: Changes
}
