internal import ViewState

/// The sizes above which the store refuses a write, so that no file can make it keep what nobody could read back.
public enum StoreLimits {
  /// Bytes of a source's name.
  public static let sourceBytes = 64
  /// Bytes of a native id, an alias or a reply key.
  public static let nativeIDBytes = 2_048
  /// Aliases of one post.
  public static let aliases = 16
  /// Bytes of a session's name.
  public static let sessionNameBytes = SharedLimits.sessionNameBytes
  /// Bytes of a session's state.
  public static let sessionBytes = 1 << 20
  /// Bytes of a request id.
  public static let requestIDBytes = SharedLimits.requestIDBytes
  /// Request ids that are remembered, of all accounts together; the oldest are forgotten. At the 5,000 posts a second
  /// that the store is built for, a command may be retried for two seconds; at the pace of people, for months.
  public static let requestsKept = 10_000
  /// Things that an account wants of sources elsewhere and that those have not done yet.
  public static let outboxEntries = 1_000
  /// Posts of one conversation: what ``StoreReader/conversation(of:visibleTo:limit:)`` hands out at most.
  public static let conversationPosts = 10_000
  /// Accounts; each follows each, so that their number counts squared.
  public static let accounts = 1_000
  /// Drafts of an account.
  public static let drafts = 100
  /// Bytes of a draft.
  public static let draftBytes = 10_000
  /// The greatest limit that an account may set for its posts.
  public static let postLimit = 10_000
  /// Accounts in a direct conversation.
  public static let people = 100
  /// Gaps of an account.
  public static let gaps = 1_000
  /// Lists that an account makes.
  public static let lists = 100
  /// Authors of a list, and authors that an account follows.
  public static let listAuthors = 5_000
  /// Posts that are marked read or unread at once.
  public static let readMarksAtOnce = SharedLimits.readMarksAtOnce
  /// Bytes of a list's name.
  public static let listNameBytes = 64
  /// Authors that an account has muted or blocked.
  public static let quietAuthors = 10_000
  /// Words that an account has muted.
  public static let quietWords = 200
  /// Tokens of an account.
  public static let tokens = 100
  /// Bytes of a token's name.
  public static let tokenNameBytes = 64
  /// Sessions of an account.
  public static let sessions = SharedLimits.sessions
  /// What is counted of what an account has not seen.
  public static let unseen = 1_000
  /// What an account can take back: so many steps at least, and less than twice as many.
  public static let steps: Int64 = 100
  /// Entries that are looked at for that, where some are hidden.
  public static let unseenLookedAt = 4_096
  /// Hits of a search, the newest ones.
  public static let searchHits = 10_000
  /// Authors that a handle in a search stands for.
  public static let searchAuthors = 1_000
}
