import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Session invariants under random operations")
struct SessionLawTests {
  private static let key = SessionKey(account: EngineHarness.account, name: "")

  /// An engine under random operations, and the options of its views.
  private struct World {
    var harness: EngineHarness
    var random: SeededGenerator
    var layouts: [UInt64: LayoutParameters] = [:]
    var token: UInt64 = 0
    var nextPost: Int64 = 41
    /// True if posts arrive.
    var isBusy = true

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      var limits = EngineLimits()
      (limits.lists.chunkCapacity, limits.lists.firstSlice, limits.lists.laterSlice, limits.sessions.panes) = (
        4, 10, 7, 6
      )
      harness = EngineHarness(limits: limits)
      harness.posts = (1...40).map { Self.post($0, &random) }
    }

    private static func post(_ id: Int64, _ random: inout SeededGenerator) -> StoredPost {
      EngineHarness.post(
        id, text: Array(repeating: "word", count: .random(in: 1...90, using: &random)).joined(separator: " "),
        inReplyTo: id > 5 && Bool.random(using: &random) ? .random(in: 1..<id, using: &random) : nil)
    }

    var saved: PaneStack {
      harness.savedSessions[SessionLawTests.key].flatMap { PaneStack(decoding: $0) } ?? PaneStack()
    }

    /// The saved reading position of the timeline.
    var read: Int64 {
      let places = String(decoding: harness.savedPlaces[SessionLawTests.key] ?? [], as: UTF8.self)
      let line = places.split(separator: "\n").first { $0.hasPrefix("reading timeline ") }
      return line.flatMap { Int64($0.split(separator: " ")[4]) } ?? 0
    }

    mutating func layout() -> LayoutParameters {
      EngineHarness.layout(
        width: .random(in: 10...260, using: &random), height: .random(in: 3...40, using: &random),
        singlePane: Int.random(in: 0...5, using: &random) == 0)
    }

    mutating func step() {
      token += 1
      let view = UInt64.random(in: 1...3, using: &random)
      let pane = saved.panes.randomElement(using: &random)!.id
      let row = harness.posts.randomElement(using: &random)!.id.rawValue
      switch Int.random(in: 0...24, using: &random) {
      case 0, 1:
        let layout = layout()
        layouts[view] = layout
        harness.mirrors[ViewID(view)] = nil
        harness.open(view, layout: layout, acknowledges: Bool.random(using: &random))
      case 2:
        layouts[view] = nil
        harness.send(.viewClosed(ViewID(view)))
        harness.mirrors[ViewID(view)] = nil
      case 3, 4:
        guard layouts[view] != nil else { return }
        let layout = layout()
        layouts[view] = layout
        harness.send(.layoutChanged(ViewID(view), layout, .utc))
      case 5...8: harness.scroll(view, pane: pane, to: UInt64(row), line: .random(in: 0...6, using: &random))
      case 9:
        harness.send(
          .stackMoved(RequestToken(token), ViewID(view), .slide(Bool.random(using: &random) ? .left : .right)))
      case 10: harness.send(.stackMoved(RequestToken(token), ViewID(view), .reveal(pane: pane)))
      case 11:
        let x = Int.random(in: -50...300, using: &random)
        harness.send(.stackMoved(RequestToken(token), ViewID(view), .drag(pane: pane, x: x, direction: .left)))
      case 12, 13: harness.command(token, .push(.conversation("\(row)"), from: pane))
      case 14: harness.command(token, .push(.author("1"), from: 0, width: .random(in: 0...90, using: &random)))
      case 15: harness.command(token, .pop)
      case 16: harness.command(token, .popTo(pane))
      case 17: harness.command(token, .replace(pane, with: .author("1")))
      case 18: harness.command(token, [.dropAll, .open(.timeline), .open(.mentions)].randomElement(using: &random)!)
      case 19, 20: harness.command(token, Bool.random(using: &random) ? .back : .forward)
      case 21: harness.command(token, .select(pane: pane, row: UInt64(row)))
      case 22: harness.command(token, .resize(pane: pane, width: .random(in: 0...120, using: &random)))
      case 23:
        guard isBusy else { return }
        harness.commit(new: [Self.post(nextPost, &random)])
        nextPost += 1
      default:
        harness.savingFails = Bool.random(using: &random) ? nil : EngineError(.resourceExhausted, "the disk is full")
        harness.pass(seconds: .random(in: 0...2, using: &random))
      }
    }

