/// Limits shared by the wire modules, the engine, the store and the client.
public enum SharedLimits {
  /// Maximum bytes of a session's name.
  public static let sessionNameBytes = 64
  /// Maximum bytes of a request ID.
  public static let requestIDBytes = 64
  /// Maximum bytes of the name of a list, an account or a token.
  public static let nameBytes = 64
  /// Maximum bytes of a content warning.
  public static let warningBytes = 1_000
  /// Maximum bytes of a language tag (RFC 5646, section 4.4.1).
  public static let languageBytes = 35
  /// Maximum number of posts marked read or unread in one request.
  public static let readMarksAtOnce = 1_000
  /// Maximum number of sessions of an account.
  public static let sessions = 100
  /// The days that may be kept of a source: up to a hundred years.
  public static let keptDays = 1...36_525
  /// The numbers of posts that may be kept of a source.
  public static let keptPosts = 1...10_000_000
}
