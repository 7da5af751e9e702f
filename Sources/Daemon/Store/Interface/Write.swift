public import Dates
public import Posts

/// Something to be stored. Several go into one transaction (``PostStore/commit(_:)``).
public enum Write: Sendable {
  /// Posts as an importer read them, in any order; each updates the post of the same source and native id or is a new
  /// one.
  case importBatch([ImportedPost], owner: AccountID)
  /// What an import says of a stretch of a source's posts: they are missing, or all there.
  case noteGap(AccountID, GapNote)
  /// A post written here.
  case compose(Composition)
  /// Takes away a post that the account wrote, with its reposts. The same request id again is done once; empty for
  /// none.
  case deletePost(AccountID, PostID, requestID: String)
  /// Gives a post that was written here another text.
  case edit(Edition)
  /// Keeps the state of a text that somebody writes.
  case saveDraft(SavedDraft)
  /// Throws a draft of the account away.
  case deleteDraft(AccountID, Int64)
  /// What a source refused of an account's wishes for a post is asked for again.
  case retry(AccountID, PostID, requestID: String)
  /// What a source refused of them is forgotten; a post that it refused goes.
  case discard(AccountID, PostID, requestID: String)
  /// Hands out what a source is to be told next, noted as asked; with `again`, all that was handed out before and not
  /// answered comes first.
  case takeOutgoing(source: String, limit: Int, again: Bool)
  /// What a source has answered.
  case takeAnswer(source: String, UpstreamAnswer)
  /// An account favourites, reposts or saves a post, or takes that back.
  case mark(Marking)
  /// An account says of posts that it has read them, or has not.
  case markRead(ReadMarking)
  /// An account takes back what it did last, or does that again: marks, posts written or deleted, whom it follows, its
  /// lists. At least the newest ``StoreLimits/steps`` of each account are kept.
  case undo(Undo)
  /// An account mutes or blocks somebody, or mutes a word, or takes that back.
  case quiet(Quieting)

  /// The account's home list has the author's posts from now on, and it may see what the author writes for followers.
  case follow(AccountID, AuthorID)
  /// The end of that.
  case unfollow(AccountID, AuthorID)
  /// Makes a list, empty; 1 to ``StoreLimits/listNameBytes`` bytes name it among the account's others.
  case makeList(AccountID, name: SafeText)
  /// Gives a list of the account another name.
  case renameList(AccountID, ListID, name: SafeText)
  /// Takes a list of the account away.
  case deleteList(AccountID, ListID)
  /// Puts an author into a list of the account.
  case addToList(AccountID, ListID, AuthorID)
  /// Takes an author out of one.
  case removeFromList(AccountID, ListID, AuthorID)
  /// The newest entry of a section that the account has seen; it only moves forward.
  case markSeen(AccountID, SeenSection, OrderKey)

  /// The state of a session, replacing what was saved under that name.
  case saveSession(AccountID, name: String, bytes: [UInt8])
  /// Where a session's readers are, apart from its state and with a revision of its own. The session need not have been
  /// saved.
  case savePlaces(AccountID, session: String, bytes: [UInt8])
  /// Gives a session another name.
  case renameSession(AccountID, name: String, to: String)
  /// Forgets a session; views that show it are the engine's business.
  case deleteSession(AccountID, name: String)

  /// The account of a Unix user, or without `uid` the one of this name; made on first use together with its author,
  /// under a name that is free (``AccountName/free(for:uid:isTaken:)``). It follows all others and is followed by them.
  case openAccount(uid: UInt32?, name: String)
  /// An account without a user, under a new name of 1 to ``AccountName/limit`` letters, digits and "_".
  case makeAccount(name: String)
  /// How long the account's posts may be from now on, 1 to ``StoreLimits/postLimit``; nil for the standard.
  case setPostLimit(AccountID, Int?)
  /// How the account's own author is shown.
  case nameAuthor(AccountID, handle: SafeText, displayName: SafeText)
  /// From now on the account is this author too (behaviour.md, rule 41). The author must have come with an import.
  case claimIdentity(AccountID, source: String, authorNativeID: String)
  /// A token for an account.
  case issueToken(NewToken)
  /// Takes a token of the account back.
  case revokeToken(AccountID, Int64)
}

/// Something that an account does to a post, or takes back.
public struct Marking: Equatable, Sendable {
  public var account: AccountID
  public var post: PostID
  /// One of them.
  public var mark: Mark
  /// False to take it back.
  public var isOn: Bool
  /// A repost's instant in the timeline.
  public var at: Instant
  /// As ``Composition/requestID``.
  public var requestID: String

  /// Puts the parts together.
  public init(account: AccountID, post: PostID, mark: Mark, isOn: Bool, at: Instant, requestID: String = "") {
    self.requestID = requestID
    self.account = account
    self.post = post
    self.mark = mark
    self.isOn = isOn
    self.at = at
  }
}

/// What an account says of whether it has read posts.
public struct ReadMarking: Equatable, Sendable {
  public var account: AccountID
  /// At most ``StoreLimits/readMarksAtOnce``.
  public var posts: [PostID]
  /// False where it has not, or wants to read them again.
  public var isRead: Bool
  /// As ``Composition/requestID``.
  public var requestID: String

  /// Puts the parts together.
  public init(account: AccountID, posts: [PostID], isRead: Bool, requestID: String = "") {
    (self.account, self.posts, self.isRead, self.requestID) = (account, posts, isRead, requestID)
  }
}

/// A post written by an account of this daemon, to be stored.
public struct Composition: Equatable, Sendable {
  /// Who writes it, and owns it.
  public var account: AccountID
  /// What it says and who is to see it. An answer is for nobody who may not see what it answers, whatever is said here.
  public var body: PostBody
  /// Names of the accounts that a direct post is for, besides its author and whom it answers; asked only if `body` says
  /// that it is direct.
  public var recipients: [String]
  /// The post it answers; answering a repost answers its original.
  public var inReplyTo: PostID?
  /// Its instant in the timeline.
  public var createdAt: Instant
  /// The client's name for this command: asked again with the same one, the store hands out the post it made the first
  /// time. Empty for none.
  public var requestID: String
  /// The source it is for, one that has a program to tell it (``PostStore/upstreams``), or this daemon alone, `stack`;
  /// empty for that of what it answers, if that was for everybody and is told, and otherwise this daemon alone.
  public var source: String
  /// The draft of the account that it was, and that goes with it; nil for none.
  public var draft: Int64?

  public init(
    account: AccountID, body: PostBody, recipients: [String] = [], inReplyTo: PostID? = nil, createdAt: Instant,
    requestID: String = "", source: String = "", draft: Int64? = nil
  ) {
    self.source = source
    self.account = account
    self.body = body
    self.recipients = recipients
    self.inReplyTo = inReplyTo
    self.createdAt = createdAt
    self.requestID = requestID
    self.draft = draft
  }
}
