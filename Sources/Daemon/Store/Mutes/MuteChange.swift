public import Posts
public import Search

/// A change of an account's mute list.
public struct MuteChange: Equatable, Sendable {
  /// The object of the change.
  public enum Subject: Equatable, Sendable {
    /// Posts of an author.
    case muted(AuthorID)
    /// Posts of an author who, in addition, can neither follow the account nor be followed by it.
    case blocked(AuthorID)
    /// Posts with a word.
    case word(MutedWord)
  }

  public var account: AccountID
  public var subject: Subject
  /// False to unmute or unblock.
  public var isOn: Bool

  public init(account: AccountID, subject: Subject, isOn: Bool) {
    self.account = account
    self.subject = subject
    self.isOn = isOn
  }
}

/// The outcome of a ``MuteChange``.
public struct MuteOutcome: Equatable, Sendable {
  /// False if it was so already; nothing was stored.
  public var hasChanged: Bool
  /// True if the account followed the author it blocks and no longer does; unblocking does not restore the follow.
  public var hasUnfollowed = false

  init(hasChanged: Bool, hasUnfollowed: Bool = false) {
    self.hasChanged = hasChanged
    self.hasUnfollowed = hasUnfollowed
  }
}

/// The column `muted_authors.kind`.
enum AuthorMuteKind: Int64, CaseIterable, Bindable {
  case muted = 1
  case blocked = 2
}
