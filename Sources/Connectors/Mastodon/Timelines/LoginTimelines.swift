internal import Dates
internal import HTTPSupport
internal import Ingest

/// The timelines of a login: its home, the posts that mention it, and notices of what others did. Pages and events go
/// in; items for the daemon come out.
struct LoginTimelines {
  /// A page to ask for.
  enum Question: Equatable {
    case home(TimelineReader.Question)
    case mentions(TimelineReader.Question)
    case notices(TimelineReader.Question)

    var isHome: Bool { if case .home = self { true } else { false } }
  }

  /// A server without mentions, or without notices, is not asked for them again for a day, in milliseconds.
  private static let absence: Int64 = 24 * 3_600_000

  let login: LoginName
  private var home: TimelineReader
  private var mentions: TimelineReader
  private var notices: TimelineReader
  private var groups = NoticeGroups()
  /// Until then the server is not asked for mentions.
  private var mentionsAbsentUntil: Instant?
  /// Until then the server is not asked for notices: it may know mentions all the same.
  private var noticesAbsentUntil: Instant?

  /// Goes on where the cursors of a login say.
  init(cursors: [String: String], of login: LoginName) {
    self.login = login
    home = TimelineReader(place: TimelinePlace(text: cursors["home"] ?? ""))
    mentions = TimelineReader(place: TimelinePlace(text: cursors["mentions"] ?? ""))
    notices = TimelineReader(place: TimelinePlace(text: cursors["notices"] ?? ""))
  }

  /// Forgets what was read behind these cursors.
  mutating func goBack(to cursors: [String: String]) {
    let absences = (mentionsAbsentUntil, noticesAbsentUntil)
    self = LoginTimelines(cursors: cursors, of: login)
    (mentionsAbsentUntil, noticesAbsentUntil) = absences
  }

  /// The cursors that stand for everything that was returned.
  var cursors: [String: String] {
    ["home": home.place.text, "mentions": mentions.place.text, "notices": notices.place.text]
  }

  /// True until the newest pages have been read: what a stream brings meanwhile is to be held.
  var isHolding: Bool { home.isHolding || mentions.isHolding || notices.isHolding }

  /// The next page to ask for; nil if all has been read. The newest pages come first, since events wait for them.
  var question: Question? {
    if home.isHolding, let page = home.question { return .home(page) }
    if mentions.isHolding, let page = mentions.question { return .mentions(page) }
    if notices.isHolding, let page = notices.question { return .notices(page) }
    return home.question.map { .home($0) } ?? mentions.question.map { .mentions($0) }
      ?? notices.question.map { .notices($0) }
  }

  /// Begins with the newest pages.
  mutating func begin(at now: Instant) {
    home.begin()
    beginNotifications(at: now)
  }

  /// Reads the newest notifications again.
  mutating func beginNotifications(at now: Instant) {
    if mentionsAbsentUntil.map({ $0 <= now }) ?? true { mentions.begin() }
    if noticesAbsentUntil.map({ $0 <= now }) ?? true { notices.begin() }
  }

  /// Reads the page that the server has returned to ``question``. Nil if it is none.
  ///
  /// - Parameter now: the time by the server's clock.
  func page(
    _ question: Question, in response: FetchResponse, now: Instant, parser: JSONParser
  ) -> [TimelineStatus]? {
    response.parsed(by: parser) { value in
      guard value.isArray else { return nil }
      return value.elements.compactMap { entry in
        switch question {
        case .home where home.asksForNews: TimelineStatus(arriving: entry, host: login.host, now: now)
        case .home: TimelineStatus(entry, host: login.host, now: now)
        case .mentions: TimelineStatus(notification: entry, login: login, now: now)
        case .notices: TimelineStatus(notice: entry, login: login, now: now)
        }
      }
    }
  }

  /// Takes the answer to ``question``, and returns items.
  mutating func answer(_ question: Question, _ page: [TimelineStatus]) -> [[UInt8]] {
    switch question {
    case .home: home.answer(page).map { LoginItem.item($0) }
    case .mentions: items(of: mentions.answer(page))
    // The oldest first, so that the newest notice of a group counts.
    case .notices: items(of: notices.answer(page).reversed())
    }
  }

  /// The server lacks the timeline that was asked for, or the login may not read it. The home timeline is never absent.
  mutating func lack(_ question: Question, at now: Instant) {
    let end = now.adding(milliseconds: Self.absence)
    switch question {
    case .home: break
    case .mentions: (mentionsAbsentUntil, mentions) = (end, TimelineReader(place: mentions.place))
    case .notices: (noticesAbsentUntil, notices) = (end, TimelineReader(place: notices.place))
    }
  }

  /// Takes what a stream has brought into the home timeline.
  mutating func receive(_ status: TimelineStatus) -> [[UInt8]] { home.receive(status).map { LoginItem.item($0) } }

  /// Takes a mention that a stream has brought.
  mutating func receive(mention status: TimelineStatus) -> [[UInt8]] { items(of: mentions.receive(status)) }

  /// Takes another notification that a stream has brought.
  mutating func receive(notice status: TimelineStatus) -> [[UInt8]] { items(of: notices.receive(status)) }

  /// Returns posts among the mentions: those of findings, or those that stand for notices. Rows for gaps are the home
  /// timeline's.
  private mutating func items(of findings: [TimelineReader.Finding]) -> [[UInt8]] {
    var items: [[UInt8]] = []
    for case .status(let status) in findings {
      if !status.post.isEmpty {
        items.append(LoginItem.post(status.post, in: status.notice == nil ? ["mentions"] : []))
      }
      if let notice = status.notice {
        items.append(LoginItem.post(TimelineStatus.line(groups.post(notice, at: status.created)), in: ["mentions"]))
      }
    }
    return items
  }

  /// Reads on in the gaps of the home timeline between two instants. Returns false if none is known.
  mutating func fill(older: Instant, newer: Instant) -> Bool { home.fill(older: older, newer: newer) }
}
