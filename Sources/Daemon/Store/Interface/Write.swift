public import Dates
public import Posts
public import ViewState

/// A write to the store. Several go into one transaction (``PostStore/commit(_:)``).
public enum Write: Sendable {
  /// Imports posts, in any order; each updates the post with the same source and native ID or is new.
  case importBatch([ImportedPost], owner: AccountID, sharing: ImportSharing = .everyone, run: ImportRun? = nil)
  /// Removes a slice of imported posts.
  case forget(Forgetting)
  /// Records that a stretch of a source's posts is missing or complete, as an import reported.
  case noteGap(AccountID, GapNote)
  /// Stores a local post.
  case compose(Composition)
  /// Deletes a post that the account wrote, with its reposts. The request ID makes retries idempotent; empty for none.
  case deletePost(AccountID, PostID, requestID: String)
  /// Replaces the text of a local post.
  case edit(Edition)
  /// Saves the state of a draft.
  case saveDraft(SavedDraft)
  /// Deletes a draft of the account.
  case deleteDraft(AccountID, Int64)
  /// Retries the account's actions on a post that its source refused.
  case retry(AccountID, PostID, requestID: String)
  /// Discards the account's actions on a post that its source refused, and with `givingUp` those that wait for it; a
  /// post that it refused, or that is given up, is deleted.
  case discard(AccountID, PostID, givingUp: Bool = false, requestID: String)
  /// Takes the next commands for a source and records them as sent; with `again`, commands that were sent before and
  /// not answered come first.
  case takeOutgoing(source: String, limit: Int, again: Bool)
  /// Applies a source's answer to a command.
  case takeAnswer(source: String, UpstreamAnswer)
  /// Subscribes an account to a feed.
  case addFeed(NewFeed)
  /// Changes a feed.
  case setFeed(FeedChange)
  /// Unsubscribes an account from a feed.
  case removeFeed(AccountID, Int64)
  /// Sets how much is kept of what sources bring, or removes a slice of what has to go.
  case retain(RetentionChange)
  /// Records what a source's program can do, and tells it whom it speaks for.
  case greetProgram(UpstreamGreeting)
  /// Makes a program speak for a login, or for one that it has spoken for before, and claims the login's author.
  case openLogin(AccountLogin)
  /// Makes a program speak for a login no longer. Its posts stay; its cursors and gaps do unless they are forgotten. A
  /// program that does not know yet is told when it starts.
  case closeLogin(AccountLogin, forgets: Bool, isKnown: Bool)
  /// Stores what a source's program brings, in order.
  case takeBatches(source: String, [UpstreamBatch])
  /// Favourites, reposts or saves a post, or mutes its conversation, or reverses that.
  case mark(Marking)
  /// Marks posts as read or unread.
  case markRead(ReadMarking)
  /// Undoes an account's last change, or redoes the last undone one: marks, posts written or deleted, follows, mutes,
  /// lists. At least the newest ``StoreLimits/undoEntries`` of each account are kept.
  case undo(Undo)
  /// Mutes or blocks an author, or mutes a word, or reverses that.
  case mute(MuteChange)

  /// Follows an author: the author's posts join the account's home list, and the account may see what the author writes
  /// for followers. In an `ask` store an author who is an account of this daemon is asked first, at an instant.
  case follow(AccountID, AuthorID, at: Instant)
  /// Unfollows an author, or withdraws the request to follow it.
  case unfollow(AccountID, AuthorID)
  /// Approves that the account of an author, which has asked, follows the account.
  case approveFollow(AccountID, AuthorID)
  /// Refuses that request.
  case refuseFollow(AccountID, AuthorID)
  /// Ends that the account of an author follows the account.
  case removeFollower(AccountID, AuthorID)
  /// Creates an empty list; its name has 1 to ``StoreLimits/listNameBytes`` bytes and is unique within the account.
  case makeList(AccountID, name: SafeText)
  /// Renames a list of the account.
  case renameList(AccountID, ListID, name: SafeText)
  /// Deletes a list of the account.
  case deleteList(AccountID, ListID)
  /// Adds an author to a list of the account.
  case addToList(AccountID, ListID, AuthorID)
  /// Removes an author from a list of the account.
  case removeFromList(AccountID, ListID, AuthorID)
  /// Records the newest entry of a section that the account has seen; it only moves forward.
  case markSeen(AccountID, SeenSection, OrderKey)

