public import Dates

/// A stretch of a source's posts that an account is known to lack (ADR 0023).
public struct Gap: Equatable, Sendable {
  /// The number of its row, from the same sequence as post IDs; never shared with a post or reused.
  public var id: PostID
  /// The ID space of the missing posts.
  public var source: String
  /// The later end, exclusive: missing posts are earlier.
  public var newer: Instant
  /// The earlier end, exclusive: missing posts are later.
  public var older: Instant
  /// The approximate number of missing posts; 0 if unknown.
  public var missing: Int
  /// True if the source no longer has the posts.
  public var isLost: Bool
  /// The login that lacks the posts; empty where a file says so.
  public var login: String

  public init(
    id: PostID, source: String, newer: Instant, older: Instant, missing: Int, isLost: Bool = false, login: String = ""
  ) {
    self.id = id
    self.source = source
    self.newer = newer
    self.older = older
    self.missing = missing
    self.isLost = isLost
    self.login = login
  }

  /// The position of its row: directly below the posts at its later end.
  public var orderKey: OrderKey { OrderKey(createdAt: newer.adding(milliseconds: -1), id: id) }
}

/// A source's statement about a stretch of its posts, both ends exclusive.
public struct GapNote: Equatable, Sendable {
  /// The content of the statement.
  public enum Kind: Equatable, Sendable {
    /// Posts are missing: approximately this many, or 0 if unknown.
    case missing(Int)
    /// The stretch is complete: all its posts are here now.
    case complete
  }
  public var kind: Kind
  public var source: String
  public var newer: Instant
  public var older: Instant
  /// True if the source no longer has the posts that are missing.
  public var isLost: Bool

  /// Nil if nothing fits between the ends: `newer` must be more than a millisecond later than `older`.
  public init?(_ kind: Kind, source: String, newer: Instant, older: Instant, isLost: Bool = false) {
    guard newer.milliseconds > older.milliseconds, newer.milliseconds - older.milliseconds > 1 else { return nil }
    self.kind = kind
    self.source = source
    self.newer = newer
    self.older = older
    self.isLost = isLost
  }
}

extension [Gap] {
  /// Returns the gaps of one source after applying `note`. Of an instant in two statements the last one counts: it is
  /// missing, lost or here. No two gaps of a kind touch. Each has its own number; new gaps get theirs from `nextID`.
  /// O(gaps log gaps).
  public func noting<Failure: Error>(_ note: GapNote, nextID: () throws(Failure) -> PostID) throws(Failure) -> [Gap] {
    let result: [Gap]
    switch note.kind {
    case .missing(let count):
      let others = filter { $0.isLost != note.isLost }
      let same = filter { $0.isLost == note.isLost }
      result = try others.without(note, nextID: nextID) + same.joining(note, count, nextID: nextID)
    case .complete: result = try without(note, nextID: nextID)
    }
    return result.sorted { $0.orderKey > $1.orderKey }
  }

  /// Returns the gaps with a stretch in which `count` posts are missing.
  private func joining<Failure: Error>(
    _ note: GapNote, _ count: Int, nextID: () throws(Failure) -> PostID
  ) throws(Failure) -> [Gap] {
    var result: [Gap] = []
    var id: PostID?
    var (newer, older, missing) = (note.newer, note.older, count)
    for gap in self {
      if gap.newer == note.newer, gap.older == note.older {
        id = gap.id
        missing = count > 0 ? count : gap.missing
      } else if gap.newer >= note.newer, gap.older <= note.older {
        // An existing gap already covers the stretch.
        return self
      } else if gap.newer > note.older, gap.older < note.newer {
        // The number of posts missing from the union is unknown.
        id = id ?? gap.id
        (newer, older) = (Swift.max(newer, gap.newer), Swift.min(older, gap.older))
        missing = 0
      } else {
        result.append(gap)
      }
    }
    let number = if let id { id } else { try nextID() }
    return result + [
      Gap(id: number, source: note.source, newer: newer, older: older, missing: missing, isLost: note.isLost)
    ]
  }

  /// Returns what is left of the gaps outside a stretch.
  private func without<Failure: Error>(
    _ note: GapNote, nextID: () throws(Failure) -> PostID
  ) throws(Failure) -> [Gap] {
    var result: [Gap] = []
    for gap in self {
      guard gap.newer > note.older, gap.older < note.newer else {
        result.append(gap)
        continue
      }
      var above = gap
      above.older = Swift.max(gap.older, note.newer)
      var below = gap
      below.newer = Swift.min(gap.newer, note.older)
      let hasAbove = note.newer < gap.newer && above.newer.milliseconds - above.older.milliseconds > 1
      let hasBelow = note.older > gap.older && below.newer.milliseconds - below.older.milliseconds > 1
      if hasAbove && hasBelow {
        // The distribution of the missing posts over the two parts is unknown.
        (above.missing, below.missing) = (0, 0)
        below.id = try nextID()
      }
      if hasAbove { result.append(above) }
      if hasBelow { result.append(below) }
    }
    return result
  }
}
