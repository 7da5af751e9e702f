internal import Dates
internal import HTTPSupport

/// The state of a feed between checks. It is stored with the items it stands for, so that no restart asks twice.
struct FeedRecord: Equatable {
  /// The address that is asked.
  var url: WebURL
  var validators = ResponseFields.Validators()
  /// The time of the next check.
  var next: Instant
  /// The interval that a person has set, in minutes; nil for none.
  var wantedMinutes: Int?
  /// How often the feed changes, according to the last document.
  var pace = FeedPace()
  /// Until when the last response is fresh, and before when the server wants no request; nil if it did not say.
  var freshUntil: Instant?
  var retryAfter: Instant?
  var health = Health.fine
  /// An address to which the feed has moved for good, as long as that is not certain.
  var moving: Moving?
  /// The time of the last check; nil if there was none.
  var lastCheck: Instant?

  /// The outcome of recent checks.
  enum Health: Equatable {
    case fine
    /// Checks have failed.
    case failing(count: Int, since: Instant)
    /// The server has said that the feed is gone for good (410).
    case gone
  }

  /// A move that was announced.
  struct Moving: Equatable {
    var target: WebURL
    var count: Int
    var since: Instant
  }

  /// The number of failed checks in a row after which a feed is shown as failing.
  static let failureLimit = 3

  /// True if the feed is shown as failing.
  var isFailing: Bool { if case .failing(let count, _) = health { count >= Self.failureLimit } else { false } }
}

/// The outcome of a check.
enum CheckOutcome: Equatable {
  /// A document that could be read, with what it and its response say about time.
  case document(FeedPace)
  /// Nothing has changed (304).
  case unchanged
  /// A web page that offers a feed, which is asked in its place.
  case offer(WebURL)
  /// The server says that the feed is gone for good (410).
  case gone
  /// A document that is not a feed. Its validators are forgotten, so that the next one is sent whole.
  case unreadable
  /// Anything else: no connection, another status.
  case failed
}

/// How often a feed changes, according to a document.
struct FeedPace: Equatable, Sendable {
  /// Minutes from `ttl` or the syndication module; nil for none.
  var minutes: Int?
  var skippedHours: Set<Int> = []
  var skippedDays: Set<Int> = []
  /// Half of the median pause between items, in minutes; nil if there are too few.
  var halfPause: Int?

  /// The pace of a feed whose items have these times.
  init(schedule: FeedSchedule = FeedSchedule(), itemTimes: [Instant] = []) {
    minutes = schedule.minutes
    skippedHours = schedule.skippedHours
    skippedDays = schedule.skippedDays
    let times = itemTimes.sorted()
    let pauses = zip(times.dropFirst(), times).map { $0.milliseconds - $1.milliseconds }.sorted()
    guard pauses.count >= 3 else { return }
    halfPause = Int(pauses[pauses.count / 2] / 120_000)
  }
}
