public import Posts
public import Search

/// Something that an account does not want to see any more, or wants to see again.
public struct Quieting: Equatable, Sendable {
  /// What it is.
  public enum Subject: Equatable, Sendable {
    /// Posts of an author.
    case muted(AuthorID)
    /// Posts of an author, who is to have nothing to do with the account besides.
    case blocked(AuthorID)
    /// Posts with a word.
    case word(MutedWord)
  }

  public var account: AccountID
  public var subject: Subject
  /// False to take it back.
  public var isOn: Bool

  /// Puts the parts together.
  public init(account: AccountID, subject: Subject, isOn: Bool) {
    self.account = account
    self.subject = subject
    self.isOn = isOn
  }
}

/// What became of a ``Quieting``.
public struct Quieted: Equatable, Sendable {
  /// False where it was so already: nothing was stored.
  public var hasChanged: Bool
  /// The account followed whom it blocks, and does so no longer: who takes the block back has to follow again.
  public var hasUnfollowed = false

  /// Puts the parts together.
  init(hasChanged: Bool, hasUnfollowed: Bool = false) {
    self.hasChanged = hasChanged
    self.hasUnfollowed = hasUnfollowed
  }
}

/// The column `quiet_authors.kind`.
enum QuietKind: Int64, CaseIterable, Bindable {
  case muted = 1
  case blocked = 2
}
