internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// Requests of a login beside its timelines: lookups of deleted statuses, reading positions, and content that people
/// ask for. No answer to that ends the connection.
struct SideRequests {
  enum Question: Equatable {
    /// The status with this identifier, to see if it still exists after a stream's `delete`.
    case status(String)
    /// The newest post of each direct conversation: those that the account wrote elsewhere are told of nowhere else.
    case messages
    /// The page of bookmarks below one; the newest if it is empty.
    case bookmarks(below: String)
    case marker(LoginMarkers.Question)
    case wanted(WantedContent.Question)
    case upload(MediaUploads.Question)
  }

  enum Effect {
    /// Items for the daemon, with the cursors that stand for them.
    case send([[UInt8]], cursors: [String: String] = [:])
    /// Answers a want once everything that was sent before is stored.
    case answerWant(String, refusal: String?)
    /// The daemon may send so many more parts of a file.
    case takeParts(String, Int)
    /// Answers a want: the server has the file.
    case uploaded(String, Media)
  }

  /// The most statuses that are to be looked up. Of more the oldest stay.
  static let lookupLimit = 200
  /// A server without conversations is not asked for them again for a day, in milliseconds.
  private static let absence: Int64 = 24 * 3_600_000

  private let login: LoginName
  private let parser: JSONParser
  private var lookups: [String] = []
  private var askedLookups: Set<String> = []
  private var asksForMessages = false
  /// Until then a server without conversations is not asked for them.
  private var messagesAbsentUntil: Instant?
  /// When messages and positions were last asked for by this connection.
  private var begunAt: Instant?
  private var markers: LoginMarkers
  private var bookmarks: LoginBookmarks
  private var wanted = WantedContent()
  private var uploads = MediaUploads()
  private var effects: [Effect] = []

  /// - Parameter bookmarks: the cursor of the bookmarks; nil if they are not kept.
  init(_ direction: LoginMarkers.Direction, bookmarks: String?, of login: LoginName, parser: JSONParser) {
    markers = LoginMarkers(direction, of: login)
    self.bookmarks = LoginBookmarks(cursor: bookmarks)
    (self.login, self.parser) = (login, parser)
  }

  /// The time at which there may be another question; nil if that does not depend on time.
  func deadline(after now: Instant) -> Instant? {
    [markers.deadline, wanted.deadline, uploads.deadline].compactMap(\.self).filter { $0 > now }.min()
  }

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: - What is wanted

  /// The timelines have been read. Where there is no stream that is every minute, which is too often for the rest.
  mutating func begin(at now: Instant) {
    askedLookups = []
    guard begunAt.map({ now.milliseconds - $0.milliseconds >= Login.livePause }) ?? true else { return }
    begunAt = now
    asksForMessages = messagesAbsentUntil.map { $0 <= now } ?? true
    bookmarks.begin()
    markers.begin(at: now)
  }

  /// The connection has failed: no answers will come.
  mutating func interrupt(_ reason: String) {
    begunAt = nil
    bookmarks.interrupt()
    markers.interrupt()
    settle(wanted.fail(reason))
  }

  /// The server cannot be asked at present or, if `isForGood`, any more: files that it does not have have failed.
  mutating func interruptUploads(_ reason: String, isForGood: Bool) {
    uploads.interrupt(reason, isForGood: isForGood)
    settleUploads()
  }

  /// The login is gone.
  mutating func end(_ reason: String) {
    interrupt(reason)
    uploads.fail(all: reason)
    settleUploads()
  }

  /// A view of the account is open.
  mutating func look(at now: Instant) { markers.look(at: now) }

  /// The account has read a list up to the first of these posts that is there, the newest first.
  mutating func read(_ list: String, _ posts: [String], at now: Instant) {
    markers.read(list, posts, at: now)
  }

  /// The daemon has these statuses, of which a stream says that they are gone.
  mutating func lookUp(_ ids: [String]) {
    for id in ids where !lookups.contains(id) { lookups.append(id) }
    lookups = lookups.suffix(Self.lookupLimit)
  }

  /// Adds a want; an unasked one comes behind everything else.
  mutating func want(_ id: String, _ subject: WantedContent.Subject, isUnasked: Bool) {
    guard !wanted.add(id, subject, isUnasked: isUnasked) else { return }
    effects.append(.answerWant(id, refusal: "too much is asked for already"))
  }

  /// A person wants a file to be at the server. The boundary is one that nobody can guess.
  mutating func upload(_ want: String, _ file: MediaUploads.File, boundary: String) {
    uploads.add(want, file, boundary: boundary)
    settleUploads()
  }

  /// Takes the next bytes of a file.
  mutating func append(_ part: [UInt8], to want: String) {
    uploads.append(part, to: want)
    settleUploads()
  }

  /// Drops a want that is no longer wanted. Returns true if it is answered all the same, when the server has answered.
  mutating func drop(_ want: String) -> Bool {
    wanted.drop(want)
    return uploads.drop(want)
  }

  // MARK: - Asking

  /// Returns what to ask next for a person who waits; nil for nothing. Files wait until the server's limits are known.
  mutating func nextUrgent(at now: Instant, _ facts: ServerFacts?) -> Question? {
    if let question = wanted.next(at: now, host: login.host, isUnasked: false) { return .wanted(question) }
    guard let facts else { return nil }
    defer { settleUploads() }
    return uploads.next(facts.media, at: now, host: login.host).map { .upload($0) }
  }

