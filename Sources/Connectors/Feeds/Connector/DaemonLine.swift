internal import ConnectorSupport
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
      self = .did(number, BatchAnswer(value))
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

  private static func told(_ word: String, _ value: JSONValue) -> DaemonLine? {
    switch word {
    case "ready": return value.readiness.map { .ready(now: $0.now, credit: $0.credit) }
    case "gone": return value["feed"]?.string.map { .gone($0) } ?? .unrecognised
    case "feed":
      guard let name = value["feed"]?.string, let address = value["url"]?.string else { return nil }
      var feed = ToldFeed(name: name, address: address)
      feed.cursors = value.cursors
      let settings = value["settings"]
      feed.minutes = settings?["interval_minutes"]?.integer
      feed.liftsEdited = settings?["lifts_edited"]?.bool == true
      return .feed(feed)
    default: return .unrecognised
    }
  }
}
