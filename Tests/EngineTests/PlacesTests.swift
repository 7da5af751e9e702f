import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Session places")
struct PlacesTests {
  static let text = Array(repeating: "lorem ipsum dolor sit amet", count: 20).joined(separator: " ")

  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...60).map { EngineHarness.post($0, text: Self.text) }
    return harness
  }

  private func layout(_ width: Int) -> LayoutParameters { EngineHarness.layout(width: width, singlePane: false) }

  /// Returns the bytes of the text in a line of a timeline row, as laid out for a view.
  private func bytes(_ harness: EngineHarness, _ id: UInt64, row: UInt64, line: Int) -> Range<Int>? {
    guard let row = harness.mirrors[ViewID(id)]?.panes[0].rows.first(where: { $0.rowID == row }) else { return nil }
    let ends = row.layout.lineEnds.map { Int($0) }
    return ends.indices ~= line - 1 ? (line == 1 ? 0 : ends[line - 2])..<ends[line - 1] : nil
  }

  // MARK: Anchors

  @Test("a joining view begins at the places and position of the view used last")
  func joins() {
    var harness = harness()
    harness.open(1, layout: layout(80))
    harness.command(1, .push(.author("1"), from: 0))
    harness.scroll(1, pane: 1, to: 30, line: 5)
    harness.scroll(1, pane: 2, to: 40, line: 2)
    harness.send(.stackMoved(RequestToken(2), ViewID(1), .slide(.right)))
    harness.open(2, layout: layout(80))
    #expect(harness.place(2, 1) == [30, 5] && harness.place(2, 2) == [40, 2])
    #expect(harness.mirrors[ViewID(2)]?.position == harness.mirrors[ViewID(1)]?.position)
    harness.scroll(2, pane: 1, to: 20)
    harness.open(3, layout: layout(80))
    #expect(harness.place(3, 1) == [20, 0] && harness.place(3, 2) == [40, 2], "now from the second")
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.anchorRow == 0, "whose move does not affect the first")
  }

  @Test("a view's own viewport overrides the session's; line mode neither uses nor sets places") func own() {
    var harness = harness()
    harness.open(1, layout: layout(80))
    harness.scroll(1, to: 30, line: 5)
    var viewport = ViewportParameters()
    viewport.anchorRow = 50
    harness.open(2, layout: layout(80), viewport: viewport)
    #expect(
      harness.mirrors[ViewID(2)]?.panes[0].status.anchorRow == 0
        && harness.mirrors[ViewID(2)]?.panes[0].rows.contains { $0.rowID == 50 } == true)
    harness.send(.viewClosed(ViewID(2)))
    harness.scroll(1, to: 30, line: 5)
    harness.open(3)
    #expect(harness.mirrors[ViewID(3)]?.panes[0].status.rowsAbove == 0 && harness.place(3, 1) == [0, 0])
    harness.scroll(3, to: 10)
    harness.open(4, layout: layout(80))
    #expect(harness.place(4, 1) == [30, 5])
  }

  @Test(
    "a joining view begins at the line with the same word; at the original width at the same line",
    arguments: [(80, 120), (120, 60), (60, 33), (33, 120)])
  func words(first: Int, second: Int) throws {
    var harness = harness()
    harness.open(1, layout: layout(first))
    for (row, line) in [(30, 5), (40, 1), (41, 9)] as [(UInt64, Int)] {
      harness.scroll(1, to: row, line: line)
      let word = try #require(bytes(harness, 1, row: row, line: line)).lowerBound
      harness.open(2, layout: layout(second))
      let place = harness.place(2, 1)
      #expect(place[0] == row)
      #expect(bytes(harness, 2, row: row, line: Int(place[1]))?.contains(word) == true)
      harness.send(.viewClosed(ViewID(2)))
      harness.open(3, layout: layout(first))
      #expect(harness.place(3, 1) == [row, UInt64(line)])
      harness.send(.viewClosed(ViewID(3)))
    }
  }

  @Test("popped panes come back where each view left them") func history() {
    var harness = harness()
    for id in 1...2 as ClosedRange<UInt64> { harness.open(id, layout: layout(80)) }
    harness.command(1, .push(.author("1"), from: 0))
    harness.command(2, .push(.author("2"), from: 0))
    harness.scroll(1, pane: 2, to: 30, line: 5)
    harness.scroll(2, pane: 2, to: 20, line: 3)
    harness.command(3, .dropAll)
    #expect(harness.mirrors[ViewID(1)]?.panes.count == 1)
    harness.command(4, .back)
    harness.command(5, .pop)
    #expect(harness.place(1, 2) == [30, 5] && harness.place(2, 2) == [20, 3])
    harness.command(6, .dropAll)
    harness.open(3, layout: layout(80))
    harness.command(7, .back)
    #expect(harness.place(3, 2) == [20, 3], "a view that never showed it begins where the last one looked")
  }

  @Test("a removed row's place goes to the next row") func gone() {
    var harness = harness()
    harness.open(1, layout: layout(80))
    harness.scroll(1, to: 30, line: 5)
    harness.send(.viewClosed(ViewID(1)))
    harness.posts.removeAll { $0.id == PostID(30) }
    var restarted = harness.restarted()
    restarted.open(1, layout: layout(80))
    #expect(restarted.place(1, 1) == [29, 0])
  }

  @Test("the first frame waits for a place far down a timeline") func deep() {
    var limits = EngineLimits()
    (limits.lists.firstSlice, limits.lists.laterSlice) = (8, 8)
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...60).map { EngineHarness.post($0, text: Self.text) }
    harness.open(1, layout: layout(80))
    harness.scroll(1, to: 9, line: 2)
    harness.send(.viewClosed(ViewID(1)))
    var restarted = harness.restarted(limits: limits)
    restarted.holdsLoads = true
    restarted.open(1, layout: layout(80))
    for _ in 0..<4 { restarted.answerLoads() }
    #expect(restarted.frames[ViewID(1)] == nil)
    for _ in 0..<10 { restarted.answerLoads() }
    #expect(restarted.frames[ViewID(1)]?.first?.reset == .first && restarted.place(1, 1) == [9, 2])
  }

  // MARK: Saving

  @Test("places are saved at most once a second, when the last view leaves, and when the daemon stops") func lazily() {
    var harness = harness()
    harness.open(1, layout: layout(80))
    harness.pass(seconds: 5)
    let before = harness.placesSaves
    for row in 20...40 as ClosedRange<UInt64> { harness.scroll(1, to: row) }
    #expect(harness.placesSaves == before)
    harness.pass(seconds: 1)
    #expect(harness.placesSaves == before + 1)
    harness.pass(seconds: 100)
    #expect(harness.placesSaves == before + 1, "nothing has changed")
    harness.scroll(1, to: 10)
    harness.send(.flush)
    #expect(harness.placesSaves == before + 2)
    harness.scroll(1, to: 11)
    harness.send(.viewClosed(ViewID(1)))
    #expect(harness.placesSaves == before + 3)
    #expect(harness.sessionRevisions.isEmpty, "the session itself has not changed")
  }

  @Test("new views see places being saved; changes meanwhile are saved next")
  func overlapping() {
    var harness = harness()
    harness.open(1, layout: layout(80))
    harness.scroll(1, to: 20)
    harness.holdsSaves = true
    harness.send(.viewClosed(ViewID(1)))
    harness.open(2, layout: layout(80))
    #expect(harness.place(2, 1) == [20, 0], "though the store may not have it yet")
    harness.scroll(2, to: 30)
    harness.send(.viewClosed(ViewID(2)))
    let saves = harness.placesSaves
    harness.answerSaves()
    #expect(harness.placesSaves == saves + 1, "one at a time")
    harness.answerSaves()
    var restarted = harness.restarted()
    restarted.open(1, layout: layout(80))
    #expect(restarted.place(1, 1) == [30, 0])
  }

  @Test("a failed save of places affects no session") func failing() {
    var harness = harness()
    harness.savingFails = EngineError(.resourceExhausted, "the disk is full")
    harness.open(1, layout: layout(80))
    harness.scroll(1, to: 20)
    harness.pass(seconds: 10)
    harness.send(.viewClosed(ViewID(1)))
    harness.savingFails = nil
    harness.send(.flush)
    var restarted = harness.restarted()
    restarted.open(1, layout: layout(80))
    #expect(restarted.place(1, 1) == [20, 0] && harness.ended.isEmpty)
  }

  @Test("many sessions are saved a few per second, and all in the end") func many() {
    var limits = EngineLimits()
    limits.sessions.placesAtOnce = 3
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...60).map { EngineHarness.post($0) }
    for id in 1...10 as ClosedRange<UInt64> { harness.open(id, layout: layout(80), session: "session \(id)") }
    harness.pass(seconds: 10)
    let before = harness.placesSaves
    for id in 1...10 as ClosedRange<UInt64> { harness.scroll(id, to: 20) }
    harness.pass(seconds: 1)
    #expect(harness.placesSaves == before + 3)
    harness.pass(seconds: 3)
    #expect(harness.placesSaves == before + 10 && harness.savedPlaces.count == 10)
  }

  // MARK: Reading positions

  private func reading(_ harness: EngineHarness, _ id: UInt64) -> [UInt64] {
    let status = harness.mirrors[ViewID(id)]?.panes[0].status
    return [status?.readingRow ?? 0, UInt64(status?.readingLine ?? 0)]
  }

  @Test("reading moves a section's reading position forward, and no view moves it back")
  func reads() {
    var harness = harness()
    harness.command(1, .read(.timeline, row: 10, line: 0))
    harness.open(1, layout: layout(80))
    #expect(reading(harness, 1) == [60, 0], "it shows the newest row")
    harness.scroll(1, to: 20)
    #expect(reading(harness, 1) == [60, 0])
    harness.commit(new: [EngineHarness.post(61, text: Self.text)])
    harness.pass(seconds: 1)
    #expect(reading(harness, 1) == [60, 0], "rows waiting above are not read")
    harness.scroll(1, to: 61, line: 7)
    #expect(reading(harness, 1) == [61, 7])
    harness.scroll(1, to: 61, line: 2)
    #expect(reading(harness, 1) == [61, 2])
    harness.scroll(1, to: 61, line: 4)
    #expect(reading(harness, 1) == [61, 2])
    harness.scroll(1, to: 0)
    harness.commit(new: [EngineHarness.post(62, text: Self.text)])
    harness.pass(seconds: 1)
    #expect(reading(harness, 1) == [62, 0], "a view at the top reads new posts")
  }

  @Test("every view of the session shows the reading position; line mode and covered panes do not move it")
  func shared() {
    var harness = harness()
    harness.command(1, .open(.mentions))
    harness.command(2, .read(.mentions, row: 9, line: 0))
    harness.open(1)
    #expect(reading(harness, 1) == [9, 0])
    harness.open(2, layout: layout(80))
    harness.pass(seconds: 1)
    #expect(reading(harness, 1) == [60, 0] || reading(harness, 1) == [9, 0])
    harness.command(3, .push(.author("1"), from: 0))
    harness.scroll(2, pane: 1, to: 12)
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes.count == 2)
  }

  @Test("a section that is opened again begins at its reading position") func again() {
    var harness = harness()
    harness.open(1, layout: layout(80))
    harness.command(1, .open(.mentions))
    harness.commit(new: (61...70).map { EngineHarness.post($0, text: Self.text) })
    harness.command(2, .open(.timeline))
    #expect(harness.place(1, 3) == [60, 0], "with ten new ones above")
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.rowsAbove != 0)
    harness.open(2, layout: layout(80))
    #expect(harness.place(2, 3) == [60, 0])
    harness.open(3)
    #expect(harness.mirrors[ViewID(3)]?.panes[0].rows.first?.rowID == 70, "line mode begins at the newest")
  }

  @Test("a reading position takes effect once stored; earlier and stale ones are refused")
  func notes() throws {
    var harness = harness()
    harness.command(1, .read(.timeline, row: 20, line: 3))
    let first = try #require(harness.stackRevisions[RequestToken(1)])
    #expect(harness.savedPlaces.count == 1 && harness.savedSessions.values.allSatisfy(\.isEmpty))
    harness.command(2, .read(.timeline, row: 19, line: 0))
    harness.command(3, .read(.timeline, row: 20, line: 4))
    harness.command(4, .read(.timeline, row: 99, line: 0))
    harness.command(5, .read(.search, row: 20, line: 0))
    let codes = (2...5 as ClosedRange<UInt64>).map { harness.refusals[RequestToken($0)]?.code }
    #expect(codes == [.failedPrecondition, .failedPrecondition, .notFound, .invalidArgument])
    harness.command(6, .read(.timeline, row: 20, line: 1), ifRevision: first)
    let second = try #require(harness.stackRevisions[RequestToken(6)])
    harness.command(7, .read(.timeline, row: 30, line: 0), ifRevision: first)
    #expect(harness.refusals[RequestToken(7)]?.code == .aborted)
    harness.command(8, .read(.mentions, row: 30, line: 0), ifRevision: first)
    #expect(harness.refusals[RequestToken(8)] == nil, "each section has its own position")
    harness.command(9, .read(.timeline, row: 30, line: 0), ifRevision: second)
    #expect(harness.refusals[RequestToken(9)] == nil)
    var restarted = harness.restarted()
    restarted.command(1, .read(.timeline, row: 40, line: 0), ifRevision: second)
    #expect(restarted.refusals[RequestToken(1)]?.code == .aborted)
    let third = try #require(harness.stackRevisions[RequestToken(9)])
    restarted.command(2, .read(.timeline, row: 40, line: 0), ifRevision: third)
    #expect(restarted.refusals[RequestToken(2)] == nil)
    restarted.command(3, .read(.timeline, row: 50, line: 0), ifRevision: 1 << 40)
    #expect(restarted.refusals[RequestToken(3)]?.code == .aborted)
  }

  @Test("a reading position must be at a row of its section, loaded or not") func elsewhere() {
    var harness = harness()
    // Every third of these is a mention.
    harness.command(1, .read(.mentions, row: 20, line: 0))
    #expect(harness.refusals[RequestToken(1)]?.code == .notFound, "in a section that is not loaded")
    harness.command(3, .read(.mentions, row: 21, line: 0))
    #expect(harness.refusals[RequestToken(3)] == nil)
    harness.command(4, .open(.mentions))
    harness.open(9, layout: layout(80))
    harness.command(5, .read(.mentions, row: 25, line: 0))
    #expect(harness.refusals[RequestToken(5)]?.code == .notFound, "in one that is")
    harness.command(6, .read(.mentions, row: 60, line: 0))
    #expect(harness.refusals[RequestToken(6)] == nil)
  }

  @Test("a line beyond a row's end is its last line, also after a restart") func below() throws {
    var harness = harness()
    harness.command(1, .read(.mentions, row: 21, line: Int(UInt32.max)))
    #expect(harness.refusals[RequestToken(1)] == nil)
    for harness in [harness, harness.restarted()] {
      var harness = harness
      harness.open(1, layout: layout(80))
      harness.command(2, .open(.mentions))
      let pane = try #require(harness.mirrors[ViewID(1)]?.panes.first)
      let height = try #require(pane.rows.first { $0.rowID == 21 }).layout.height
      #expect(pane.status.readingRow == 21 && pane.status.readingLine == height - 1)
    }
  }

  @Test("reading in a view makes a write stale, before and after it is saved") func stale() throws {
    var harness = harness()
    harness.command(1, .read(.timeline, row: 10, line: 0))
    let revision = try #require(harness.stackRevisions[RequestToken(1)])
    harness.open(1, layout: layout(80))
    harness.command(2, .read(.timeline, row: 60, line: 0), ifRevision: revision)
    #expect(harness.refusals[RequestToken(2)]?.code == .aborted)
    harness.pass(seconds: 1)
    harness.command(3, .read(.timeline, row: 60, line: 0), ifRevision: revision)
    #expect(harness.refusals[RequestToken(3)]?.code == .aborted)
  }

  @Test("a reading position that could not be stored has no effect") func unstored() {
    var harness = harness()
    harness.command(1, .read(.timeline, row: 10, line: 0))
    harness.savingFails = EngineError(.resourceExhausted, "the disk is full")
    harness.command(2, .read(.timeline, row: 20, line: 0))
    harness.savingFails = nil
    #expect(harness.refusals[RequestToken(2)]?.code == .resourceExhausted)
    harness.command(3, .read(.timeline, row: 15, line: 0))
    #expect(harness.refusals[RequestToken(3)] == nil)
  }

  @Test("a repeated request sets the reading position once") func idempotent() {
    var harness = harness()
    harness.command(1, .read(.timeline, row: 20, line: 0), requestID: "a")
    let saves = harness.placesSaves
    harness.command(2, .read(.timeline, row: 20, line: 0), requestID: "a")
    #expect(
      harness.placesSaves == saves && harness.stackRevisions[RequestToken(1)] == harness.stackRevisions[RequestToken(2)]
    )
  }
}
