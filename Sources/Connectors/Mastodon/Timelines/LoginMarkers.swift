internal import Dates
internal import HTTPSupport
internal import Ingest

/// How far a login has read its timelines at its server (markers), kept together with the daemon's positions: what
/// moves there is told here, and what is read here is sent there if nothing has moved there meanwhile. Which of two
/// places is later is the daemon's to say: identifiers are compared for equality only.
package struct LoginMarkers {
  /// The ways in which positions go.
  package enum Direction: String, CaseIterable {
    case both
    /// From the server to the daemon alone.
    case take
    /// From the daemon to the server alone.
    case give
    case off
  }

  /// A timeline with a position, by the server's name.
  enum List: String, CaseIterable {
    case home, notifications

    /// The daemon's name of it.
    var name: String { self == .home ? "home" : "mentions" }
  }

  enum Question: Equatable {
    /// All positions.
    case positions
    /// The entry up to which a list has been read: when was it written?
    case entry(List, String)
    /// Moves positions to these entries.
    case move([List: String])
  }

  /// The shortest time between two questions for positions that views cause, in milliseconds.
  private static let lookPause: Int64 = 10_000
  /// After a failure nothing is asked for this long, in milliseconds.
  private static let failurePause: Int64 = 60_000
  /// A server that lacks positions, or does not let them be moved, is not asked again for a day, in milliseconds.
  private static let absence: Int64 = 24 * 3_600_000
  /// The most conflicts with other programs after which a position is still moved.
  private static let conflictLimit = 1

  private let direction: Direction
  private let login: LoginName
  /// The server's positions as the daemon knows them; empty for a list of which nothing has been read.
  private var known: [List: String] = [:]
  /// Positions that have moved, of which the daemon is to be told.
  private var moved: [List: String] = [:]
  /// Positions to which the daemon wants to move.
  private var wanted: [List: String] = [:]
  /// True if the positions were read since something was wanted.
  private var areFresh = false
  private var conflicts = 0
  /// When the positions are to be read; nil if they are not.
  private var dueAt: Instant?
  private var askedAt: Instant?
  private var asked: Question?
  private var notBefore: Instant?
  /// Until then nothing is moved there.
  private var fixedUntil: Instant?

  init(_ direction: Direction, of login: LoginName) { (self.direction, self.login) = (direction, login) }

  /// The time at which ``next(at:)`` may have a question again; nil if that does not depend on time.
  var deadline: Instant? {
    if !moved.isEmpty || !wanted.isEmpty { return notBefore }
    return dueAt.map { max($0, notBefore ?? $0) }
  }

  /// The timelines have been read: the daemon is told of the positions again.
  mutating func begin(at now: Instant) {
    known = [:]
    dueAt = now
  }

  /// The connection has failed: no answer will come.
  mutating func interrupt() { asked = nil }

  /// A view of the account is open: positions are read soon.
  mutating func look(at now: Instant) {
    if dueAt == nil { dueAt = max(now, askedAt?.adding(milliseconds: Self.lookPause) ?? now) }
  }

  /// The account has read a list up to the first of these posts that is there, the newest first.
  mutating func read(_ name: String, _ posts: [String], at now: Instant) {
    guard direction != .take, fixedUntil.map({ $0 <= now }) ?? true,
      let list = List.allCases.first(where: { $0.name == name }),
      let id = posts.lazy.compactMap({ [front = alias(of: "", in: list)] in
        TimelineStatus.identifier(in: $0, after: front)
      }).first,
      id != known[list]
    else { return }
    wanted[list] = id
    (areFresh, conflicts) = (false, 0)
  }

  /// Returns what to ask next; nil if an answer is awaited, or there is nothing to do.
  mutating func next(at now: Instant) -> Question? {
    guard direction != .off, asked == nil, notBefore.map({ $0 <= now }) ?? true else { return nil }
    if let list = List.allCases.first(where: { moved[$0] != nil }), let id = moved[list] {
      asked = .entry(list, id)
    } else if !wanted.isEmpty, areFresh {
      asked = .move(wanted)
    } else if !wanted.isEmpty || dueAt.map({ $0 <= now }) ?? false {
      asked = .positions
      askedAt = now
    }
    return asked
  }

  /// Takes an answer. Returns items for the daemon.
  ///
  /// - Parameter now: the time by the daemon's clock; `serverNow` that by the server's.
  mutating func answered(
    _ question: Question, _ answer: ServerAnswer, _ response: FetchResponse?, at now: Instant, serverNow: Instant,
    parser: JSONParser
  ) -> [[UInt8]] {
    guard question == asked else { return [] }
    asked = nil
    switch (question, answer) {
    case (.positions, .done):
      if let read = response.flatMap({ Self.positions($0, parser) }) { return take(read) }
      notBefore = now.adding(milliseconds: Self.failurePause)
    case (.entry(let list, let id), .done):
      return tell(list, id, response.flatMap { date(of: list, $0, serverNow, parser) })
    case (.entry(let list, let id), .absent), (.entry(let list, let id), .refused): return tell(list, id, nil)
    case (.move(let moved), .done):
      known.merge(moved) { $1 }
      wanted = wanted.filter { moved[$0.key] != $0.value }
    case (.move, _) where response?.status == 409:
      areFresh = false
      conflicts += 1
      if conflicts > Self.conflictLimit { wanted = [:] }
    case (.move, .absent), (.move, .refused):
      fixedUntil = now.adding(milliseconds: Self.absence)
      wanted = [:]
    case (.positions, .absent), (.positions, .refused):
      (dueAt, wanted) = (nil, [:])
      notBefore = now.adding(milliseconds: Self.absence)
    case (_, .building), (_, .later), (_, .limited), (_, .signedOut):
      notBefore = now.adding(milliseconds: Self.failurePause)
    }
    return []
  }

  private mutating func take(_ read: [List: String]) -> [[UInt8]] {
    (dueAt, areFresh) = (nil, true)
    // A position that cannot be understood is not moved.
    wanted = wanted.filter { read[$0.key] != nil }
    var items: [[UInt8]] = []
    for (list, id) in read.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where id != known[list] {
      if id.isEmpty {
        items += tell(list, "", nil)
      } else {
        moved[list] = id
        // The daemon says again which of the two is later.
        wanted[list] = nil
      }
    }
    return items
  }

  /// Tells the daemon of a position; empty if nothing has been read. Of an entry without a date, such as a deleted post,
  /// the daemon may know the place.
  private mutating func tell(_ list: List, _ id: String, _ date: Instant?) -> [[UInt8]] {
    known[list] = id
    moved[list] = nil
    let name = id.isEmpty ? nil : alias(of: id, in: list)
    return [LoginItem.marker(list.name, post: name, date, isTaken: direction != .give)]
  }

  /// Returns the name by which the daemon knows an entry of a list.
  private func alias(of id: String, in list: List) -> String {
    list == .home ? MastodonStatus.alias(id, host: login.host) : login.alias(ofNotification: id)
  }

  /// Returns the positions: empty where nothing has been read, and none where that cannot be understood.
  private static func positions(_ response: FetchResponse, _ parser: JSONParser) -> [List: String]? {
    response.parsed(by: parser) { value -> [List: String]? in
      guard value.isObject else { return nil }
      var positions: [List: String] = [:]
      for list in List.allCases {
        let marker = value[list == .home ? "home" : "notifications"]
        positions[list] =
          marker.map { $0["last_read_id"]?.id.flatMap { TimelineStatus.isIdentifier($0) ? $0 : nil } } ?? ""
      }
      return positions
    }
  }

  /// Returns when the entry of a list was written, as it is dated among the posts here.
  private func date(
    of list: List, _ response: FetchResponse, _ now: Instant, _ parser: JSONParser
  ) -> Instant? {
    response.parsed(by: parser) { [login] value -> Instant? in
      if list == .home { return TimelineStatus(value, host: login.host, now: now)?.created }
      if TimelineStatus.bringsPost(value), let status = TimelineStatus(notification: value, login: login, now: now) {
        return status.created
      }
      return TimelineStatus.date(ofNotification: value)
    }
  }
}

extension LoginMarkers.Question {
  /// Returns the request to a server.
  func request(to server: MastodonServer) -> FetchRequest {
    switch self {
    case .positions:
      server.get("/api/v1/markers", LoginMarkers.List.allCases.map { ("timeline[]", $0.rawValue) })
    case .entry(.home, let id): server.get("/api/v1/statuses/\(id)")
    case .entry(.notifications, let id): server.get("/api/v1/notifications/\(id)")
    case .move(let ids):
      server.post(
        "/api/v1/markers",
        ids.sorted { $0.key.rawValue < $1.key.rawValue }.map { ("\($0.key.rawValue)[last_read_id]", $0.value) })
    }
  }
}
