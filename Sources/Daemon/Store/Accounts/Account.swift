public import Posts

/// An account of this daemon.
public struct Account: Equatable, Sendable {
  /// The store's ID for the account; never reused.
  public var id: AccountID
  /// The Unix user that owns the account; nil for an account that connects by token only.
  public var uid: UInt32?
  /// Unique among the accounts of a store; the native ID of the account's own author.
  public var name: String
  /// The maximum length of its posts (``WeightedLength``); nil for the default.
  public var postLimit: Int?
  /// The name that it has chosen to be shown under; nil for that of its user, or its own.
  public var displayName: SafeText?
  /// A line about itself; may be empty.
  public var about = SafeText.empty

  public init(id: AccountID, uid: UInt32?, name: String, postLimit: Int? = nil) {
    self.id = id
    self.uid = uid
    self.name = name
    self.postLimit = postLimit
  }

  /// Maximum length of its posts, in the units of ``WeightedLength``.
  public var longestPost: Int { postLimit ?? WeightedLength.standardLimit }

  /// Returns the length of a post's text with its content warning, and the maximum, as the source counts that has
  /// `limits`; in the units of ``WeightedLength`` without any. O(n).
  public func measure(
    _ text: SafeText, warning: SafeText, by limits: PostLimits? = nil
  ) -> (length: Int, maximum: Int) {
    if let limits { return (limits.length(of: warning) + limits.length(of: text), limits.characters) }
    return (WeightedLength.of(warning) + WeightedLength.of(text), longestPost)
  }

  /// Refuses a post whose text is too long with its content warning.
  func checkLength(of text: SafeText, warning: SafeText, by limits: PostLimits? = nil) throws(Refusal) {
    let (length, maximum) = measure(text, warning: warning, by: limits)
    guard length <= maximum else { throw Refusal.postTooLong(length, limit: maximum) }
  }
}
