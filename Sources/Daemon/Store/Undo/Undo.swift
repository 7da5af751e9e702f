public import Dates
public import Posts

/// An account takes back what it did last, or does again what it took back last.
public struct Undo: Equatable, Sendable {
  public var account: AccountID
  /// True to do again.
  public var isRedo: Bool
  /// Where what it makes stands in the timeline, if that is new: a repost that is made again is not, it comes back.
  public var at: Instant
  /// The client's name for this command: asked again with the same one it is done once. Empty for none.
  public var requestID: String

  /// Puts the parts together.
  public init(account: AccountID, isRedo: Bool = false, at: Instant, requestID: String = "") {
    (self.account, self.isRedo, self.at, self.requestID) = (account, isRedo, at, requestID)
  }
}

/// What became of an ``Undo``.
public struct Undone: Equatable, Sendable {
  /// What was taken back or done again, in words that go on after "undone:", such as "favouriting post 42". Empty where
  /// an earlier command with the same request id did it, and it is forgotten what.
  public var what: String
  /// The post that it was about.
  public var post: PostID?
  /// Why it could not be done; then nothing has changed, but that this step is passed over from now on.
  public var obstacle: Refusal?
  /// An earlier command with the same request id did it.
  public var isRepeated = false
  /// It cannot be done again, or taken back once more.
  public var isIrrevocable = false
  /// A repost that is new.
  public var repost: ComposedPost?
  /// How many steps can be taken back after it, and how many done again.
  public var undoable = 0
  public var redoable = 0
}
