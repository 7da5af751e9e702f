internal import Posts

/// Decides requests to follow an account, and removes its followers. Nothing here is in an undo log: undoing a follow
/// is the follower's, and what an account has decided it reverses by deciding again.
final class Followers {
  private let accounts: AccountReader
  private let authors: AuthorReader
  private let requests: FollowRequests
  private let following: Following
  private let undo: UndoLog

  init(_ connection: Connection, requests: FollowRequests, following: Following, undo: UndoLog) {
    accounts = AccountReader(connection)
    authors = AuthorReader(connection)
    (self.requests, self.following, self.undo) = (requests, following, undo)
  }

  /// Lets the account that writes as `author` follow this one, which it has asked for. Does nothing if it follows
  /// already.
  func approve(_ id: AccountID, _ author: AuthorID) throws {
    let (own, follower) = try pair(id, author)
    guard let follower else { throw Refusal.notAsked(try handle(of: author)) }
    if try following.isFollowed(own, by: follower.id) { return }
    guard try requests.isOpen(from: follower.id, to: id) else { throw Refusal.notAsked(try handle(of: author)) }
    try following.startFollowing(follower, own)
  }

  /// Refuses what the account that writes as `author` has asked for. It is not notified, and may ask again.
  func refuse(_ id: AccountID, _ author: AuthorID) throws {
    guard let follower = try pair(id, author).other, try requests.close(from: follower.id, to: id) else {
      throw Refusal.notAsked(try handle(of: author))
    }
  }

  /// Ends that the account that writes as `author` follows this one. It is not notified.
  func remove(_ id: AccountID, _ author: AuthorID) throws {
    let (own, follower) = try pair(id, author)
    guard let follower, try following.isFollowed(own, by: follower.id) else {
      throw Refusal.notFollower(try handle(of: author))
    }
    try undo.withoutRecording(of: id) { try following.unfollow(follower.id, own) }
  }

  /// Returns the own author of an account, and the account that writes as `author`, if that is another one.
  private func pair(_ id: AccountID, _ author: AuthorID) throws -> (own: AuthorID, other: Account?) {
    _ = try accounts.existing(id)
    try authors.check(author, for: id)
    guard let own = try accounts.localAuthor(of: id) else { throw Refusal.noSuchAccount(id) }
    let other = try accounts.account(writingAs: author)
    return (own.id, other?.id == id ? nil : other)
  }

  private func handle(of author: AuthorID) throws(StoreError) -> String {
    try authors.author(author).map { "@\($0.handle.string)" } ?? "author \(author.rawValue)"
  }
}
