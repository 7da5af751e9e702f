import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Resuming a view")
struct ResumeTests {
  /// Returns a restarted daemon with the same store.
  private func restarted(_ harness: EngineHarness, epoch: UInt64 = 7) -> EngineHarness {
    var next = EngineHarness()
    next.engine = StackEngine(epoch: epoch, revision: harness.revision)
    next.store = harness.store
    next.savedSessions = harness.savedSessions
    next.revision = harness.revision
    next.now = harness.now
    return next
  }

  private func viewport(_ row: UInt64, line: Int = 0) -> ViewportParameters {
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.line, viewport.generation) = (row, line, 1)
    return viewport
  }

  /// Opens view 2 with what view 1 holds, and view 3 from nothing, and checks that both then hold the same.
  private func resume(
    _ harness: inout EngineHarness, _ mirror: ViewSnapshot, layout: LayoutParameters = EngineHarness.layout(),
    viewport: ViewportParameters? = nil, _ note: String = ""
  ) throws -> Frame {
    harness.mirrors[ViewID(2)] = mirror
    harness.frames = [:]
    harness.open(2, layout: layout, viewport: viewport, resume: mirror.resume)
    harness.open(3, layout: layout, viewport: viewport)
    let (resumed, fresh) = (try #require(harness.mirrors[ViewID(2)]), try #require(harness.mirrors[ViewID(3)]))
    #expect(resumed.panes == fresh.panes && resumed.paneFrames == fresh.paneFrames, "\(note)")
    #expect(resumed.revision == fresh.revision && resumed.layoutKey == fresh.layoutKey, "\(note)")
    return try #require(harness.frames[ViewID(2)]?.first)
  }

  private func rows(_ frame: Frame) -> Int {
    frame.operations.reduce(0) { count, operation in
      switch operation {
      case .rowsInserted(_, _, let rows): count + rows.count
      case .rowsChanged(_, let changes): count + changes.count { $0.row != nil }
      default: count
      }
    }
  }

  @Test("without changes no row is sent, even after a daemon restart", arguments: [false, true])
  func nothing(restarts: Bool) throws {
    var harness = EngineHarness()
    harness.posts = (1...500).map { EngineHarness.post($0) }
    harness.open(1, viewport: viewport(300))
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness.send(.viewClosed(ViewID(1)))
    if restarts { harness = restarted(harness) }
    let frame = try resume(&harness, mirror, viewport: viewport(300))
    #expect(frame.reset == nil && frame.number == 1 && frame.baseRevision == mirror.revision)
    #expect(rows(frame) == 0)
  }

  @Test("only changes are sent: a new post, an edit, a removed post")
  func changes() throws {
    var harness = EngineHarness()
    harness.posts = (1...500).map { EngineHarness.post($0) }
    harness.open(1)
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness.send(.viewClosed(ViewID(1)))
    var gone = EngineHarness.post(497, visibility: .direct, owner: AccountID(2))
    gone.body = PackedBody(PostBody(text: SafeText("x"), visibility: .direct))
    harness.commit(new: [EngineHarness.post(501)], changed: [EngineHarness.post(498, text: "edited"), gone])
    let frame = try resume(&harness, mirror)
    #expect(frame.reset == nil && rows(frame) <= 3, "one new, one edited, one that moved into the window")
  }

  @Test(
    "an hour of changes while away costs at most a window, and less if rows are left of it",
    arguments: seeds(0..<40 as Range<UInt64>))
  func away(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var harness = EngineHarness()
    harness.posts = (1...200).map { EngineHarness.post($0) }
    // Nothing is new: otherwise one view's counts would be seen by the next.
    harness.hasSeenEverything()
    let anchor = viewport(.random(in: 1...200, using: &random))
    harness.command(1, .pushConversation(reference: "17", from: 0))
    let layout = EngineHarness.layout(width: 140, height: 20, singlePane: seed % 2 == 0)
    harness.open(1, layout: layout, viewport: anchor)
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness.send(.viewClosed(ViewID(1)))
    for step in 0..<Int.random(in: 0...20, using: &random) {
      harness.now = harness.now.adding(milliseconds: .random(in: 0...400_000, using: &random))
      switch Int.random(in: 0...5, using: &random) {
      case 0: harness.commit(new: [EngineHarness.post(Int64(1000 + step), inReplyTo: 17)])
      case 1:
        harness.commit(changed: [EngineHarness.post(.random(in: 1...200, using: &random), text: "edited \(step)")])
      case 2:
        harness.commit(changed: [
          EngineHarness.post(.random(in: 1...200, using: &random), visibility: .direct, owner: AccountID(9))
        ])
      case 3:
        harness.command(
          UInt64(step + 5), .pushConversation(reference: "\(Int.random(in: 20...30, using: &random))", from: 1))
      case 4: harness.command(UInt64(step + 5), .pop)
      default: harness = restarted(harness)
      }
    }
    let frame = try resume(&harness, mirror, layout: layout, viewport: anchor, "seed \(seed)")
    let whole = try #require(harness.frames[ViewID(3)]?.first)
    #expect(frame.reset == nil || frame.reset == .cheaper, "seed \(seed)")
    #expect(frame.body.encoded!.count <= max(whole.body.encoded!.count, 256), "seed \(seed)")
  }

  @Test("a view whose row is gone is placed at the next row that its client held, or at the beginning")
  func rowGone() throws {
    var harness = EngineHarness()
    harness.posts = (1...500).map { EngineHarness.post($0) }
    harness.open(1, viewport: viewport(300))
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness.send(.viewClosed(ViewID(1)))
    harness.commit(changed: [EngineHarness.post(300, visibility: .direct, owner: AccountID(2))])
    harness.mirrors[ViewID(2)] = mirror
    harness.open(2, viewport: viewport(300), resume: mirror.resume)
    #expect(harness.place(2, 1) == [299, 0])
    harness.open(3, viewport: viewport(300))
    #expect(harness.place(3, 1) == [500, 0])
    harness.scroll(3, to: 250)
    #expect(harness.place(3, 1) == [0, 0], "it is where its client put it")
    harness.scroll(3, to: 77_777)
    #expect(harness.place(3, 1) == [500, 0])
    harness.commit(new: [EngineHarness.post(501)])
    #expect(harness.place(3, 1) == [500, 0], "it stays at its row")
  }

  @Test("a reset has a reason") func reasons() throws {
    var harness = EngineHarness()
    harness.posts = (1...500).map { EngineHarness.post($0) }
    harness.open(1)
    let mirror = try #require(harness.mirrors[ViewID(1)])
    var other = restarted(harness, epoch: 8)
    #expect(try resume(&other, mirror).reset == .epoch)
    var ahead = mirror
    ahead.revision += 100
    #expect(try resume(&harness, ahead).reset == .future)
    #expect(try resume(&harness, mirror, layout: EngineHarness.layout(width: 40)).reset == .layout)
    #expect(
      try resume(&harness, mirror, viewport: viewport(100)).reset == .cheaper, "no row of it is left in the window")
  }

  @Test("if the top row is gone, the next held row takes its place") func anchor() throws {
    var harness = EngineHarness()
    harness.posts = (1...500).map { EngineHarness.post($0) }
    harness.open(1, viewport: viewport(300))
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness.posts.removeAll { $0.id == PostID(300) }
    harness.revision += 1
    harness = restarted(harness)
    harness.mirrors[ViewID(2)] = mirror
    harness.open(2, viewport: viewport(300), resume: mirror.resume)
    let frame = try #require(harness.frames[ViewID(2)]?.first)
    #expect(frame.reset == nil && rows(frame) <= 1)
    #expect(harness.mirrors[ViewID(2)]!.panes[0].rows.contains { $0.rowID == 299 })
  }

  @Test("after a restart the view waits for a place far down") func deep() throws {
    var harness = EngineHarness()
    harness.posts = (1...3000).map { EngineHarness.post($0) }
    harness.open(1, viewport: viewport(40))
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness = restarted(harness)
    harness.holdsLoads = true
    harness.mirrors[ViewID(2)] = mirror
    harness.open(2, viewport: viewport(40), resume: mirror.resume)
    var rounds = 0
    while harness.frames[ViewID(2)] == nil {
      rounds += 1
      try #require(rounds < 10)
      harness.answerLoads()
    }
    #expect(rounds > 2, "the row is not in the first slice")
    #expect(harness.frames[ViewID(2)]!.first!.reset == nil)
    #expect(harness.mirrors[ViewID(2)]!.panes[0].rows.contains { $0.rowID == 40 })
  }

  @Test("a client gets a frame whatever it claims to hold", arguments: seeds(0..<100 as Range<UInt64>))
  func nonsense(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var harness = EngineHarness()
    harness.posts = (1...60).map { EngineHarness.post($0) }
    harness.open(1)
    let truth = try #require(harness.mirrors[ViewID(1)]?.resume)
    var claim = truth
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0...6, using: &random) {
      case 0: claim.panes.append(claim.panes[0])
      case 1: claim.panes[0].rows.append(contentsOf: claim.panes[0].rows)
      case 2: claim.panes[0].rows.shuffle(using: &random)
      case 3: claim.panes[0].rows = (0..<UInt64(300)).map { Resume.HeldRow(rowID: $0, fingerprint: $0, caps: []) }
      case 4: claim.panes[0].paneID = .random(in: 0...3, using: &random)
      case 5: claim.labelsAtMilliseconds = Bool.random(using: &random) ? .min : .max
      default: claim.panes = []
      }
      if claim.panes.isEmpty { break }
    }
    harness.unmirrored = [ViewID(2)]
    harness.open(2, acknowledges: false, resume: claim)
    #expect(harness.frames[ViewID(2)]?.count == 1, "seed \(seed)")
  }
}
