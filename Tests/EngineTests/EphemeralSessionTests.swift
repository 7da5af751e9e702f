import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Ephemeral sessions")
struct EphemeralSessionTests {
  private static let wide = EngineHarness.layout(singlePane: false)

  private func harness(limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...40).map { EngineHarness.post($0, text: $0 % 2 == 0 ? "an otter" : "a boat") }
    return harness
  }

  private func rows(_ harness: EngineHarness, _ id: UInt64) -> [UInt64] {
    harness.mirrors[ViewID(id)]?.panes.last?.rows.map(\.rowID) ?? []
  }

  @Test("they show one live pane; views of the same content share the work but not the place") func shows() {
    var harness = harness()
    harness.open(1, showing: .search("otter"))
    harness.open(2, layout: Self.wide, showing: .timeline)
    harness.open(3, layout: Self.wide, showing: .timeline)
    #expect(harness.mirrors[ViewID(1)]?.panes.map(\.header.kind) == [.search] && rows(harness, 1).first == 40)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.rowCount == 20 && harness.engine.sessionCount == 2)
    harness.commit(new: [EngineHarness.post(41, text: "a boat"), EngineHarness.post(42, text: "one otter more")])
    harness.pass(seconds: 1)
    #expect(rows(harness, 1).prefix(2) == [42, 40] && rows(harness, 2).prefix(2) == [42, 41])
    harness.scroll(2, to: 20)
    harness.open(4, layout: Self.wide, showing: .timeline)
    for id in [3, 4] as [UInt64] {
      #expect(harness.place(id, 1) == [0, 0] && harness.mirrors[ViewID(id)]?.panes[0].status.rowsAbove == 0)
    }
  }

  @Test("they are not saved, marked seen or listed, and leave nothing behind") func leavesNothing() {
    var harness = harness()
    harness.open(9, layout: Self.wide, showing: .search(""))
    let news = harness.mirrors[ViewID(9)]?.navigation.rows.map(\.unseen)
    harness.open(1, layout: Self.wide, showing: .timeline)
    harness.open(2, layout: Self.wide, showing: .search("otter"))
    harness.scroll(1, to: 20)
    harness.scroll(1, to: 30)
    harness.pass(seconds: 120)
    harness.send(.flush)
    harness.send(.sessionsRequested(RequestToken(1), EngineHarness.account))
    #expect(harness.sessionLists[RequestToken(1)] == [])
    #expect(harness.mirrors[ViewID(9)]?.navigation.rows.map(\.unseen) == news && news?.first == 40)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.readingRow == 0)
    for id in [1, 2, 9] as [UInt64] { harness.send(.viewClosed(ViewID(id))) }
    #expect(
      harness.savedSessions.isEmpty && harness.savedPlaces.isEmpty && harness.placesSaves == 0 && harness.seen.isEmpty)
    #expect(harness.engine.sessionCount == 0 && harness.engine.nextDeadline == nil)
  }

  @Test("no name addresses them: commands go to named sessions") func noName() {
    var harness = harness()
    harness.open(1, showing: .timeline)
    for name in ["", "main", "timeline"] {
      harness.command(1, .push(.conversation("5"), from: 0), session: name)
      harness.command(2, .delete, session: name)
    }
    #expect(harness.mirrors[ViewID(1)]?.panes.count == 1 && harness.ended.isEmpty && rows(harness, 1).first == 40)
  }

  @Test("accounts do not share them") func visibility() {
    var harness = harness()
    let other = AccountID(2)
    harness.open(1, showing: .search("otter"))
    harness.open(2, showing: .search("otter"), account: other)
    let direct = EngineHarness.post(50, text: "a secret otter", visibility: .direct)
    harness.commit(new: [direct])
    harness.pass(seconds: 1)
    #expect(harness.engine.sessionCount == 2)
    #expect(
      rows(harness, 1).first
        == harness.store.list(.search(EngineHarness.account, "otter")).first.map { UInt64($0.id.rawValue) })
    #expect(rows(harness, 2).first == harness.store.list(.search(other, "otter")).first.map { UInt64($0.id.rawValue) })
  }

  @Test("they work with a store that cannot be written") func unwritable() {
    var harness = harness()
    harness.savingFails = EngineError(.resourceExhausted, "the disk is full")
    harness.open(1, layout: Self.wide, showing: .timeline)
    harness.scroll(1, to: 20)
    harness.pass(seconds: 5)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.rowCount == 40 && harness.placesSaves == 0)
  }

  @Test("an account's limit counts different ones, not views of the same one") func limit() {
    var limits = EngineLimits()
    limits.sessions.ephemeral = 2
    var harness = harness(limits: limits)
    harness.open(1, showing: .search("otter"))
    harness.open(2, showing: .search("boat"))
    harness.open(3, showing: .search("gull"))
    harness.open(4, showing: .search("otter"))
    harness.open(5, showing: .search("gull"), account: AccountID(2))
    harness.open(6, session: "work")
    #expect(harness.ended.keys.map(\.rawValue) == [3] && harness.ended[ViewID(3)]?.code == .resourceExhausted)
    #expect(harness.ended[ViewID(3)]?.limit == 2)
    harness.send(.viewClosed(ViewID(2)))
    harness.open(3, showing: .search("gull"))
    #expect(harness.ended.count == 1 && harness.mirrors[ViewID(3)] != nil)
  }

  @Test("a view that comes back resumes with what it held") func resume() throws {
    var harness = harness()
    harness.open(1, showing: .search("otter"))
    let held = try #require(harness.mirrors[ViewID(1)])
    harness.send(.viewClosed(ViewID(1)))
    harness.commit(new: [EngineHarness.post(42, text: "one otter more")])
    harness.mirrors[ViewID(2)] = held
    harness.open(2, showing: .search("otter"), resume: held.resume)
    #expect(harness.frames[ViewID(2)]?.first?.reset == nil && rows(harness, 2).prefix(2) == [42, 40])
    harness.mirrors[ViewID(3)] = held
    harness.open(3, showing: .timeline, resume: held.resume)
    #expect(harness.frames[ViewID(3)]?.first?.reset == .layout && rows(harness, 3).prefix(3) == [42, 40, 39])
  }
}
