public import Dates

/// A stretch of a source's posts that an account is known not to have (ADR 0023).
public struct Gap: Equatable, Sendable {
  /// The number of its row, out of those of posts: no post has it, and no other gap ever will.
  public var id: PostID
  /// The space of ids that the posts are of.
  public var source: String
  /// Its later end: what is missing is earlier, exclusively.
  public var newer: Instant
  /// Its earlier end: what is missing is later, exclusively.
  public var older: Instant
  /// About how many posts are missing; 0 where nobody knows.
  public var missing: Int

  /// Puts the parts together.
  public init(id: PostID, source: String, newer: Instant, older: Instant, missing: Int) {
    self.id = id
    self.source = source
    self.newer = newer
    self.older = older
    self.missing = missing
  }

  /// Where its row stands: directly below the posts at its later end.
  public var orderKey: OrderKey { OrderKey(createdAt: newer.adding(milliseconds: -1), id: id) }
}

/// What is said of a stretch of a source's posts, both ends exclusive.
public struct GapNote: Equatable, Sendable {
  /// What there is to say.
  public enum Kind: Equatable, Sendable {
    /// Posts are missing: about so many, or 0 where nobody knows.
    case missing(Int)
    /// All posts there are here now.
    case complete
  }
  public var kind: Kind
  public var source: String
  public var newer: Instant
  public var older: Instant

  /// Nil where nothing can be between the ends: `newer` has to be later than `older` by more than a millisecond.
  public init?(_ kind: Kind, source: String, newer: Instant, older: Instant) {
    guard newer.milliseconds > older.milliseconds, newer.milliseconds - older.milliseconds > 1 else { return nil }
    self.kind = kind
    self.source = source
    self.newer = newer
    self.older = older
  }
}

extension [Gap] {
  /// The gaps of one source after something was said of it, none of which touches another; each with a number of its
  /// own, which `nextID` gives to those that are new. O(gaps log gaps).
  public func noting<Failure: Error>(_ note: GapNote, nextID: () throws(Failure) -> PostID) throws(Failure) -> [Gap] {
    var result: [Gap] = []
    switch note.kind {
    case .missing(let count):
      var joined = Gap(id: PostID(0), source: note.source, newer: note.newer, older: note.older, missing: count)
      for gap in self {
        if gap.newer == note.newer, gap.older == note.older {
          joined.id = gap.id
          joined.missing = count > 0 ? count : gap.missing
        } else if gap.newer >= note.newer, gap.older <= note.older {
          // It is known, and more.
          return self
        } else if gap.newer > note.older, gap.older < note.newer {
          // What is missing in both nobody knows.
          if joined.id == PostID(0) { joined.id = gap.id }
          (joined.newer, joined.older) = (Swift.max(joined.newer, gap.newer), Swift.min(joined.older, gap.older))
          joined.missing = 0
        } else {
          result.append(gap)
        }
      }
      if joined.id == PostID(0) { joined.id = try nextID() }
      result.append(joined)
    case .complete:
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
          // How many are missing in which nobody knows.
          (above.missing, below.missing) = (0, 0)
          below.id = try nextID()
        }
        if hasAbove { result.append(above) }
        if hasBelow { result.append(below) }
      }
    }
    return result.sorted { $0.orderKey > $1.orderKey }
  }
}
