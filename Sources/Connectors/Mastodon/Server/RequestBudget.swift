internal import Dates
internal import HTTPSupport

/// Decides when a login may ask its server: few requests at once, fewer than the server allows, and none while it asks
/// for patience.
struct RequestBudget {
  /// The most requests that are open at once.
  static let openLimit = 4
  /// The most requests in five minutes. Servers allow 300, which a person's programs share.
  static let windowLimit = 150
  private static let windowMilliseconds: Int64 = 5 * 60_000
  /// The shortest and the longest rest after 429, in milliseconds.
  private static let shortestRest: Int64 = 60_000
  private static let longestRest: Int64 = 3_600_000
  /// The latest time that a server can name, in seconds since 1970: in the year 2286.
  private static let latestReset: Int64 = 10_000_000_000

  private var open = 0
  private var asked: [Instant] = []
  /// The end of the server's rest; nil for none.
  private(set) var restEnd: Instant?
  /// The end of the rest that it has asked for; nil for none.
  private(set) var refusalEnd: Instant?
  /// True after a rest until an answer has come: one request alone.
  private var isProbing = false

  init() {}

  /// True if a request may be made now.
  func allows(at now: Instant) -> Bool {
    open < (isProbing ? 1 : Self.openLimit) && restEnd.map { $0 <= now } ?? true
      && recent(at: now).count < Self.windowLimit
  }

  /// True if a request may be made now for which a person waits: it need not leave room for others.
  func allowsUrgent(at now: Instant) -> Bool {
    open < (isProbing ? 1 : Self.openLimit) && refusalEnd.map { $0 <= now } ?? true
  }

  /// The time to ask again, if nothing is answered before; nil if the budget does not depend on time.
  func deadline(after now: Instant) -> Instant? {
    if let restEnd, restEnd > now { return restEnd }
    let recent = recent(at: now)
    guard recent.count >= Self.windowLimit else { return nil }
    // Urgent requests may have exceeded the limit: all of those must be over.
    return recent[recent.count - Self.windowLimit].adding(milliseconds: Self.windowMilliseconds)
  }

  /// The times of the requests of the last five minutes.
  private func recent(at now: Instant) -> [Instant] {
    let start = now.adding(milliseconds: -Self.windowMilliseconds)
    return asked.filter { $0 > start }
  }

  /// Counts a request.
  mutating func ask(at now: Instant) {
    let start = now.adding(milliseconds: -Self.windowMilliseconds)
    asked.removeAll { $0 <= start }
    asked.append(now)
    open += 1
  }

  /// A request has ended without a response.
  mutating func failed() { open = max(0, open - 1) }

  /// Counts a response, and reads what it says of limits.
  mutating func answered(_ response: FetchResponse, at now: Instant) {
    open = max(0, open - 1)
    guard response.status != 429 else { return rest(response, at: now) }
    isProbing = false
    guard let limit = number("x-ratelimit-limit", response), let left = number("x-ratelimit-remaining", response),
      left <= limit / 5, let pause = Self.pauseUntilReset(response, at: now)
    else { return }
    extendRest(to: now.adding(milliseconds: min(pause, Self.longestRest)))
  }

  private mutating func rest(_ response: FetchResponse, at now: Instant) {
    isProbing = true
    var pause = Self.shortestRest
    if let time = ResponseFields(response.fields, now: now).retryAfter {
      pause = max(pause, time.milliseconds - now.milliseconds)
    }
    pause = max(pause, Self.pauseUntilReset(response, at: now) ?? 0)
    let end = now.adding(milliseconds: min(pause, Self.longestRest))
    refusalEnd = max(refusalEnd ?? end, end)
    extendRest(to: end)
  }

  private mutating func extendRest(to time: Instant) { restEnd = max(restEnd ?? time, time) }

  /// Returns the milliseconds until the server counts anew: by its own clock, which may be wrong.
  private static func pauseUntilReset(_ response: FetchResponse, at now: Instant) -> Int64? {
    guard let text = response.field("x-ratelimit-reset") else { return nil }
    let reset: Instant? =
      Int64(text).map { Instant(seconds: min(max(0, $0), latestReset)) } ?? Instant(iso8601: Array(text.utf8))
    let date = response.field("date").flatMap { HTTPDate.parse($0, now: now) } ?? now
    return reset.map { max(0, $0.milliseconds - date.milliseconds) }
  }

  private func number(_ name: String, _ response: FetchResponse) -> Int? { response.field(name).flatMap { Int($0) } }
}

extension FetchResponse {
  /// Returns the value of a header field, whose name is in lower case; nil if there is none.
  func field(_ name: String) -> String? {
    fields.first { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
  }
}
