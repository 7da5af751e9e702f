import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Gap rows")
struct GapRowTests {
  private static let view = ViewID(1)

  private static func instant(_ seconds: Int64) -> Instant { EngineHarness.post(1, at: seconds).createdAt }

  private static func note(_ kind: GapNote.Kind, from older: Int64, to newer: Int64, isLost: Bool = false) -> GapNote {
    GapNote(kind, source: "elsewhere", newer: instant(newer), older: instant(older), isLost: isLost)!
  }

  private static func layout(_ width: Int = 80) -> LayoutParameters {
    var layout = EngineHarness.layout(width: width, height: 12, singlePane: false)
    (layout.hasDayLines, layout.timeZone) = (true, "UTC")
    return layout
  }

  @Test(
    "after any sequence of gaps, fills and changes, rows are the posts and the gaps",
    arguments: seeds(0..<40 as Range<UInt64>))
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var limits = EngineLimits()
    (limits.lists.chunkCapacity, limits.lists.firstSlice, limits.lists.laterSlice) = (3, 6, 4)
    var harness = EngineHarness(limits: limits)
    var next: Int64 = 1
    var nextGap: Int64 = 100_000
    func fresh() -> StoredPost {
      defer { next += 1 }
      return EngineHarness.post(
        next, at: .random(in: 0...200, using: &random),
        text: String(repeating: "word ", count: .random(in: 1...30, using: &random)))
    }
    func noted(_ gaps: [Gap]) -> [Gap] {
      let (one, other) = (Int64.random(in: -10...210, using: &random), Int64.random(in: -10...210, using: &random))
      guard one != other else { return gaps }
      let kind: GapNote.Kind = Bool.random(using: &random) ? .complete : .missing(.random(in: 0...20, using: &random))
      let isLost = kind != .complete && Int.random(in: 0..<3, using: &random) == 0
      return gaps.noting(Self.note(kind, from: min(one, other), to: max(one, other), isLost: isLost)) {
        nextGap += 1
        return PostID(nextGap)
      }
    }
    for _ in 0..<30 { harness.posts.append(fresh()) }
    harness.store.gaps[EngineHarness.account] = noted([])
    for step in 0..<60 {
      harness.holdsLoads = Bool.random(using: &random)
      if !harness.holdsLoads { harness.answerLoads() }
      let view = UInt64.random(in: 1...2, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: harness.open(view, layout: Self.layout(.random(in: 30...120, using: &random)))
      case 1...2: harness.commit(new: (0..<Int.random(in: 1...3, using: &random)).map { _ in fresh() })
      case 3:
        harness.commit { store in
          if let gone = store.posts.randomElement(using: &random)?.id { store.posts.removeAll { $0.id == gone } }
        }
      case 4...6:
        let gaps = noted(harness.store.gaps[EngineHarness.account] ?? [])
        let come = Bool.random(using: &random) ? [fresh()] : []
        harness.commit { store in
          store.gaps[EngineHarness.account] = gaps
          store.posts += come
        }
      default:
        let rows = harness.mirrors[ViewID(view)]?.panes.last?.rows ?? []
        if let row = rows.randomElement(using: &random) {
          harness.scroll(view, to: row.rowID, line: .random(in: 0..<row.height, using: &random))
        }
      }
      harness.now = harness.now.adding(milliseconds: .random(in: 0...300, using: &random))
      if step == 40 {
        harness.holdsLoads = false
        harness.answerLoads()
      }
    }
    harness.holdsLoads = false
    for _ in 0..<100 { harness.answerLoads() }
    harness.pass(seconds: 5)
    let gaps = harness.store.gaps[EngineHarness.account] ?? []
    for (id, mirror) in harness.mirrors {
      let note = "seed \(seed), view \(id.rawValue)"
      let pane = mirror.panes[0]
      let model = (harness.timeline().map(\.orderKey) + gaps.map(\.orderKey)).sorted(by: >).map {
        UInt64($0.id.rawValue)
      }
      let above = pane.status.rowsAbove
      #expect(pane.status.rowCount == model.count, "\(note)")
      #expect(pane.rows.map(\.rowID) == Array(model[above..<min(above + pane.rows.count, model.count)]), "\(note)")
      for (offset, row) in pane.rows.enumerated() {
        let fields = row.content.fields
        #expect(
          row.caps == [above + offset == 0 ? .top : [], above + offset == model.count - 1 ? .bottom : []], "\(note)")
        guard let gap = gaps.first(where: { UInt64($0.id.rawValue) == row.rowID }) else {
          #expect(fields.kind == .post, "\(note)")
          continue
        }
        let text = String(decoding: fields.text, as: UTF8.self)
        #expect(fields.isGapLost == gap.isLost && text.contains("no longer") == gap.isLost, "\(note)")
        #expect(fields.kind == .gap && fields.postID == 0 && fields.gapMissing == UInt32(gap.missing), "\(note)")
        #expect(
          fields.gapNewerMilliseconds == gap.newer.milliseconds
            && fields.gapOlderMilliseconds == gap.older.milliseconds, "\(note)")
      }
      #expect(pane.status.anchorRow == 0 || pane.rows.contains { $0.rowID == pane.status.anchorRow }, "\(note)")
    }
  }

  /// Creates sixty posts without the middle twenty, and a reader whose top line is in the gap.
  private func reading(line: Int, width: Int = 80) -> EngineHarness {
    var harness = EngineHarness()
    harness.hasSeenEverything()
    for id in Array(1...20) + Array(41...60) as [Int64] {
      harness.posts.append(EngineHarness.post(id, at: id, text: PlacesTests.text))
    }
    harness.store.gaps[EngineHarness.account] = [
      Gap(id: PostID(900), source: "elsewhere", newer: Self.instant(41), older: Self.instant(20), missing: 0)
    ]
    harness.open(1, layout: Self.layout(width))
    harness.scroll(1, to: 900, line: line)
    harness.pass(seconds: 1)
    return harness
  }

  /// Returns the screen line at which a row begins, from the place that the daemon reports.
  private func line(of row: UInt64, _ harness: EngineHarness) -> Int? {
    guard let pane = harness.mirrors[Self.view]?.panes[0] else { return nil }
    func top(_ row: UInt64) -> Int? {
      guard let index = pane.rows.firstIndex(where: { $0.rowID == row }) else { return nil }
      return pane.rows[..<index].reduce(0) { $0 + $1.height }
    }
    guard let first = top(pane.status.anchorRow), let found = top(row) else { return nil }
    return found - first - pane.status.anchorLine
  }

  private func fill(_ harness: inout EngineHarness, from older: Int64, to newer: Int64, _ posts: ClosedRange<Int64>?) {
    harness.commit { store in
      store.posts += (posts.map { Array($0) } ?? []).map { EngineHarness.post($0, at: $0, text: PlacesTests.text) }
      store.gaps[EngineHarness.account] = store.gaps[EngineHarness.account]!.noting(
        Self.note(.complete, from: older, to: newer)
      ) { PostID(901) }
    }
    harness.pass(seconds: 1)
  }

  @Test(
    "filling a gap at the top from either side or completely keeps the row below on its line",
    arguments: 0...2)
  func places(first: Int) throws {
    var harness = reading(line: first)
    let height = try #require(harness.mirrors[Self.view]?.panes[0].rows.first { $0.rowID == 900 }).height
    #expect(height == 3 && line(of: 20, harness) == height - first)
    fill(&harness, from: 20, to: 26, 21...25)
    #expect(line(of: 20, harness) == height - first, "filled from below")
    fill(&harness, from: 36, to: 41, 36...40)
    #expect(line(of: 20, harness) == height - first, "filled from above")
    let rows = harness.mirrors[Self.view]!.panes[0].rows.map(\.rowID)
    #expect(!rows.contains(900) || rows.firstIndex(of: 900)! < rows.firstIndex(of: 25)!)
    // The stored places match the reader's.
    harness.send(.viewClosed(Self.view))
    var restarted = harness.restarted()
    restarted.open(1, layout: Self.layout())
    #expect(line(of: 20, restarted) == height - first, "after a restart")
    fill(&restarted, from: 20, to: 41, 26...35)
    #expect(line(of: 20, restarted) == height - first && restarted.store.gaps[EngineHarness.account] == [], "filled")
    #expect(restarted.mirrors[Self.view]!.panes[0].status.rowCount == 60)
  }

  @Test("an empty fill removes the gap and the row below stays") func empty() {
    var harness = reading(line: 2)
    fill(&harness, from: 20, to: 41, nil)
    #expect(line(of: 20, harness) == 1)
    let pane = harness.mirrors[Self.view]!.panes[0]
    #expect(pane.status.rowCount == 40 && !pane.rows.contains { $0.content.fields.kind == .gap })
  }

  @Test("a removed row's place is never taken by a gap") func anchorGoes() {
    var harness = reading(line: 0)
    harness.scroll(1, to: 41, line: 3)
    harness.commit { $0.posts.removeAll { $0.id == PostID(41) } }
    harness.pass(seconds: 1)
    #expect(line(of: 900, harness) == 0, "the gap is shown in its place")
    fill(&harness, from: 20, to: 41, nil)
    #expect(line(of: 20, harness) == 3, "and the row below it is the anchor")
  }

  @Test("a gap shows its source, an approximate count, and its start and end") func words() throws {
    var harness = reading(line: 0)
    func gap() throws -> PlacedRow { try #require(harness.mirrors[Self.view]?.panes[0].rows.first { $0.rowID == 900 }) }
    #expect(String(decoding: try gap().content.fields.text, as: UTF8.self) == "Posts from elsewhere are missing here.")
    for (missing, words) in [
      (1, "About one post from elsewhere is missing here."), (120, "About 120 posts from elsewhere are missing here."),
    ] {
      harness.commit { $0.gaps[EngineHarness.account]![0].missing = missing }
      harness.pass(seconds: 1)
      #expect(String(decoding: try gap().content.fields.text, as: UTF8.self) == words)
    }
    let now = harness.now.milliseconds
    // The time is 8:00 on January 15, 2027.
    for (older, newer, label) in [
      (3_600, 60, "7:00\u{202f}AM – 7:59\u{202f}AM"), (90_000, 87_000, "Yesterday 7:00\u{202f}AM – 7:50\u{202f}AM"),
      (90_000, 60, "Yesterday 7:00\u{202f}AM – Today 7:59\u{202f}AM"),
    ] as [(Int64, Int64, String)] {
      harness.commit { store in
        store.gaps[EngineHarness.account]![0].older = Instant(milliseconds: (now / 60_000 * 60_000) - older * 1000)
        store.gaps[EngineHarness.account]![0].newer = Instant(milliseconds: (now / 60_000 * 60_000) - newer * 1000)
      }
      harness.scroll(1, to: 900)
      harness.pass(seconds: 1)
      let said = try gap().label.replacing(" ", with: "").replacing("\u{202f}", with: "")
      #expect(said == label.replacing(" ", with: "").replacing("\u{202f}", with: ""))
    }
  }

  @Test("gaps count neither as new nor as read") func unread() {
    var harness = reading(line: 0)
    harness.store.gaps[EngineHarness.account] = []
    harness.commit { store in
      store.posts += (61...63).map { EngineHarness.post($0, at: $0) }
      store.gaps[EngineHarness.account] = [
        Gap(id: PostID(902), source: "x", newer: Self.instant(62), older: Self.instant(61), missing: 9)
      ]
    }
    harness.pass(seconds: 1)
    let status = harness.mirrors[Self.view]!.panes[0].status
    #expect(status.newRows == 3 && status.rowCount == 44)
  }
}
