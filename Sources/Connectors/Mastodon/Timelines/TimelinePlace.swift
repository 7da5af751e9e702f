internal import Dates

/// How far a timeline has been read. The daemon stores it as a cursor.
struct TimelinePlace: Equatable {
  /// A status at the end of a stretch.
  struct End: Equatable {
    var id: String
    var created: Instant

    init(id: String, created: Instant) { (self.id, self.created) = (id, created) }

    init(_ status: TimelineStatus) { self.init(id: status.id, created: status.created) }
  }

  /// A stretch between two statuses whose own statuses are not here.
  struct Gap: Equatable {
    /// The status below it; nil if it reaches down to the first that the server has.
    var older: End?
    /// The status above it.
    var newer: End
    /// The pages that were read of it, unasked.
    var pages = 0
    /// True once it is known that the server still has what lies directly above `older`. Not stored.
    var isChecked = false
  }

  /// The newest statuses that are here, the newest first: any of them in a page joins it to what is here, so that the
  /// deletion of one opens no gap. Empty if nothing has been read.
  private(set) var newest: [End] = []
  /// What is missing below them, the newest first.
  var gaps: [Gap] = []
  /// Statuses below which a page is yet to be read again, for those that arrived late; the oldest first.
  private(set) var overlaps: [String] = []

  /// The most statuses in ``newest``.
  static let newestLimit = 8
  /// The most gaps that are known. Older ones stay rows of the timeline, and are not filled.
  static let gapLimit = 16
  /// The most statuses in ``overlaps``. Of more the oldest are dropped.
  static let overlapLimit = 8

  init() {}

  /// True if a status is one of the newest.
  func isKnown(_ id: String) -> Bool { newest.contains { $0.id == id } }

  /// Puts statuses before the newest, the newest first.
  mutating func add(_ ends: [End]) {
    let rest = newest.filter { end in !ends.contains { $0.id == end.id } }
    newest = Array((ends + rest).prefix(Self.newestLimit))
  }

  /// A page is to be read again below a status.
  mutating func addOverlap(_ id: String) {
    overlaps = (overlaps.filter { $0 != id } + [id]).suffix(Self.overlapLimit)
  }

  /// The page below a status has been read.
  mutating func removeOverlap(_ id: String) { overlaps.removeAll { $0 == id } }

  /// Adds a gap above the others.
  mutating func add(_ gap: Gap) { gaps = Array(([gap] + gaps).prefix(Self.gapLimit)) }

  // MARK: - As text

  /// The place as lines of words: `n ID MILLISECONDS` for each of the newest, `o ID` for each overlap, and for each gap
  /// `g NEWER-ID MILLISECONDS PAGES`, with the identifier and milliseconds of its older end unless it has none.
  var text: String {
    var lines = newest.map { "n \($0.id) \($0.created.milliseconds)" } + overlaps.map { "o \($0)" }
    for gap in gaps {
      let older = gap.older.map { " \($0.id) \($0.created.milliseconds)" } ?? ""
      lines.append("g \(gap.newer.id) \(gap.newer.created.milliseconds) \(gap.pages)\(older)")
    }
    return lines.joined(separator: "\n")
  }

  /// Reads a place. Lines that cannot be read are passed over.
  init(text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "n":
        if let end = Self.end(words, at: 1) { newest.append(end) }
      case "o" where words.count > 1: addOverlap(words[1])
      case "g":
        guard let newer = Self.end(words, at: 1), words.count > 3, let pages = Int(words[3]) else { continue }
        gaps.append(Gap(older: Self.end(words, at: 4), newer: newer, pages: pages))
      default: continue
      }
    }
  }

  private static func end(_ words: [String], at index: Int) -> End? {
    guard words.count > index + 1, let milliseconds = Int64(words[index + 1]) else { return nil }
    return End(id: words[index], created: Instant(milliseconds: milliseconds))
  }
}
