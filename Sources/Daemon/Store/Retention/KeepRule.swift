internal import ViewState

/// How much is kept of what a source brings.
public enum KeepRule: Equatable, Sendable {
  case everything
  /// The posts of the last days.
  case days(Int)
  /// The newest posts.
  case posts(Int)

  /// True if the store accepts the rule.
  var isUsable: Bool {
    switch self {
    case .everything: true
    case .days(let days): SharedLimits.keptDays.contains(days)
    case .posts(let posts): SharedLimits.keptPosts.contains(posts)
    }
  }

  /// The columns `keep_days` and `keep_posts`: 0 for no limit.
  var columns: (days: Int64, posts: Int64) {
    switch self {
    case .everything: (0, 0)
    case .days(let days): (Int64(days), 0)
    case .posts(let posts): (0, Int64(posts))
    }
  }

  /// Reads these columns; nil if no rule has been set.
  init?(days: Int64?, posts: Int64?) {
    guard let days, let posts else { return nil }
    self = days > 0 ? .days(Int(days)) : posts > 0 ? .posts(Int(posts)) : .everything
  }
}

/// A source, or a feed, of which posts have been removed or that has a rule.
public struct KeptSource: Equatable, Sendable {
  public var source: String
  /// The number of a feed; 0 for the source itself. The rule of the source `feed` is that of feeds without their own.
  public var feed: Int64
  /// nil if none has been set.
  public var rule: KeepRule?
  /// The number of posts that were removed because of a rule, or because the store was too large.
  public var removed: Int
}

/// The size of a store.
public struct StoreSize: Equatable, Sendable {
  /// The size of the file in bytes.
  public var fileBytes: Int
  /// The bytes of the file that hold something; the others are used before the file grows.
  public var usedBytes: Int
  /// The size above which old posts are removed; 0 for none.
  public var limit: Int

  /// The limits that may be set, in bytes: from 16 MiB.
  public static let limits = 16 << 20...1 << 50
}
