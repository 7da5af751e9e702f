internal import Dates
internal import HTTPSupport
internal import Ingest

/// A line from the daemon (docs/UPSTREAM.md).
enum DaemonLine: Equatable {
  /// A feed to be read, also when its settings have changed.
  case feed(ToldFeed)
  /// A feed that is no longer wanted.
  case gone(FeedName)
  /// All feeds have been told.
  case ready(now: Instant, credit: Int)
  /// The answer to a batch.
  case did(String, BatchAnswer)
  /// A person wants something of a feed.
  case want(id: String, what: String, feed: FeedName)
  /// A command, none of which is carried out for feeds.
  case command(id: String)
  /// Something that a later daemon may say.
  case unrecognised

  /// What became of a batch.
  enum BatchAnswer: Equatable {
    case stored
    /// It is to be sent again.
    case again
    case refused(String)
  }

  /// A feed as the daemon tells it.
  struct ToldFeed: Equatable {
    var name: FeedName
    /// The address as it was given; it may be none.
    var address: String
    /// Where the feed is; nil if it is where it was.
    var cursors: [String: String]?
    /// The interval that a person has set, in minutes.
    var minutes: Int?
    /// True if a changed item is to come up again.
    var liftsEdited = false

    var url: WebURL? { WebURL(address) }
  }

  /// Reads a line. Nil if it is not JSON, or lacks what it has to have.
  init?(_ line: [UInt8], parser: JSONParser) {
    var line = line
    let read: DaemonLine?
    do { read = try parser.parse(&line) { value, _ in Self(value) } } catch { return nil }
    guard let read else { return nil }
    self = read
  }

  private init?(_ value: JSONValue) {
    if let word = value["tell"]?.string {
      guard let told = Self.told(word, value) else { return nil }
      self = told
    } else if let number = value["did"]?.id {
      self = .did(number, Self.answer(value))
    } else if let what = value["want"]?.string {
      guard let id = value["id"]?.id else { return nil }
      self = .want(id: id, what: what, feed: value["feed"]?.string ?? "")
    } else if value["do"] != nil {
      guard let id = value["id"]?.id else { return nil }
      self = .command(id: id)
    } else {
      self = .unrecognised
    }
  }

  private static func answer(_ value: JSONValue) -> BatchAnswer {
    if value["again"]?.bool == true { return .again }
    return value["ok"]?.bool == false ? .refused(value["reason"]?.string ?? "no reason given") : .stored
  }

  private static func told(_ word: String, _ value: JSONValue) -> DaemonLine? {
    switch word {
    case "ready":
      let now = value["now"]?.integer.map { Instant(milliseconds: Int64($0)) }
      return now.map { .ready(now: $0, credit: min(max(1, value["credit"]?.integer ?? 1), 64)) }
    case "gone": return value["feed"]?.string.map { .gone($0) } ?? .unrecognised
    case "feed":
      guard let name = value["feed"]?.string, let address = value["url"]?.string else { return nil }
      var feed = ToldFeed(name: name, address: address)
      if let fields = value["cursors"]?.fields {
        feed.cursors = [:]
        for (key, value) in fields { feed.cursors?[key.string] = value.id }
      }
      let settings = value["settings"]
      feed.minutes = settings?["interval_minutes"]?.integer
      feed.liftsEdited = settings?["lifts_edited"]?.bool == true
      return .feed(feed)
    default: return .unrecognised
    }
  }
}

/// Lines to the daemon.
enum ConnectorLine {
  /// What the program does.
  static var hello: [UInt8] {
    line { writer in
      writer.field("say", "hello")
      writer.number("protocol", 2)
      writer.list("can", ["feed"]) { $0.string(Array($1.utf8)) }
    }
  }

  /// How a feed fares.
  static func status(_ feed: FeedName, _ status: FeedStatus) -> [UInt8] {
    line { writer in
      writer.field("say", "status")
      writer.field("feed", feed)
      writer.field("state", status.state.rawValue)
      if let since = status.since { writer.number("since", Int(since.milliseconds)) }
      if let next = status.next { writer.number("next", Int(next.milliseconds)) }
      if !status.reason.isEmpty { writer.field("reason", status.reason) }
      if !status.history.isEmpty { writer.list("history", status.history) { $0.string(Array($1.utf8)) } }
    }
  }

  /// Items, each an object in JSON, with the cursors that stand for them.
  static func batch(_ number: Int, _ feed: FeedName, items: some Sequence<[UInt8]>, cursors: [String: String?])
    -> [UInt8]
  {
    line { writer in
      writer.field("say", "batch")
      writer.field("batch", String(number))
      writer.field("feed", feed)
      writer.list("items", Array(items)) { $0.bytes += $1 }
      writer.field("cursors") { writer in
        writer.begin()
        for (name, value) in cursors.sorted(by: { $0.key < $1.key }) {
          writer.field(Array(name.utf8)) { field in
            if let value { field.string(Array(value.utf8)) } else { field.bytes += "null".utf8 }
          }
        }
        writer.end()
      }
    }
  }

  /// The answer to a want or a command.
  static func answer(_ id: String, refusal: String? = nil) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      writer.field("ok") { $0.bytes += (refusal == nil ? "true" : "false").utf8 }
      if let refusal { writer.field("reason", refusal) }
    }
  }

  private static func line(_ body: (inout JSONLinesWriter) -> Void) -> [UInt8] {
    var writer = JSONLinesWriter()
    writer.begin()
    body(&writer)
    writer.end()
    return writer.bytes + [0x0A]
  }
}

/// How a feed fares.
struct FeedStatus: Equatable {
  /// The words of the protocol.
  enum State: String {
    case connecting, polling, waiting, failing, off
  }

  var state: State
  var since: Instant?
  var next: Instant?
  /// A clause for a person; empty while all is well.
  var reason = ""
  /// A line for each of the last checks, the newest last.
  var history: [String] = []
}
