internal import Dates
internal import HTTPSupport
internal import Ingest

/// The timelines of a login: its home, and the posts that mention it. Pages and events go in; items for the daemon come
/// out.
struct LoginTimelines {
  /// A page to ask for.
  enum Question: Equatable {
    case home(TimelineReader.Question)
    case mentions(TimelineReader.Question)
  }

  /// A server without mentions is not asked for them again for a day, in milliseconds.
  private static let absence: Int64 = 24 * 3_600_000

  private var home: TimelineReader
  private var mentions: TimelineReader
  private var mentionsAbsentUntil: Instant?

  /// Goes on where the cursors say.
  init(cursors: [String: String]) {
    home = TimelineReader(place: TimelinePlace(text: cursors["home"] ?? ""))
    mentions = TimelineReader(place: TimelinePlace(text: cursors["mentions"] ?? ""))
  }

  /// The cursors that stand for everything that was returned.
  var cursors: [String: String] { ["home": home.place.text, "mentions": mentions.place.text] }

  /// True until the newest pages have been read: what a stream brings meanwhile is to be held.
  var isHolding: Bool { home.isHolding || mentions.isHolding }

  /// The next page to ask for; nil if all has been read. The newest pages come first, since events wait for them.
  var question: Question? {
    if home.isHolding, let page = home.question { return .home(page) }
    if mentions.isHolding, let page = mentions.question { return .mentions(page) }
    return home.question.map { .home($0) } ?? mentions.question.map { .mentions($0) }
  }

  /// Begins with the newest pages.
  mutating func begin(at now: Instant) {
    home.begin()
    if mentionsAbsentUntil.map({ $0 <= now }) ?? true { mentions.begin() }
  }

  /// Takes the answer to ``question``, and returns items.
  mutating func answer(_ question: Question, _ page: [TimelineStatus]) -> [[UInt8]] {
    switch question {
    case .home: home.answer(page).map { LoginItem.item($0) }
    case .mentions: Self.mentions(mentions.answer(page))
    }
  }

  /// The server has no mentions, or the login may not read them.
  mutating func lackMentions(at now: Instant) {
    mentionsAbsentUntil = now.adding(milliseconds: Self.absence)
    mentions = TimelineReader(place: mentions.place)
  }

  /// Takes what a stream has brought into the home timeline.
  mutating func receive(_ status: TimelineStatus) -> [[UInt8]] { home.receive(status).map { LoginItem.item($0) } }

  /// Takes a mention that a stream has brought.
  mutating func receive(mention status: TimelineStatus) -> [[UInt8]] { Self.mentions(mentions.receive(status)) }

  /// Reads on in the gaps of the home timeline between two instants. Returns false if none is known.
  mutating func fill(older: Instant, newer: Instant) -> Bool { home.fill(older: older, newer: newer) }

  /// Rows for gaps are the home timeline's.
  private static func mentions(_ findings: [TimelineReader.Finding]) -> [[UInt8]] {
    findings.compactMap { finding in
      guard case .status(let status) = finding else { return nil }
      return LoginItem.post(status.post, in: ["mentions"])
    }
  }
}

extension LoginTimelines.Question {
  /// Reads a page that `host` has returned. Nil if it is none.
  ///
  /// - Parameter now: the time by the server's clock.
  func page(in response: FetchResponse, host: String, now: Instant, parser: JSONParser) -> [TimelineStatus]? {
    response.parsed(by: parser) { value in
      guard value.isArray else { return nil }
      return value.elements.compactMap { entry in
        switch self {
        case .home: TimelineStatus(entry, host: host, now: now)
        case .mentions: TimelineStatus(notification: entry, host: host, now: now)
        }
      }
    }
  }
}