    /// Lets everything under way end.
    mutating func rest() {
      harness.holdsLoads = false
      harness.holdsSaves = false
      harness.savingFails = nil
      for _ in 0..<200 {
        harness.answerLoads()
        harness.answerSaves()
      }
      harness.pass(seconds: 5)
      harness.send(.flush)
    }
  }

  /// Checks that a view shows the saved stack at the positions of its geometry.
  private func check(_ world: World, _ id: UInt64, _ layout: LayoutParameters, _ note: Comment) {
    guard let view = world.harness.mirrors[ViewID(id)] else { return }
    let stack = world.saved
    let geometry = PaneGeometry(layout, wanted: stack.panes.map(\.wantedWidth))
    #expect(view.panes.map(\.header.paneID) == stack.panes.map(\.id), note)
    guard view.panes.count == stack.panes.count else { return }
    #expect(geometry.positions.contains(Int(view.position)), note)
    #expect(view.paneFrames.map(\.x) == geometry.lefts(at: Int(view.position)), note)
    #expect(view.paneFrames.map(\.width) == geometry.widths, note)
    for (index, isSeen) in geometry.visible(at: Int(view.position)).enumerated() {
      let pane = view.panes[index]
      #expect(isSeen ? pane.status.rowCount > 0 : pane.rows.isEmpty && pane.status == PaneStatus(), note)
      let record = stack.panes[index]
      let isThere = pane.rows.contains { $0.rowID == record.selection }
      if isSeen, isThere { #expect(pane.selection.rowID == record.selection, note) }
      if !isSeen { #expect(pane.selection == PaneSelection(), note) }
    }
  }

  @Test(
    "once all is quiet, views show the stored stack at the positions of its geometry",
    arguments: seeds(0..<40 as Range<UInt64>)
  )
  func views(seed: UInt64) {
    var world = World(seed: seed)
    var read: Int64 = 0
    for step in 0..<120 {
      #expect(world.read >= read, "seed \(seed): reading positions only move forward")
      read = world.read
      world.harness.holdsLoads = Int.random(in: 0...4, using: &world.random) == 0
      world.harness.holdsSaves = Int.random(in: 0...4, using: &world.random) == 0
      if !world.harness.holdsLoads { world.harness.answerLoads() }
      if !world.harness.holdsSaves { world.harness.answerSaves() }
      world.step()
      guard step % 40 == 39 else { continue }
      world.rest()
      for (id, layout) in world.layouts { check(world, id, layout, "seed \(seed), step \(step), view \(id)") }
    }
  }

  @Test(
    "a session is the same after a restart: panes, history, position and places",
    arguments: seeds(0..<60 as Range<UInt64>))
  func restart(seed: UInt64) throws {
    var world = World(seed: seed)
    world.isBusy = false
    for _ in 0..<80 { world.step() }
    world.rest()
    var layout = EngineHarness.layout(width: .random(in: 30...260, using: &world.random), singlePane: false)
    layout.hasDayLines = Bool.random(using: &world.random)
    world.harness.open(8, layout: layout)
    let before = try #require(world.harness.mirrors[ViewID(8)])
    for id in [1, 2, 3, 8] as [UInt64] { world.harness.send(.viewClosed(ViewID(id))) }
    world.rest()
    var restarted = world.harness.restarted()
    restarted.open(9, layout: layout)
    let after = try #require(restarted.mirrors[ViewID(9)])
    let note: Comment = "seed \(seed)"
    #expect(after.panes.map(\.header) == before.panes.map(\.header), note)
    #expect(after.position == before.position && after.paneFrames == before.paneFrames, note)
    #expect(after.panes.map(\.selection.rowID) == before.panes.map(\.selection.rowID), note)
    for (old, new) in zip(before.panes, after.panes) {
      #expect(
        [new.status.anchorRow, UInt64(new.status.anchorLine)] == [old.status.anchorRow, UInt64(old.status.anchorLine)],
        note)
    }
    #expect(after.panes[0].status.readingRow == before.panes[0].status.readingRow, note)
  }
}
