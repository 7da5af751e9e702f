public import Posts

/// A feed. Those who subscribe to it follow its author; its posts are that author's.
public struct StoredFeed: Equatable, Sendable {
  /// Never reused.
  public var number: Int64
  public var url: String
  /// The account that added it first, which owns its posts.
  public var account: AccountID
  public var author: AuthorID
  /// True if it is its account's alone.
  public var isPrivate: Bool
  /// The title that a person has chosen; empty for the feed's own.
  public var title: SafeText
  /// The interval in minutes that a person has set; 0 for the feed's own.
  public var intervalMinutes: Int
  /// True if a changed item comes up again.
  public var liftsEdited: Bool
  /// True if its posts are shown also where another feed's post has the same link.
  public var showsTwice: Bool

  /// The name of the source of feeds.
  public static let source = "feed"

  /// Its name in the protocol of programs, and the native ID of its author.
  public var name: String { Self.name(of: number) }

  /// Returns the name of the feed with a number.
  public static func name(of number: Int64) -> String { "f\(number)" }

  /// The feed as its program is told of it.
  public var told: UpstreamFeed {
    UpstreamFeed(name: name, url: url, intervalMinutes: intervalMinutes, liftsEdited: liftsEdited)
  }

  /// Returns the number in a name; nil for any other text.
  public static func number(in name: String) -> Int64? {
    guard name.hasPrefix("f"), let number = Int64(name.dropFirst()), "f\(number)" == name else { return nil }
    return number
  }
}

/// A feed as a list of sources shows it.
public struct ListedFeed: Equatable, Sendable {
  public var feed: StoredFeed
  /// Its author, with the title under which it is shown.
  public var author: Author
  /// The name of the account that added it first.
  public var account: String
  /// How much is kept of it.
  public var rule: KeepRule
  /// True if that is its own rule, not that of all feeds.
  public var hasOwnRule: Bool
  /// The number of posts that were removed because of a rule, or because the store was too large.
  public var removed: Int
  /// The attributes that the account that sees it gave (``NewFeed/attributes``).
  public var attributes: SafeText
}

/// A feed and the cursors that its program has to be told.
public struct ToldFeed: Equatable, Sendable {
  public var feed: UpstreamFeed
  public var cursors: [String: String]
}

/// A subscription to a feed.
public struct NewFeed: Equatable, Sendable {
  public var account: AccountID
  public var url: String
  /// The name under which the feed is shown until its program knows a better one.
  public var host: SafeText
  /// See ``StoredFeed/title``.
  public var title: SafeText
  public var isPrivate: Bool
  /// The account's attributes of the subscription, which mean nothing here; empty leaves them as they are.
  public var attributes: SafeText

  public init(
    account: AccountID, url: String, host: SafeText, title: SafeText = .empty, isPrivate: Bool = false,
    attributes: SafeText = .empty
  ) {
    (self.account, self.url, self.host, self.title, self.isPrivate) = (account, url, host, title, isPrivate)
    self.attributes = attributes
  }
}

/// A change of a feed; nil leaves a value as it is.
public struct FeedChange: Equatable, Sendable {
  public var feed: Int64
  /// The account, which must follow the feed and have added it first; nil for an administrator.
  public var account: AccountID?
  public var url: String?
  /// True if that address is for a private feed only.
  public var isSecretURL = false
  public var title: SafeText?
  public var intervalMinutes: Int?
  public var liftsEdited: Bool?
  public var showsTwice: Bool?
  /// Its own rule, or none.
  public var rule: KeepRule??

  public init(
    feed: Int64, account: AccountID?, url: String? = nil, title: SafeText? = nil, intervalMinutes: Int? = nil,
    liftsEdited: Bool? = nil, showsTwice: Bool? = nil, rule: KeepRule?? = nil
  ) {
    (self.feed, self.account, self.url, self.title) = (feed, account, url, title)
    (self.intervalMinutes, self.liftsEdited, self.rule) = (intervalMinutes, liftsEdited, rule)
    self.showsTwice = showsTwice
  }
}
