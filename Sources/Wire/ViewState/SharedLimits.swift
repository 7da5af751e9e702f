/// Limits of which wire, engine, store and client all have to know.
public enum SharedLimits {
  /// Bytes of a session's name.
  public static let sessionNameBytes = 64
  /// Bytes of a request id.
  public static let requestIDBytes = 64
  /// Bytes of the name of a list, an account or a token.
  public static let nameBytes = 64
  /// Posts that are marked read or unread at once.
  public static let readMarksAtOnce = 1_000
  /// Sessions that an account keeps.
  public static let sessions = 100
}
