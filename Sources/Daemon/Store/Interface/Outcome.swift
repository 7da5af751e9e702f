public import Posts
public import ViewState

/// The outcome of a ``Write``.
public enum Outcome: Equatable, Sendable {
  /// For ``Write/importBatch(_:owner:)``.
  case imported(ImportReport)
  /// For ``Write/forget(_:)``.
  case forgotten(Forgotten)
  /// For ``Write/noteGap(_:_:)``; false if the gap was known.
  case gapNoted(hasChanged: Bool)
  /// For ``Write/compose(_:)``.
  case composed(ComposedPost)
  /// For ``Write/deletePost(_:_:requestID:)``, also if an earlier command with the same request ID deleted the post.
  case postDeleted(PostID)
  /// For ``Write/edit(_:)``.
  case edited(EditedPost)
  /// For ``Write/saveDraft(_:)``: the draft's ID; nil if the draft was deleted because its text has no visible
  /// character.
  case draftSaved(Int64?)
  /// For ``Write/deleteDraft(_:_:)``.
  case draftDeleted(Int64)
  /// For ``Write/mark(_:)``, also if nothing changed.
  case marked(MarkedPost)
  /// For ``Write/markRead(_:)``: the number of posts that changed.
  case readMarked(Int)
  /// For ``Write/undo(_:)``, also if the change could not be undone or redone.
  case undone(Undone)
  /// For ``Write/retry(_:_:requestID:)``, ``Write/discard(_:_:requestID:)`` and ``Write/takeAnswer(source:_:)``: the
  /// reposts that came back.
  case settled([ComposedPost])
  /// For ``Write/takeOutgoing(source:limit:again:)``, in order.
  case outgoing([UpstreamCommand])
  /// For ``Write/addFeed(_:)``, ``Write/setFeed(_:)`` and ``Write/removeFeed(_:_:)``: the feed as stored.
  case feedStored(ListedFeed)
  /// For ``Write/retain(_:)``.
  case retained(Pruned)
  /// For ``Write/openLogin(_:)``: what the program is told, and the claimed author; nil if it is not known.
  case loginOpened(UpstreamNotice, Author?)
  /// For ``Write/greetProgram(_:)`` and ``Write/closeLogin(_:)``: what the program is told.
  case programTold([UpstreamNotice])
  /// For ``Write/takeBatches(source:_:)``, in order.
  case batchesTaken([TakenBatch])
  /// For ``Write/mute(_:)``, also if nothing changed.
  case muted(MuteOutcome)

  /// For ``Write/follow(_:_:at:)``, also if nothing changed: the account follows the author now.
  case followed(AuthorID)
  /// For ``Write/follow(_:_:at:)``, also if nothing changed: the author's account has been asked.
  case followAsked(AuthorID)
  /// For ``Write/unfollow(_:_:)``, also if nothing changed.
  case unfollowed(AuthorID)
  /// For ``Write/approveFollow(_:_:)``, ``Write/refuseFollow(_:_:)`` and ``Write/removeFollower(_:_:)``.
  case followerChanged(AuthorID)
  /// For ``Write/makeList(_:name:)``.
  case listMade(ListID)
  /// For ``Write/renameList(_:_:name:)``, ``Write/addToList(_:_:_:)`` and ``Write/removeFromList(_:_:_:)``, also if
  /// nothing changed.
  case listChanged(ListID)
  /// For ``Write/deleteList(_:_:)``.
  case listDeleted(ListID)
  /// For ``Write/markSeen(_:_:_:)``; false if the stored entry is as new or newer, and stays.
  case seen(isNewer: Bool)

  /// For ``Write/saveSession(_:name:bytes:)``.
  case sessionSaved
  /// For ``Write/savePlaces(_:session:bytes:)``.
  case placesSaved
  /// For ``Write/renameSession(_:name:to:)``.
  case sessionRenamed
  /// For ``Write/deleteSession(_:name:)``.
  case sessionDeleted

  /// For ``Write/openAccount(uid:name:)``, ``Write/makeAccount(name:)`` and ``Write/setPostLimit(_:_:)``: the account
  /// as stored.
  case accountOpened(Account)
  /// For ``Write/setFollows(_:)``, also if nothing changed.
  case followsSet(FollowPolicy)
  /// For ``Write/nameAuthor(_:handle:displayName:)``: the author as stored.
  case authorNamed(Author)
  /// For ``Write/setProfile(_:displayName:about:)``: the account and its author as stored.
  case profileSet(Account, Author)
  /// For ``Write/claimIdentity(_:source:authorNativeID:)``: the claimed author.
  case identityClaimed(Author)
  /// For ``Write/issueToken(_:)``.
  case tokenIssued(Token)
  /// For ``Write/revokeToken(_:_:)``: the token that was revoked.
  case tokenRevoked(Token)

  /// The write was refused and stored nothing; the other writes of the transaction were stored.
  case refused(Refusal)
}

/// A post that this command composed, or an earlier one with the same request ID.
public struct ComposedPost: Equatable, Sendable {
  /// The stored post.
  public var post: StoredPost
  /// The account's own author.
  public var author: Author
  /// True if an earlier command stored it; nothing was stored this time.
  public var isRepeated: Bool
}

/// A post that this command edited, or an earlier one with the same request ID.
public struct EditedPost: Equatable, Sendable {
  /// The post; for a repost, its original.
  public var post: PostID
  /// The former body; nil if nothing was stored, because the text is the same or the command was done before.
  public var former: PackedBody?
}

/// A post that an account has marked.
public struct MarkedPost: Equatable, Sendable {
  /// The post; for a repost, its original.
  public var post: PostID
  /// False if the mark was set so already; nothing was stored.
  public var hasChanged: Bool
  /// The new repost, if any.
  public var repost: ComposedPost?
  /// The repost that an earlier command with the same request ID made, if this one repeats it.
  public var earlierRepost: PostID?
}

/// The result of a transaction.
public struct Commit: Equatable, Sendable {
  /// The store's revision after the transaction; unchanged if nothing changed.
  public var revision: UInt64
  /// The ID of the first new post; all posts with lower IDs existed before.
  public var firstNewPost: PostID
  /// One outcome for each write, in order.
  public var outcomes: [Outcome]
  /// The combined changes to lists.
  public var changes: Changes
  /// The feeds that changed.
  public var feeds = FeedChanges()
}
