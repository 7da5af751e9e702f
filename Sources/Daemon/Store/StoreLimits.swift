/// The sizes above which the store refuses a write, so that no file can make it keep what nobody could read back.
public enum StoreLimits {
  /// Bytes of a source's name.
  public static let sourceBytes = 64
  /// Bytes of a native id, an alias or a reply key.
  public static let nativeIDBytes = 2_048
  /// Aliases of one post.
  public static let aliases = 16
  /// Bytes of an account's or a session's name.
  public static let nameBytes = 256
  /// Bytes of a session's state.
  public static let sessionBytes = 1 << 20
  /// Bytes of a request id.
  public static let requestIDBytes = 256
  /// Request ids that are remembered, of all accounts together; the oldest are forgotten. At the 5,000 posts a second that
  /// the store is built for, a command may be retried for two seconds; at the pace of people, for months.
  public static let requestsKept = 10_000
  /// Posts of one conversation: what ``StoreReader/conversation(of:visibleTo:limit:)`` hands out at most.
  public static let conversationPosts = 10_000
}
