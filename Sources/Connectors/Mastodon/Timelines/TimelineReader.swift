internal import Dates

/// Reads a timeline so that nothing is lost silently: pages in, statuses and gaps out.
///
/// A timeline is asked for its newest page first. If that does not reach what is here already, what lies between is a
/// gap, which is filled from its older end, so that a fill that is cut off leaves one gap and not two. Servers forget:
/// what a server no longer has is a gap that is lost. Servers that cannot page upwards, since they return the newest
/// page above a status and not the next one, are noticed, and asked downwards.
struct TimelineReader {
  /// A page to ask for. Pages have the newest status first.
  enum Question: Equatable {
    case newest
    /// The page directly above a status (`min_id`).
    case above(String)
    /// At most so many statuses directly below one (`max_id`).
    case below(String, limit: Int)
  }

  /// What a page says.
  enum Finding: Equatable {
    case status(TimelineStatus)
    /// Between these instants, which are exclusive, statuses are missing; the server no longer has those that are lost.
    case gap(older: Instant, newer: Instant, isLost: Bool)
    /// Between these instants nothing is missing.
    case complete(older: Instant, newer: Instant)
  }

  /// The statuses of a page.
  static let pageSize = 40
  /// The most pages of a gap that are read unasked.
  static let pageLimit = 20

  private enum Step: Equatable {
    case idle
    case newest
    /// The page below this status is read again, for statuses that arrived late.
    case overlap(String)
    case filling
    /// The first page of a gap has been read: does the server have what lies below it?
    case checking([TimelineStatus])
  }

  /// How far the timeline has been read.
  private(set) var place: TimelinePlace
  private var step = Step.idle
  private var pagesDownwards = false

  init(place: TimelinePlace = TimelinePlace()) { self.place = place }

  /// True until the newest page has been read: what a stream brings meanwhile is to be held.
  var isHolding: Bool { step == .newest }

  /// Begins with the newest page, also while an earlier reading goes on.
  mutating func begin() {
    step = .newest
    // Meanwhile the server may have forgotten more.
    for index in place.gaps.indices { place.gaps[index].isChecked = false }
  }

  /// The page to ask for; nil if there is nothing to do.
  var question: Question? {
    switch step {
    case .idle: return nil
    case .newest: return .newest
    case .overlap(let id): return .below(id, limit: Self.pageSize)
    case .checking(let page): return page.last.map { .below($0.id, limit: 1) }
    case .filling:
      guard let index = nextGap else { return nil }
      let gap = place.gaps[index]
      guard let older = gap.older, !pagesDownwards else { return .below(gap.newer.id, limit: Self.pageSize) }
      return .above(older.id)
    }
  }

  /// True if ``question`` asks for what has come since the timeline was first read. Of that a person may have read past
  /// the places.
  var asksForNews: Bool {
    switch step {
    case .idle: false
    case .newest: !place.newest.isEmpty
    case .overlap, .checking: true
    case .filling: nextGap.map { place.gaps[$0].older != nil } ?? false
    }
  }

  private var nextGap: Int? { place.gaps.firstIndex { $0.pages < Self.pageLimit } }

  /// Takes the answer to ``question``.
  mutating func answer(_ page: [TimelineStatus]) -> [Finding] {
    let statuses = page.map { Finding.status($0) }
    switch step {
    case .idle: return []
    case .newest: return readNewest(page) + statuses
    case .overlap(let id):
      place.removeOverlap(id)
      step = nextOverlap
      return statuses
    case .checking(let first): return check(first, below: page.first)
    case .filling:
      guard let index = nextGap else { return statuses }
      return statuses + (place.gaps[index].older == nil || pagesDownwards ? fillDown(index, page) : fillUp(index, page))
    }
  }

  /// Takes a status that a stream has brought.
  mutating func receive(_ status: TimelineStatus) -> [Finding] {
    // One that arrives late may lie anywhere: it says nothing about how far the timeline is here.
    if place.newest.first.map({ status.created >= $0.created }) ?? true { place.add([TimelinePlace.End(status)]) }
    return [.status(status)]
  }

  /// Reads on in the gaps between two instants, as a person wants. Returns false if there is none.
  mutating func fill(older: Instant, newer: Instant) -> Bool {
    var isFound = false
    for index in place.gaps.indices {
      let gap = place.gaps[index]
      guard gap.newer.created > older, gap.older.map({ $0.created < newer }) ?? false else { continue }
      place.gaps[index].pages = 0
      isFound = true
    }
    if isFound, step == .idle || question == nil { step = .filling }
    return isFound
  }