  /// Returns what to ask next while the timelines are at rest; nil for nothing.
  mutating func next(at now: Instant) -> Question? {
    if let id = lookups.first(where: { !askedLookups.contains($0) }) {
      askedLookups.insert(id)
      return .status(id)
    }
    if asksForMessages {
      asksForMessages = false
      return .messages
    }
    if let below = bookmarks.next() { return .bookmarks(below: below) }
    return markers.next(at: now).map { .marker($0) }
      ?? wanted.next(at: now, host: login.host, isUnasked: true).map { .wanted($0) }
  }

  /// Returns the request of a question to a server, with the file that it sends.
  func request(for question: Question, to server: MastodonServer) -> FetchRequest {
    var request = question.request(to: server)
    if case .upload(let question) = question { request.files = uploads.form(for: question) }
    return request
  }

  // MARK: - Answers

  /// Takes an answer.
  ///
  /// - Parameters:
  ///   - isOnlyLogin: true if no other login is at the server: then a status that it does not find is deleted.
  ///   - serverNow: the time by the server's clock.
  mutating func answered(
    _ question: Question, _ answer: ServerAnswer, _ response: FetchResponse?, isOnlyLogin: Bool, at now: Instant,
    serverNow: Instant
  ) {
    switch question {
    case .status(let id): send(looked(up: id, answer, response, isOnlyLogin: isOnlyLogin).map { [$0] } ?? [])
    case .messages:
      if answer == .absent { messagesAbsentUntil = now.adding(milliseconds: Self.absence) }
      send(messages(response, at: serverNow))
    case .bookmarks:
      let (items, cursor) = bookmarks.answered(
        answer == .done ? response : nil, host: login.host, serverNow: serverNow, parser: parser)
      let cursors = cursor.map { ["bookmarks": $0] } ?? [:]
      if !items.isEmpty || !cursors.isEmpty { effects.append(.send(items, cursors: cursors)) }
    case .marker(let question):
      send(markers.answered(question, answer, response, at: now, serverNow: serverNow, parser: parser))
    case .wanted(let question):
      settle(
        wanted.answered(question, answer, response, host: login.host, at: now, serverNow: serverNow, parser: parser))
    case .upload(let question):
      uploads.answered(question, answer, response, at: now, parser: parser)
      settleUploads()
    }
  }

  private func messages(_ response: FetchResponse?, at serverNow: Instant) -> [[UInt8]] {
    let statuses = response?.parsed(by: parser) { value -> [TimelineStatus]? in
      guard value.isArray else { return nil }
      return value.elements.compactMap { $0["last_status"] }.compactMap {
        TimelineStatus($0, host: login.host, now: serverNow)
      }
    }
    return (statuses ?? []).map { LoginItem.post($0.post, in: ["messages"]) }
  }

  private mutating func send(_ items: [[UInt8]]) {
    if !items.isEmpty { effects.append(.send(items)) }
  }

  private mutating func settle(_ outcomes: [WantedContent.Outcome]) {
    for outcome in outcomes {
      switch outcome {
      case .found(let items): send(items)
      case .done(let want): effects.append(.answerWant(want, refusal: nil))
      case .failed(let want, let reason): effects.append(.answerWant(want, refusal: reason))
      }
    }
  }

  private mutating func settleUploads() {
    for outcome in uploads.takeOutcomes() {
      switch outcome {
      case .more(let want, let parts): effects.append(.takeParts(want, parts))
      case .done(let want, let media): effects.append(.uploaded(want, media))
      case .failed(let want, let reason): effects.append(.answerWant(want, refusal: reason))
      }
    }
  }

  /// Returns what an answer says of a status; nil if it is to be asked for again behind the next pages.
  private mutating func looked(
    up id: String, _ answer: ServerAnswer, _ response: FetchResponse?, isOnlyLogin: Bool
  ) -> [UInt8]? {
    var isDeleted = false
    switch answer {
    case .absent: isDeleted = true
    case .refused: break
    case .done: if response?.parsed(by: parser, { $0.isObject ? true : nil }) != true { return nil }
    case .limited:
      askedLookups.remove(id)
      return nil
    case .building, .later, .signedOut: return nil
    }
    lookups.removeAll { $0 == id }
    let alias = MastodonStatus.alias(id, host: login.host)
    return isDeleted && isOnlyLogin ? LoginItem.gone(alias) : LoginItem.left(alias)
  }
}

extension SideRequests.Question {
  /// Returns the request to a server.
  func request(to server: MastodonServer) -> FetchRequest {
    switch self {
    case .status(let id): server.get("/api/v1/statuses/\(id)")
    case .messages: server.get("/api/v1/conversations", [("limit", "40")])
    case .bookmarks(let below):
      server.get(
        "/api/v1/bookmarks",
        [(name: "limit", value: "\(LoginBookmarks.pageSize)")] + (below.isEmpty ? [] : [("max_id", below)]))
    case .marker(let question): question.request(to: server)
    case .wanted(let question): question.request(to: server)
    case .upload(let question): question.request(to: server)
    }
  }
}
