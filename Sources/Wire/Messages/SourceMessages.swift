/// How a source fares, as its program says.
public enum SourceState: UInt8, Sendable, CaseIterable {
  /// The program runs and has not said more.
  case unspecified = 0
  case connecting = 1
  case live = 2
  case polling = 3
  case waiting = 4
  case signedOut = 5
  case failing = 6
  case off = 7
}

/// A login elsewhere, or a feed; the schema's Source.
public struct SourceSummary: Equatable, DeclaredMessage {
  /// The source of its posts.
  public var source = ""
  /// The login's name; empty for a feed.
  public var login = ""
  /// The feed's ID; 0 for a login.
  public var feedID: UInt64 = 0
  /// The feed's author; 0 for a login.
  public var authorID: UInt64 = 0
  /// The name of its account: for a feed, of the account that added it first.
  public var account = ""
  public var url = ""
  public var title = ""
  /// True if the feed is its account's alone.
  public var isPrivate = false
  /// How the feed is read and shown.
  public var settings = FeedSettings()
  public var status = SourceStatus()
  /// What is kept of the feed.
  public var retention = Retention()
  /// The attributes that the account gave when it subscribed.
  public var outlineAttributes = ""

  static let schema = MessageSchema("Source")

  public init() {}

  /// A source of which only the name is known.
  public init(_ name: SourceName) { (source, login, feedID) = (name.source, name.login, name.feedID) }

  /// What tells it from all others.
  public var name: SourceName { SourceName(source: source, login: login, feedID: feedID) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &source)
    try fields.text(2, &login)
    fields.number(3, &feedID)
    fields.number(4, &authorID)
    try fields.text(5, &account)
    try fields.text(6, &url)
    try fields.text(7, &title)
    fields.flag(8, &isPrivate)
    fields.number(9, &settings.intervalMinutes)
    fields.flag(10, &settings.liftsEdited)
    try fields.requiredMessage(11, &status)
    try fields.message(12, &retention)
    fields.flag(13, &settings.showsTwice)
    try fields.text(14, &outlineAttributes)
  }
}

/// What people have set for a feed.
public struct FeedSettings: Equatable, Sendable {
  /// The interval in minutes; 0 for the feed's own.
  public var intervalMinutes: UInt32 = 0
  /// True if a changed item comes up again.
  public var liftsEdited = false
  /// True if its posts are shown also where another feed's post has the same link.
  public var showsTwice = false

  /// A feed for which nothing is set.
  public init() {}
}

/// The name of a login or feed. In the order of ListSources: logins by source, then feeds by ID.
public struct SourceName: Hashable, Comparable, Sendable {
  public let source: String
  /// Empty for a feed.
  public let login: String
  /// 0 for a login.
  public let feedID: UInt64

  public init(source: String, login: String, feedID: UInt64) {
    (self.source, self.login, self.feedID) = (source, login, feedID)
  }

  public static func < (left: SourceName, right: SourceName) -> Bool {
    (left.feedID, left.source, left.login) < (right.feedID, right.source, right.login)
  }
}

/// What the program of a source says about a login or feed; the schema's SourceStatus.
public struct SourceStatus: Equatable, DeclaredMessage {
  public var state = SourceState.unspecified
  /// Milliseconds since 1970; 0 if unknown.
  public var sinceMilliseconds: Int64 = 0
  public var nextMilliseconds: Int64 = 0
  /// One line; may be empty.
  public var reason = ""
  /// Lines about the last times that it was asked, the newest last.
  public var history: [String] = []

  static let schema = MessageSchema("SourceStatus")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.choice(1, &state, unknown: .unspecified)
    fields.signed(2, &sinceMilliseconds)
    fields.signed(3, &nextMilliseconds)
    try fields.text(4, &reason)
    try fields.texts(5, &history)
  }
}

/// The sources of an account.
public struct ListSourcesResponse: Equatable, DeclaredMessage, PageResponse {
  /// Logins by source, then feeds in the order in which they were added.
  public var sources: [SourceSummary] = []
  public var nextPageToken = ""

  /// The sources, for generic readers of pages.
  public var items: [SourceSummary] { sources }

  static let schema = MessageSchema("ListSourcesResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &sources)
    try fields.text(2, &nextPageToken)
  }
}

/// News of a WatchSources call.
public struct WatchSourcesResponse: Equatable, DeclaredMessage {
  /// Sources that are new to the client or have changed.
  public var sources: [SourceSummary] = []
  /// Sources that are listed no more, with nothing but their names.
  public var gone: [SourceSummary] = []
  /// True if the client holds everything with this message.
  public var isComplete = false
  /// True if the daemon's disk may soon be full.
  public var isDiskShort = false