  // MARK: - The newest page

  private mutating func readNewest(_ page: [TimelineStatus]) -> [Finding] {
    let known = place.newest.first
    if let known { place.addOverlap(known.id) }
    step = nextOverlap
    guard let last = page.last else { return [] }
    let isReached = page.contains { place.isKnown($0.id) }
    place.add(page.prefix(TimelinePlace.newestLimit).map { TimelinePlace.End($0) })
    guard !isReached else { return [] }
    place.add(TimelinePlace.Gap(older: known, newer: TimelinePlace.End(last)))
    return known.map { Self.gap(older: $0.created, newer: last.created) } ?? []
  }

  /// The next overlap, also of an earlier reading that was cut off before it.
  private var nextOverlap: Step { place.overlaps.first.map { .overlap($0) } ?? .filling }

  // MARK: - Filling

  private mutating func fillUp(_ index: Int, _ page: [TimelineStatus]) -> [Finding] {
    let gap = place.gaps[index]
    guard let older = gap.older else { return [] }
    guard !page.isEmpty else {
      place.gaps.remove(at: index)
      return Self.complete(older: older.created, newer: gap.newer.created)
    }
    if page.contains(where: { $0.id == older.id }) {
      pagesDownwards = true
      return []
    }
    guard gap.isChecked else {
      step = .checking(page)
      return []
    }
    return advance(index, page)
  }

  /// Takes the status directly below the first page of a gap; nil if the server has none.
  private mutating func check(_ page: [TimelineStatus], below: TimelineStatus?) -> [Finding] {
    step = .filling
    guard let index = nextGap, let older = place.gaps[index].older, let last = page.last else { return [] }
    var findings: [Finding] = []
    if let below {
      guard below.id == older.id || below.created <= older.created else {
        pagesDownwards = true
        return []
      }
    } else {
      // The server's memory ends above what is here.
      findings = Self.gap(older: older.created, newer: last.created, isLost: true)
      place.gaps[index].older?.created = max(older.created, last.created)
    }
    place.gaps[index].isChecked = true
    return findings + advance(index, page)
  }

  /// Moves the older end of a gap behind a page.
  private mutating func advance(_ index: Int, _ page: [TimelineStatus]) -> [Finding] {
    let gap = place.gaps[index]
    guard let older = gap.older, let first = page.first else { return [] }
    if page.contains(where: { $0.id == gap.newer.id || place.isKnown($0.id) }) {
      place.gaps.remove(at: index)
      return Self.complete(older: older.created, newer: gap.newer.created)
    }
    let top = page.map(\.created).filter { $0 <= gap.newer.created }.max() ?? older.created
    place.gaps[index].older = TimelinePlace.End(id: first.id, created: max(older.created, top))
    place.gaps[index].pages += 1
    return Self.complete(older: older.created, newer: top)
  }

  private mutating func fillDown(_ index: Int, _ page: [TimelineStatus]) -> [Finding] {
    let gap = place.gaps[index]
    guard let last = page.last else {
      place.gaps.remove(at: index)
      return gap.older.map { Self.gap(older: $0.created, newer: gap.newer.created, isLost: true) } ?? []
    }
    guard !page.contains(where: { $0.id == gap.newer.id }) else {
      // A page that repeats its anchor would be read for ever.
      place.gaps[index].pages = Self.pageLimit
      return []
    }
    if let older = gap.older,
      page.contains(where: { $0.id == older.id }) || page.allSatisfy({ $0.created <= older.created })
    {
      place.gaps.remove(at: index)
      return Self.complete(older: older.created, newer: gap.newer.created)
    }
    let floor = gap.older?.created ?? .distantPast
    let bottom = page.map(\.created).filter { $0 >= floor }.min() ?? gap.newer.created
    place.gaps[index].newer = TimelinePlace.End(id: last.id, created: min(gap.newer.created, bottom))
    place.gaps[index].pages += 1
    return gap.older == nil ? [] : Self.complete(older: bottom, newer: gap.newer.created)
  }

  // MARK: - Findings

  /// A gap, unless nothing fits between its ends.
  private static func gap(older: Instant, newer: Instant, isLost: Bool = false) -> [Finding] {
    newer.milliseconds - older.milliseconds > 1 ? [.gap(older: older, newer: newer, isLost: isLost)] : []
  }

  private static func complete(older: Instant, newer: Instant) -> [Finding] {
    newer.milliseconds - older.milliseconds > 1 ? [.complete(older: older, newer: newer)] : []
  }
}
