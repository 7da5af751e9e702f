import Dates
import Posts
import Testing

@testable import Mastodon

/// A home timeline as a server keeps it: a list of statuses in the order of their identifiers, of which it forgets all
/// but the newest.
struct ModelTimeline {
  /// The most statuses of a page, whatever a client asks for.
  static let pageSize = 5

  /// The newest first.
  private(set) var statuses: [TimelineStatus] = []
  /// Those that were deleted.
  private(set) var deleted: Set<String> = []
  /// All that were ever published, by identifier.
  private(set) var published: [String: TimelineStatus] = [:]
  /// The number of statuses that it keeps.
  let limit: Int
  /// True if it cannot page upwards: it returns the newest page above a status, and not the next one.
  let skips: Bool
  private var clock: Int64 = 0

  init(limit: Int = .max, skips: Bool = false) { (self.limit, self.skips) = (limit, skips) }

  /// Adds a status behind `position` newer ones: one that is not the newest arrives late. Returns it.
  @discardableResult
  mutating func publish(behind position: Int = 0) -> TimelineStatus {
    let index = min(position, statuses.count)
    var created = clock + 1_000
    if index > 0, index < statuses.count {
      created = (statuses[index - 1].created.milliseconds + statuses[index].created.milliseconds) / 2
    }
    clock = max(clock, created)
    let status = TimelineStatus(id: "s\(published.count)", created: Instant(milliseconds: created))
    statuses.insert(status, at: index)
    published[status.id] = status
    return status
  }

  /// Forgets what is beyond its memory.
  mutating func forget() {
    if statuses.count > limit { statuses.removeLast(statuses.count - limit) }
  }

  /// Deletes the status behind `position` newer ones. Returns its identifier; nil if there is none.
  mutating func delete(behind position: Int) -> String? {
    guard position < statuses.count else { return nil }
    let id = statuses.remove(at: position).id
    deleted.insert(id)
    return id
  }

  /// Returns the page that a client asks for.
  func page(_ question: TimelineReader.Question) -> [TimelineStatus] {
    switch question {
    case .newest: return Array(statuses.prefix(Self.pageSize))
    case .above(let id):
      let above = statuses.prefix { isAbove($0, id) }
      return Array(skips ? above.prefix(Self.pageSize) : above.suffix(Self.pageSize))
    case .below(let id, let limit):
      let below = statuses.drop { isAbove($0, id) || $0.id == id }
      return Array(below.prefix(min(limit, Self.pageSize)))
    }
  }

  /// Identifiers are of when a status was written, as in Mastodon.
  private func isAbove(_ status: TimelineStatus, _ id: String) -> Bool {
    published[id].map { status.created > $0.created } ?? false
  }
}

/// What the daemon makes of findings: the statuses of a timeline, and its gaps.
struct ModelDaemon {
  enum Stretch: Equatable { case missing, lost }

  private(set) var statuses: [String: TimelineStatus] = [:]
  private(set) var gaps: [Posts.Gap] = []
  private var lastID: Int64 = 0

  mutating func take(_ findings: [TimelineReader.Finding]) {
    for finding in findings {
      switch finding {
      case .status(let status): statuses[status.id] = status
      case .gap(let older, let newer, let isLost): note(.missing(0), older, newer, isLost)
      case .complete(let older, let newer): note(.complete, older, newer, false)
      }
    }
  }

  private mutating func note(_ kind: GapNote.Kind, _ older: Instant, _ newer: Instant, _ isLost: Bool) {
    guard let note = GapNote(kind, source: "mastodon", newer: newer, older: older, isLost: isLost) else {
      Issue.record("a stretch in which nothing fits: \(older) to \(newer)")
      return
    }
    var last = lastID
    gaps = gaps.noting(note) {
      last += 1
      return PostID(last)
    }
    lastID = last
  }

  mutating func remove(_ id: String) { statuses[id] = nil }

  /// Returns what is missing at an instant; nil if nothing is.
  func stretch(at instant: Instant) -> Stretch? {
    gaps.first { $0.older < instant && instant < $0.newer }.map { $0.isLost ? .lost : .missing }
  }
}
