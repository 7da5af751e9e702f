public import Dates
public import Posts

/// Undoes an account's last change, or redoes the last undone one.
public struct Undo: Equatable, Sendable {
  public var account: AccountID
  /// True to redo.
  public var isRedo: Bool
  /// The time of a new repost in the timeline; restored reposts keep theirs.
  public var at: Instant
  /// The client's name for this command, which makes retries idempotent. Empty for none.
  public var requestID: String

  public init(account: AccountID, isRedo: Bool = false, at: Instant, requestID: String = "") {
    (self.account, self.isRedo, self.at, self.requestID) = (account, isRedo, at, requestID)
  }
}

/// The outcome of an ``Undo``.
public struct Undone: Equatable, Sendable {
  /// A description of the change, to follow "Undone:", such as "favouriting post 42". Empty if an earlier command with
  /// the same request ID did it and the change is forgotten.
  public var what: String
  /// The post that the change was about.
  public var post: PostID?
  /// The reason for a failure; then nothing has changed, except that the undo entry is skipped from now on.
  public var obstacle: Refusal?
  /// True if an earlier command with the same request ID did it.
  public var isRepeated = false
  /// True if it cannot be redone, or undone again.
  public var isIrrevocable = false
  /// The new repost, if any.
  public var repost: ComposedPost?
  /// The numbers of entries that can now be undone and redone.
  public var undoable = 0
  public var redoable = 0
}
