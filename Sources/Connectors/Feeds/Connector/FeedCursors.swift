internal import Codecs
internal import Dates
internal import HTTPSupport

/// The state of a feed, and its form as the cursors that the daemon stores.
struct FeedMemory: Equatable {
  var record: FeedRecord
  /// The items, as ``KnownItems`` writes them.
  var known = ""
  /// True if a web page was given, and this is the feed that it offers.
  var wasOffered = false
  /// A hash of the feed's title, host and picture.
  var person = ""
  var checks = CheckLog()
  /// The time at which its present state began.
  var since: Instant?

  /// The longest values that are kept, in bytes: all cursors together fit into what a daemon stores.
  static let tagBytes = 300
  static let addressBytes = 300

  /// A feed that was never read, and is due.
  init(url: WebURL) { record = FeedRecord(url: url, next: Instant(milliseconds: 0)) }

  /// Reads the cursors of a feed whose address is `url`. Of those of another address only the known items are kept.
  init(_ cursors: [String: String], url: WebURL, now: Instant) {
    self.init(url: url)
    known = cursors["known"] ?? ""
    person = cursors["person"] ?? ""
    wasOffered = cursors["offered"] != nil
    checks = CheckLog(text: cursors["checks"] ?? "")
    guard cursors["for"] == Self.name(of: url) else { return }
    record.validators.entityTag = cursors["etag"].flatMap { Base64.decode($0.utf8) }
    record.validators.lastModified = cursors["modified"].flatMap { Base64.decode($0.utf8) }
    record.lastCheck = Self.instant(cursors["last"])
    record.wantedMinutes = cursors["wanted"].flatMap { Int($0) }
    record.freshUntil = Self.instant(cursors["fresh"])
    record.retryAfter = Self.instant(cursors["retry"])
    since = Self.instant(cursors["since"])
    // A clock that was wrong must not put a feed off for ever.
    let latest = now.adding(milliseconds: Int64(CheckTimes.limitMinutes) * 60_000 * 11 / 10)
    record.next = min(Self.instant(cursors["next"]) ?? record.next, latest)
    readHealth(cursors["health"] ?? "")
    readPace(cursors["pace"] ?? "")
    readMove(cursors["moving"] ?? "")
  }

  /// The cursors, by name; nil for those that are not needed.
  var cursors: [String: String?] {
    let validators = record.validators
    return [
      "for": Self.name(of: record.url),
      "etag": validators.entityTag.map(Base64.encode), "modified": validators.lastModified.map(Base64.encode),
      "next": Self.text(record.next), "last": record.lastCheck.map(Self.text), "since": since.map(Self.text),
      "wanted": record.wantedMinutes.map(String.init), "fresh": record.freshUntil.map(Self.text),
      "retry": record.retryAfter.map(Self.text), "health": healthText, "pace": paceText, "moving": moveText,
      "known": known, "person": person, "checks": checks.text,
      "offered": wasOffered ? "1" : nil,
    ]
  }

  /// A hash of an address, which may be long.
  private static func name(of url: WebURL) -> String { String(ItemHash(Array(url.text.utf8)).value, radix: 36) }

  private static func text(_ instant: Instant) -> String { String(instant.milliseconds) }

  private static func instant(_ text: (some StringProtocol)?) -> Instant? {
    text.flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
  }

  // MARK: - Health

  private var healthText: String? {
    switch record.health {
    case .fine: nil
    case .gone: "gone"
    case .failing(let count, let since): "failing \(count) \(since.milliseconds)"
    }
  }

  private mutating func readHealth(_ text: String) {
    let words = text.split(separator: " ")
    if words == ["gone"] { record.health = .gone }
    guard words.count == 3, let count = Int(words[1]), let since = Self.instant(words[2]) else { return }
    record.health = .failing(count: max(1, count), since: since)
  }

  // MARK: - Pace

  /// Minutes, half a pause, hours and days as bits.
  private var paceText: String? {
    let pace = record.pace
    guard pace != FeedPace() else { return nil }
    func bits(_ numbers: Set<Int>) -> Int { numbers.reduce(0) { $0 | 1 << $1 } }
    return "\(pace.minutes ?? 0) \(pace.halfPause ?? -1) \(bits(pace.skippedHours)) \(bits(pace.skippedDays))"
  }

  private mutating func readPace(_ text: String) {
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { return }
    func set(_ bits: Int, _ range: Range<Int>) -> Set<Int> { Set(range.filter { bits >> $0 & 1 == 1 }) }
    record.pace.minutes = numbers[0] > 0 ? numbers[0] : nil
    record.pace.halfPause = numbers[1] >= 0 ? numbers[1] : nil
    record.pace.skippedHours = set(numbers[2], 0..<24)
    record.pace.skippedDays = set(numbers[3], 0..<7)
  }

  // MARK: - A move

  private var moveText: String? {
    record.moving.map { "\($0.count) \($0.since.milliseconds) \($0.target.text)" }
  }

  private mutating func readMove(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count == 3, let count = Int(words[0]), let since = Self.instant(words[1]),
      let url = WebURL(String(words[2]))
    else { return }
    record.moving = FeedRecord.Moving(target: url, count: count, since: since)
  }
}
