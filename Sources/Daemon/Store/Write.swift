public import Dates
public import Posts

/// Something to be stored. Several go into one transaction (``PostStore/commit(_:)``).
public enum Write: Sendable {
  /// Posts as an importer read them, in any order; each updates the post of the same source and native id or is a new one.
  case importBatch([ImportedPost], owner: AccountID)
  /// A post written here.
  case compose(Composition)
  /// The state of a session, replacing what was saved under that name.
  case saveSession(AccountID, name: String, bytes: [UInt8])
  /// Forgets a session; views that show it are the engine's business.
  case deleteSession(AccountID, name: String)
  /// From now on the account is this author too (behaviour.md, rule 41). The author must have come with an import.
  case claimIdentity(AccountID, source: String, authorNativeID: String)
  /// The account of a Unix user, or without `uid` the one of this name; made on first use together with its author. Where
  /// another user has the name already, the new account is called `name-uid`.
  case openAccount(uid: UInt32?, name: String)
  /// How the account's own author is shown.
  case nameAuthor(AccountID, handle: SafeText, displayName: SafeText)
}

/// A post written by an account of this daemon, to be stored.
public struct Composition: Equatable, Sendable {
  /// Who writes it, and owns it.
  public var account: AccountID
  /// What it says and who may see it.
  public var body: PostBody
  /// The post it answers; answering a repost answers its original.
  public var inReplyTo: PostID?
  /// Its instant in the timeline.
  public var createdAt: Instant
  /// The client's name for this command: asked again with the same one, the store hands out the post it made the first
  /// time. Empty for none.
  public var requestID: String

  public init(
    account: AccountID, body: PostBody, inReplyTo: PostID? = nil, createdAt: Instant, requestID: String = ""
  ) {
    self.account = account
    self.body = body
    self.inReplyTo = inReplyTo
    self.createdAt = createdAt
    self.requestID = requestID
  }
}
