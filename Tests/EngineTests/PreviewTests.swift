import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Previews beside the stack")
struct PreviewTests {
  private static let view = ViewID(1)

  /// A conversation of posts 1, 2 and 3, and posts beside it.
  private static let posts: [StoredPost] = [
    EngineHarness.post(1), EngineHarness.post(2, inReplyTo: 1), EngineHarness.post(3, inReplyTo: 2),
    EngineHarness.post(4), EngineHarness.post(5),
  ]

  private func harness(width: Int = 160) -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = Self.posts
    harness.open(1, layout: EngineHarness.layout(width: width, singlePane: false))
    return harness
  }

  private func preview(_ harness: EngineHarness, view: UInt64 = 1) -> Pane? {
    harness.mirrors[ViewID(view)]?.panes.last.flatMap { $0.header.isPreview ? $0 : nil }
  }

  /// Returns the left edge and the width of a preview.
  private func place(_ harness: EngineHarness, view: UInt64 = 1) -> [Int]? {
    guard let pane = preview(harness, view: view) else { return nil }
    return harness.mirrors[ViewID(view)]?.paneFrames.last.flatMap { frame in
      frame.paneID == pane.header.paneID ? [frame.x, frame.width] : nil
    }
  }

  @Test("it stands two cells beside the topmost pane, and takes up to 80 of what is free")
  func widths() {
    let vectors: [(width: Int, panes: Int, place: [Int]?)] = [
      (80, 1, nil), (120, 1, nil), (139, 1, nil), (140, 1, [82, 58]), (150, 1, [82, 68]), (160, 1, [82, 78]),
      (162, 1, [82, 80]), (200, 1, [82, 80]), (140, 2, nil), (197, 2, nil), (198, 2, [140, 58]), (200, 2, [140, 60]),
      (220, 2, [140, 80]), (200, 3, nil), (256, 3, [198, 58]),
    ]
    for vector in vectors {
      var harness = harness(width: vector.width)
      if vector.panes > 1 { harness.command(1, .push(.conversation("4"), from: 0)) }
      if vector.panes > 2 { harness.command(2, .push(.conversation("5"), from: 0)) }
      harness.send(.previewChosen(Self.view, PostID(2)))
      #expect(place(harness) == vector.place, "\(vector)")
    }
  }

  @Test("it shows the conversation, live, in this view only") func live() throws {
    var harness = harness()
    harness.open(2, layout: EngineHarness.layout(width: 160, singlePane: false))
    harness.send(.previewChosen(Self.view, PostID(2)))
    let pane = try #require(preview(harness))
    #expect(pane.rows.map(\.rowID) == [1, 2, 3] && pane.header.subject == 2)
    #expect(pane.header.paneID == UInt64(1) << 63 | 2)
    #expect(preview(harness, view: 2) == nil)
    harness.commit(new: [EngineHarness.post(6, inReplyTo: 2)])
    harness.pass(seconds: 1)
    #expect(preview(harness)?.rows.map(\.rowID) == [1, 2, 3, 6])
    #expect(harness.savedSessions.values.joined().isEmpty, "nothing of it is stored")
  }

  @Test("it is no pane: commands do not find it, and no state of the history has it") func noPane() {
    var harness = harness()
    harness.send(.previewChosen(Self.view, PostID(2)))
    let id: UInt64 = 1 << 63 | 2
    harness.command(1, .push(.conversation("4"), from: id))
    harness.command(2, .select(pane: id, row: 2))
    harness.send(.stackMoved(RequestToken(3), Self.view, .reveal(pane: id)))
    #expect((1...3).allSatisfy { harness.refusals[RequestToken($0)]?.code == .notFound })
    harness.command(4, .push(.conversation("4"), from: 0))
    harness.command(5, .pop)
    let saved = harness.savedSessions.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(saved.allSatisfy { !$0.contains("conversation 2") })
  }

  @Test("another post replaces it, none removes it, and covered or narrow it costs nothing") func choosing() throws {
    var harness = harness()
    harness.send(.previewChosen(Self.view, PostID(2)))
    harness.send(.previewChosen(Self.view, PostID(4)))
    #expect(preview(harness)?.rows.map(\.rowID) == [4])
    harness.send(.previewChosen(Self.view, nil))
    #expect(preview(harness) == nil && harness.mirrors[Self.view]?.paneFrames.count == 1)
    harness.send(.layoutChanged(Self.view, EngineHarness.layout(width: 120, singlePane: false), .utc))
    harness.send(.previewChosen(Self.view, PostID(2)))
    harness.pass(seconds: 2)
    let (sent, gathered) = (harness.frames[Self.view]?.count, harness.engine.gatheredPanes)
    harness.hasSeenEverything()
    harness.commit { $0.posts.append(EngineHarness.post(7, visibility: .direct, owner: AccountID(2))) }
    harness.pass(seconds: 1)
    #expect(harness.frames[Self.view]?.count == sent && harness.engine.gatheredPanes == gathered)
    harness.send(.layoutChanged(Self.view, EngineHarness.layout(width: 160, singlePane: false), .utc))
    #expect(preview(harness)?.rows.map(\.rowID) == [1, 2, 3])
  }

  @Test("what the topmost pane shows is not previewed beside it") func same() {
    var harness = harness(width: 220)
    harness.send(.previewChosen(Self.view, PostID(2)))
    #expect(preview(harness) != nil)
    harness.command(1, .push(.conversation("2"), from: 0))
    #expect(preview(harness) == nil && harness.mirrors[Self.view]?.panes.count == 2)
    harness.command(2, .pop)
    #expect(preview(harness)?.rows.map(\.rowID) == [1, 2, 3])
  }

  @Test("while the next conversation is read, the former stays: no frame is without a preview") func loading() {
    var harness = harness()
    harness.send(.previewChosen(Self.view, PostID(2)))
    harness.holdsLoads = true
    harness.send(.previewChosen(Self.view, PostID(4)))
    harness.pass(seconds: 1)
    #expect(preview(harness)?.rows.map(\.rowID) == [1, 2, 3])
    harness.holdsLoads = false
    harness.answerLoads()
    harness.pass(seconds: 1)
    #expect(preview(harness)?.rows.map(\.rowID) == [4])
  }

  @Test("it goes with its post, and shows nothing of what the account may not see") func gone() {
    var harness = harness()
    harness.posts.append(EngineHarness.post(9, visibility: .direct, owner: AccountID(2)))
    harness.send(.previewChosen(Self.view, PostID(9)))
    #expect(preview(harness) == nil)
    harness.send(.previewChosen(Self.view, PostID(4)))
    #expect(preview(harness)?.rows.map(\.rowID) == [4])
    harness.commit { $0.posts.removeAll { $0.id == PostID(4) } }
    harness.pass(seconds: 1)
    #expect(preview(harness) == nil && harness.ended.isEmpty)
    harness.send(.previewChosen(Self.view, PostID(4711)))
    #expect(preview(harness) == nil && harness.ended.isEmpty)
  }

  @Test("it can be scrolled, and keeps its place in another width") func scrolling() throws {
    var harness = harness()
    harness.posts += (10...60).map { EngineHarness.post($0, text: String(repeating: "word ", count: 30), inReplyTo: 2) }
    let id: UInt64 = 1 << 63 | 2
    harness.send(.previewChosen(Self.view, PostID(2)))
    harness.scroll(1, pane: id, to: 30, line: 2)
    let place = try #require(preview(harness))
    #expect(place.rows.contains { $0.rowID == 30 } && place.status.rowsAbove > 0)
    harness.send(.layoutChanged(Self.view, EngineHarness.layout(width: 141, singlePane: false), .utc))
    #expect(preview(harness)?.rows.contains { $0.rowID == 30 } == true)
    harness.send(.previewChosen(Self.view, PostID(4)))
    harness.send(.previewChosen(Self.view, PostID(2)))
    #expect(preview(harness)?.status.rowsAbove == 0, "a preview begins at its top")
  }

  @Test("at most 16 conversations of a session are previewed") func limit() {
    var harness = EngineHarness()
    harness.posts = (1...20).map { EngineHarness.post($0) }
    for view in 1...20 as ClosedRange<UInt64> {
      harness.open(view, layout: EngineHarness.layout(width: 160, singlePane: false))
      harness.send(.previewChosen(ViewID(view), PostID(Int64(view))))
    }
    let shown = (1...20 as ClosedRange<UInt64>).filter { preview(harness, view: $0) != nil }
    #expect(shown == Array(1...16))
    harness.send(.viewClosed(ViewID(3)))
    harness.send(.previewChosen(ViewID(20), PostID(1)))
    #expect(preview(harness, view: 20)?.rows.map(\.rowID) == [1])
  }

  @Test("a view that resumes has none until it is chosen, and its client drops the one it holds") func resuming() throws
  {
    var harness = harness()
    harness.send(.previewChosen(Self.view, PostID(2)))
    let held = try #require(harness.mirrors[Self.view])
    harness.send(.viewClosed(Self.view))
    harness.mirrors[ViewID(2)] = held
    harness.open(2, layout: EngineHarness.layout(width: 160, singlePane: false), resume: held.resume)
    #expect(harness.mirrors[ViewID(2)]?.panes.map(\.header.paneID) == [1])
    #expect(harness.mirrors[ViewID(2)]?.paneFrames.count == 1)
  }

  @Test(
    "whatever happens, a preview shows its conversation as the store has it", arguments: seeds(0..<40 as Range<UInt64>))
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var harness = EngineHarness()
    harness.posts = Self.posts
    var chosen: [UInt64: PostID?] = [:]
    for view in 1...3 as ClosedRange<UInt64> {
      harness.open(view, layout: EngineHarness.layout(width: 160, singlePane: false))
    }
    for step in 0..<60 {
      harness.holdsLoads = Int.random(in: 0..<4, using: &random) == 0
      if !harness.holdsLoads { harness.answerLoads() }
      let view = UInt64.random(in: 1...3, using: &random)
      let post = harness.posts.randomElement(using: &random)?.id
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        chosen[view] = .some(post)
        harness.send(.previewChosen(ViewID(view), post))
      case 2:
        chosen[view] = .some(nil)
        harness.send(.previewChosen(ViewID(view), nil))
      case 3:
        let parent = harness.posts.randomElement(using: &random)?.id.rawValue
        harness.commit(new: [EngineHarness.post(Int64(100 + step), inReplyTo: parent)])
      case 4:
        guard let post, harness.posts.count > 3 else { continue }
        for (view, other) in chosen where other == .some(post) { chosen[view] = .some(nil) }
        harness.commit { $0.posts.removeAll { $0.id == post } }
      case 5:
        let width = [100, 140, 160, 200].randomElement(using: &random) ?? 160
        harness.send(.layoutChanged(ViewID(view), EngineHarness.layout(width: width, singlePane: false), .utc))
      case 6: if let post { harness.command(UInt64(step + 1), .push(.conversation("\(post.rawValue)"), from: 0)) }
      default: harness.command(UInt64(step + 1), .pop)
      }
    }
    harness.holdsLoads = false
    for _ in 0..<20 { harness.answerLoads() }
    harness.pass(seconds: 5)
    for view in 1...3 as ClosedRange<UInt64> {
      let pane = preview(harness, view: view)
      let post = chosen[view] ?? nil
      #expect(pane == nil || pane?.header.subject == post.map { UInt64($0.rawValue) }, "seed \(seed), view \(view)")
      guard let pane, let post else { continue }
      let rows = harness.store.tree(around: post, for: EngineHarness.account).map { UInt64($0.post.id.rawValue) }
      #expect(pane.rows.map(\.rowID) == Array(rows.dropFirst(pane.status.rowsAbove).prefix(pane.rows.count)), "\(seed)")
      #expect(pane.status.rowCount == rows.count && !pane.status.isLoading, "seed \(seed)")
    }
  }
}
