internal import ViewState

/// Limits above which the store refuses a write, so that no file can make it store something that cannot be read back.
public enum StoreLimits {
  /// Bytes of a source's name.
  public static let sourceBytes = 64
  /// Bytes of a native ID, an alias or a reply key.
  public static let nativeIDBytes = 2_048
  /// Aliases of one post.
  public static let aliases = 16
  /// Logins of an account at a source.
  public static let logins = 16
  /// Logins that were signed out and of which a program is to hear; of more the oldest are forgotten.
  public static let endedLogins = 256
  /// Bytes of a session's name.
  public static let sessionNameBytes = SharedLimits.sessionNameBytes
  /// Bytes of a session's state.
  public static let sessionBytes = 1 << 20
  /// Bytes of a request ID.
  public static let requestIDBytes = SharedLimits.requestIDBytes
  /// Request IDs that are remembered, over all accounts; the oldest are forgotten. At the 5,000 posts a second that the
  /// store is built for, a command may be retried for two seconds; at human pace, for months.
  public static let requestsKept = 10_000
  /// Actions of an account that wait for their source.
  public static let outboxEntries = 1_000
  /// Imports of an account that can be taken back; the oldest are forgotten.
  public static let imports = 1_000
  /// Posts of one conversation: the most that ``StoreReader/conversation(of:visibleTo:limit:)`` returns.
  public static let conversationPosts = 10_000
  /// Accounts. In an `open` store they follow each other, so their number counts squared; in an `ask` store it does not.
  public static let accounts = 1_000
  /// Drafts of an account.
  public static let drafts = 100
  /// Bytes of a draft.
  public static let draftBytes = 10_000
  /// The greatest post limit that an account may set.
  public static let postLimit = 10_000
  /// Accounts in a direct conversation.
  public static let people = 100
  /// Gaps of an account.
  public static let gaps = 1_000
  /// Lists of an account.
  public static let lists = 100
  /// Authors of a list, and authors that an account follows.
  public static let listAuthors = 5_000
  /// Open requests of an account to follow others. An account is asked at most once by each of the others.
  public static let followRequests = 100
  /// Posts marked read or unread in one command.
  public static let readMarksAtOnce = SharedLimits.readMarksAtOnce
  /// Bytes of the name under which an account is shown.
  public static let displayNameBytes = 200
  /// Bytes of an account's line about itself.
  public static let aboutBytes = 1_000
  /// Feeds that somebody follows.
  public static let feeds = 10_000
  /// Feeds that somebody follows and one account has added first.
  public static let accountFeeds = 5_000
  /// Bytes of a feed's address.
  public static let feedURLBytes = 4_096
  /// Maximum size of the attributes of a subscription (``NewFeed/attributes``).
  public static let feedAttributeBytes = 1_000
  /// Intervals in minutes at which a person may have a feed asked: 15 minutes to 7 days.
  public static let feedIntervals = 15...10_080
  /// Bytes of a list's name.
  public static let listNameBytes = 64
  /// Authors that an account has muted or blocked.
  public static let mutedAuthors = 10_000
  /// Words that an account has muted.
  public static let mutedWords = 200
  /// Tokens of an account.
  public static let tokens = 100
  /// Bytes of a token's name.
  public static let tokenNameBytes = 64
  /// Sessions of an account.
  public static let sessions = SharedLimits.sessions
  /// The greatest count of unseen entries.
  public static let unseen = 1_000
  /// Undo entries of an account: at least this many are kept, and less than twice as many.
  public static let undoEntries: Int64 = 100
  /// Entries scanned for the count of unseen ones, if some are hidden.
  public static let unseenLookedAt = 4_096
  /// Hits of a search, the newest first.
  public static let searchHits = 10_000
  /// Authors that a handle in a search matches.
  public static let searchAuthors = 1_000
}
