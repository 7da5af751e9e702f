internal import Posts

/// Applies changes of mute lists (docs/BEHAVIOUR.md, rule 48). Mutes change no list: muted posts are skipped when a
/// list is shown and counted (docs/adr/0019). A block also ends follows and requests to follow, and changes which post
/// of a conversation the account's messages have.
final class Mutes {
  private let accounts: AccountReader
  private let authors: AuthorReader
  private let rows: MuteRows
  private let messages: MessageFiling
  private let following: Following
  private let requests: FollowRequests
  private let undo: UndoLog

  init(
    _ connection: Connection, rows: MuteRows, messages: MessageFiling, following: Following, requests: FollowRequests,
    undo: UndoLog
  ) {
    accounts = AccountReader(connection)
    authors = AuthorReader(connection)
    (self.rows, self.messages, self.following) = (rows, messages, following)
    (self.requests, self.undo) = (requests, undo)
  }

  /// Mutes or blocks something for an account, or reverses that; does nothing if it is so already.
  func apply(_ change: MuteChange) throws -> MuteOutcome {
    let account = try accounts.existing(change.account).id
    let isOn = change.isOn
    let hasChanged =
      switch change.subject {
      case .word(let word): try rows.setMute(word, isOn, of: account)
      case .muted(let author): try rows.setMute(.muted, author, isOn, of: account)
      case .blocked(let author): try setBlock(author, isOn, of: account)
      }
    var muted = MuteOutcome(hasChanged: hasChanged)
    guard hasChanged else { return muted }
    try undo.record(.mute(change.subject, isOn: isOn), of: account)
    if isOn, case .blocked(let author) = change.subject {
      // The block and its unfollows are one undo entry of this account. The blocked account gets none, which would
      // reveal the block.
      muted.hasUnfollowed = try undo.withoutRecording(of: account) { try endFollows(between: account, and: author) }
    }
    return muted
  }

  private func setBlock(_ author: AuthorID, _ isOn: Bool, of account: AccountID) throws -> Bool {
    let before = try messages.newest(by: author, for: account)
    guard try rows.setMute(.blocked, author, isOn, of: account) else { return false }
    try messages.renew(account, since: before)
    return true
  }

  /// Ends the follows and the requests to follow between an account and the people behind an author; returns true if
  /// the account followed one of them.
  private func endFollows(between account: AccountID, and author: AuthorID) throws -> Bool {
    let theirs = try rows.people(as: author)
    var hasUnfollowed = false
    for other in theirs.authors where try following.isFollowed(other, by: account) {
      hasUnfollowed = true
      try following.unfollow(account, other)
    }
    let mine = try authors.identities(of: account)
    for other in theirs.accounts {
      for own in mine where try following.isFollowed(own, by: other) { try following.unfollow(other, own) }
      try requests.close(from: other, to: account)
      try requests.close(from: account, to: other)
    }
    return hasUnfollowed
  }
}
