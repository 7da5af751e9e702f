internal import Dates
internal import HTTPSupport
internal import Ingest

/// A line from the daemon (docs/UPSTREAM.md).
enum DaemonLine: Equatable {
  /// A feed to be read, also when its settings have changed.
  case feed(ToldFeed)
  /// A feed that is no longer wanted.
  case gone(FeedName)
  /// The list of feeds is complete.
  case ready(now: Instant, credit: Int)
  /// The answer to a batch.
  case did(String, BatchAnswer)
  /// A person's request for a feed.
  case want(id: String, what: String, feed: FeedName)
  /// A command, none of which is carried out for feeds.
  case command(id: String)
  /// A line that only later daemons write.
  case unrecognised

  /// The daemon's answer to a batch.
  enum BatchAnswer: Equatable {
    /// It is stored, except for these items, each with the reason.
    case stored(refused: [Int: String])
    /// Send it again, under its number.
    case again
    case refused(String)
  }

  /// A feed as the daemon describes it.
  struct ToldFeed: Equatable {
    var name: FeedName
    /// The address as the person gave it, which may be invalid.
    var address: String
    /// The cursors that were stored with the last batch; nil to keep those in use.
    var cursors: [String: String]?
    /// The interval that a person has set, in minutes.
    var minutes: Int?
    /// True to give a changed item a new date, so that it comes up again.
    var liftsEdited = false

    var url: WebURL? { WebURL(given: address) }
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
    guard value["ok"]?.bool != false else { return .refused(value["reason"]?.string ?? noReason) }
    var refused: [Int: String] = [:]
    for item in value["refused"]?.elements ?? JSONValue.Elements.none {
      if let index = item["item"]?.integer { refused[index] = item["reason"]?.string ?? noReason }
    }
    return .stored(refused: refused)
  }

  private static let noReason = "no reason given"

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
  /// The first line: the protocol's version, and that this program reads feeds.
  static var hello: [UInt8] {
    line { writer in
      writer.field("say", "hello")
      writer.number("protocol", 2)
      writer.list("can", ["feed"]) { $0.string(Array($1.utf8)) }
    }
  }

  /// The status of a feed.
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
      writer.object("cursors") { writer in
        for (name, value) in cursors.sorted(by: { $0.key < $1.key }) {
          writer.field(Array(name.utf8)) { field in
            if let value { field.string(Array(value.utf8)) } else { field.bytes += "null".utf8 }
          }
        }
      }
    }
  }

  /// The answer to a want or a command.
  static func answer(_ id: String, refusal: String? = nil) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      writer.flag("ok", refusal == nil)
      if let refusal { writer.field("reason", refusal) }
    }
  }

  private static func line(_ body: (inout JSONLinesWriter) -> Void) -> [UInt8] {
    JSONLinesWriter.object(body) + [0x0A]
  }
}

/// The status of a feed.
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