  /// Saves the state of a session, replacing what was saved under that name.
  case saveSession(AccountID, name: String, bytes: [UInt8])
  /// Saves the reading positions of a session, which have their own revision apart from its state. The session need not
  /// have been saved.
  case savePlaces(AccountID, session: String, bytes: [UInt8])
  /// Renames a session.
  case renameSession(AccountID, name: String, to: String)
  /// Deletes a session; the engine handles the views that show it.
  case deleteSession(AccountID, name: String)

  /// Finds the account of a Unix user or, without `uid`, the one with this name. It is created on first use with its
  /// author, under a free name (``AccountName/free(for:uid:isTaken:)``); in an `open` store, it and all others follow
  /// each other.
  case openAccount(uid: UInt32?, name: String)
  /// Creates an account without a Unix user, under a new name of 1 to ``AccountName/limit`` letters, digits and "_".
  case makeAccount(name: String)
  /// Sets the maximum length of the account's posts, 1 to ``StoreLimits/postLimit``; nil for the default.
  case setPostLimit(AccountID, Int?)
  /// Sets how accounts of the store come to be followed.
  case setFollows(FollowPolicy)
  /// Sets the handle and display name of the account's own author.
  case nameAuthor(AccountID, handle: SafeText, displayName: SafeText)
  /// Changes the name under which an account is shown, or its line about itself; an empty name takes the chosen one
  /// back.
  case setProfile(AccountID, displayName: SafeText?, about: SafeText?)
  /// Claims an imported author as an identity of the account (docs/BEHAVIOUR.md, rule 41).
  case claimIdentity(AccountID, source: String, authorNativeID: String)
  /// Issues a token for an account.
  case issueToken(NewToken)
  /// Revokes a token of the account.
  case revokeToken(AccountID, Int64)
}

/// A mark that an account sets or clears.
public struct Marking: Equatable, Sendable {
  public var account: AccountID
  public var post: PostID
  /// A single mark.
  public var mark: Mark
  /// False to clear it.
  public var isOn: Bool
  /// The time of a repost in the timeline.
  public var at: Instant
  /// As ``Composition/requestID``.
  public var requestID: String

  public init(account: AccountID, post: PostID, mark: Mark, isOn: Bool, at: Instant, requestID: String = "") {
    self.requestID = requestID
    self.account = account
    self.post = post
    self.mark = mark
    self.isOn = isOn
    self.at = at
  }
}

/// Marks posts as read or unread.
public struct ReadMarking: Equatable, Sendable {
  public var account: AccountID
  /// At most ``StoreLimits/readMarksAtOnce``.
  public var posts: [PostID]
  /// False to mark as unread.
  public var isRead: Bool
  /// As ``Composition/requestID``.
  public var requestID: String

  public init(account: AccountID, posts: [PostID], isRead: Bool, requestID: String = "") {
    (self.account, self.posts, self.isRead, self.requestID) = (account, posts, isRead, requestID)
  }
}

/// A new post by an account of this daemon.
public struct Composition: Equatable, Sendable {
  /// The author and owner of the post.
  public var account: AccountID
  /// The text and its visibility. The readers of a reply are always readers of its parent, whatever the visibility
  /// says.
  public var body: PostBody
  /// The names of the accounts that a direct post is for, besides its author and the parent's author; ignored unless
  /// `body` is direct.
  public var recipients: [String]
  /// The parent; a reply to a repost replies to its original.
  public var inReplyTo: PostID?
  /// The time of the post in the timeline.
  public var createdAt: Instant
  /// The client's name for this command: a retry with the same name returns the post that the first one stored. Empty
  /// for none.
  public var requestID: String
  /// The source: `stack` for this daemon alone, or one with an upstream program (``PostStore/upstreams``). If empty, a
  /// reply to a post that everyone may see goes to the parent's source, if that has an upstream program; any other post
  /// stays on this daemon.
  public var source: String
  /// The logins whose servers have the files in `body`.
  public var mediaLogins: Set<String> = []
  /// The account's draft of this post, deleted with the command; nil for none.
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