  static let schema = MessageSchema("WatchSourcesResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &sources)
    try fields.messages(2, &gone)
    fields.flag(3, &isComplete)
    fields.flag(4, &isDiskShort)
  }
}

/// Subscribes to a feed.
public struct AddFeedRequest: Equatable, DeclaredMessage {
  /// An http(s) or `file:///` address.
  public var url = ""
  /// A title to show in place of the feed's own; empty for none.
  public var title = ""
  /// True to keep the feed for the account alone.
  public var isPrivate = false
  /// Attributes of the subscription in a list of another program, as XML writes them; they mean nothing here.
  public var outlineAttributes = ""

  static let schema = MessageSchema("AddFeedRequest")

  /// Subscribes to the feed at `url`.
  public init(url: String) { self.url = url }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &url)
    try fields.text(2, &title)
    fields.flag(3, &isPrivate)
    try fields.text(4, &outlineAttributes)
  }
}

/// Changes a feed.
public struct SetFeedRequest: Equatable, DeclaredMessage {
  /// What is changed.
  public enum Change: Equatable, Sendable {
    case url(String)
    /// A title to show in place of the feed's own; empty for none.
    case title(String)
    /// How often it is asked; 0 for the feed's own interval.
    case intervalMinutes(UInt32)
    /// True if a changed item is to come up again.
    case liftsEdited(Bool)
    case keep(Keep)
    /// True to keep as much as of all feeds.
    case keepAsAll(Bool)
    /// True to show its posts also where another feed's post has the same link.
    case showsTwice(Bool)
  }

  public var feedID: UInt64 = 0
  public var change: Change?

  static let schema = MessageSchema("SetFeedRequest")

  public init(feedID: UInt64, _ change: Change) { (self.feedID, self.change) = (feedID, change) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &feedID)
    try fields.text(2, of: &change, Change.url) { if case .url(let url) = $0 { url } else { nil } }
    try fields.text(3, of: &change, Change.title) { if case .title(let title) = $0 { title } else { nil } }
    fields.number(4, of: &change) {
      .intervalMinutes(UInt32(clamping: $0))
    } _: {
      if case .intervalMinutes(let minutes) = $0 { UInt64(minutes) } else { nil }
    }
    fields.flag(5, of: &change, Change.liftsEdited) { if case .liftsEdited(let lifts) = $0 { lifts } else { nil } }
    try fields.message(6, of: &change, Change.keep) { if case .keep(let keep) = $0 { keep } else { nil } }
    fields.flag(7, of: &change, Change.keepAsAll) { if case .keepAsAll(let asAll) = $0 { asAll } else { nil } }
    fields.flag(8, of: &change, Change.showsTwice) { if case .showsTwice(let twice) = $0 { twice } else { nil } }
  }
}

/// A feed that was added or changed.
public struct FeedResponse: Equatable, DeclaredMessage {
  public var feed = SourceSummary()
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("AddFeedResponse", "SetFeedResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(1, &feed)
    fields.number(2, &revision)
  }
}

/// Names a feed.
public struct FeedRequest: Equatable, DeclaredMessage {
  /// Its ID; 0 in a request to refresh all.
  public var feedID: UInt64 = 0

  static let schema = MessageSchema("RemoveFeedRequest", "RefreshRequest")

  public init(feedID: UInt64) { self.feedID = feedID }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &feedID) }
}

/// Requests posts that a source has and the daemon does not.
public struct FetchMoreRequest: Equatable, DeclaredMessage {
  /// Which posts.
  public enum Subject: Equatable, Sendable {
    /// Those of a gap, by the ID of its row.
    case gap(UInt64)
    /// The conversation of a post.
    case post(String)
    /// Those of an author, named as in ``AuthorRequest``.
    case author(String)
    /// Those that match a text at ``FetchMoreRequest/source``.
    case text(String)
  }

  public var subject: Subject?
  /// The source of a ``Subject/text(_:)``.
  public var source = ""

  static let schema = MessageSchema("FetchMoreRequest")

  public init(_ subject: Subject, source: String = "") { (self.subject, self.source) = (subject, source) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, of: &subject, Subject.gap) { if case .gap(let row) = $0 { row } else { nil } }
    try fields.text(2, of: &subject, Subject.post) { if case .post(let post) = $0 { post } else { nil } }
    try fields.text(3, of: &subject, Subject.author) { if case .author(let author) = $0 { author } else { nil } }
    try fields.text(4, of: &subject, Subject.text) { if case .text(let text) = $0 { text } else { nil } }
    try fields.text(5, &source)
  }
}
