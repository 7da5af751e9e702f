internal import Posts

/// What accounts do not want to see (behaviour.md, rule 48). No list changes by it but by the follows that a block
/// ends: posts are passed over when a list is shown and counted (docs/adr/0019).
struct Mutes {
  private let accounts: AccountReader
  private let authors: AuthorReader
  private let rows: MuteRows
  private let following: Following
  private let undo: UndoLog

  init(_ connection: Connection, rows: MuteRows, following: Following, undo: UndoLog) {
    accounts = AccountReader(connection)
    authors = AuthorReader(connection)
    (self.rows, self.following, self.undo) = (rows, following, undo)
  }

  /// Has an account mute or block something, or take that back; what is so already stays so.
  func apply(_ quieting: Quieting) throws -> Quieted {
    let account = try accounts.existing(quieting.account).id
    let isOn = quieting.isOn
    let hasChanged =
      switch quieting.subject {
      case .word(let word): try rows.set(word, isOn, of: account)
      case .muted(let author): try rows.set(.muted, author, isOn, of: account)
      case .blocked(let author): try rows.set(.blocked, author, isOn, of: account)
      }
    var quieted = Quieted(hasChanged: hasChanged)
    guard hasChanged else { return quieted }
    try undo.record(.quiet(quieting.subject, isOn: isOn), of: account)
    if isOn, case .blocked(let author) = quieting.subject {
      // All of it is one step, and none of whoever is blocked: their journal would tell.
      quieted.hasUnfollowed = try undo.withoutRecording(of: account) { try part(account, from: author) }
    }
    return quieted
  }

  /// Ends the follows between an account and whoever an author is; true if the account followed one of them.
  private func part(_ account: AccountID, from author: AuthorID) throws -> Bool {
    let theirs = try rows.people(as: author)
    var hasUnfollowed = false
    for other in theirs.authors where try following.isFollowed(other, by: account) {
      hasUnfollowed = true
      try following.unfollow(account, other)
    }
    let mine = try authors.identities(of: account)
    for other in theirs.accounts {
      for own in mine where try following.isFollowed(own, by: other) { try following.unfollow(other, own) }
    }
    return hasUnfollowed
  }
}
