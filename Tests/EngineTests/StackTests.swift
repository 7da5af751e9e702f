import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Commands on a session's pane stack")
struct StackTests {
  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...30).map { EngineHarness.post($0) }
    harness.posts += [EngineHarness.post(40, inReplyTo: 5), EngineHarness.post(41, inReplyTo: 40)]
    return harness
  }

  @Test("a pushed conversation reaches every view of the session as PanePushed, and covered panes hold no rows")
  func push() throws {
    var harness = harness()
    harness.open(1)
    harness.open(2, layout: EngineHarness.layout(width: 140, singlePane: false))
    harness.command(1, .pushConversation(reference: "40", from: 0))
    #expect(harness.stackAnswers[RequestToken(1)] == 2)
    for id in 1...2 as ClosedRange<UInt64> {
      let frame = try #require(harness.frames[ViewID(id)]?.last)
      #expect(frame.operations.contains { if case .panePushed(let header) = $0 { header.paneID == 2 } else { false } })
      let panes = try #require(harness.mirrors[ViewID(id)]?.panes)
      #expect(panes.count == 2 && panes[1].header.kind == .conversation && panes[1].header.subject == 40)
      #expect(panes[1].rows.map(\.rowID) == [5, 40, 41], "oldest first")
      #expect(panes[1].rows.first?.caps == .top && panes[1].rows.last?.caps == .bottom)
    }
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows == [], "covered in a single pane")
    #expect(harness.mirrors[ViewID(2)]?.panes[0].rows.isEmpty == false, "beside it where there is room")
  }

  @Test("a reply appears in its open conversation and in the timeline in one frame") func reply() throws {
    var harness = harness()
    harness.open(1, layout: EngineHarness.layout(width: 140, singlePane: false))
    harness.command(1, .pushConversation(reference: "40", from: 0))
    harness.pass(seconds: 1)
    let before = harness.frames[ViewID(1)]!.count
    harness.now = harness.now.adding(milliseconds: 100)
    harness.commit(new: [EngineHarness.post(50, inReplyTo: 41)])
    #expect(harness.frames[ViewID(1)]!.count == before + 1)
    let panes = try #require(harness.mirrors[ViewID(1)]?.panes)
    #expect(panes[0].rows.first?.rowID == 50 && panes[1].rows.map(\.rowID) == [5, 40, 41, 50])
  }

  @Test("pop brings the covered pane back with its current rows") func pop() throws {
    var harness = harness()
    harness.open(1)
    harness.command(1, .pushConversation(reference: "40", from: 0))
    harness.commit(new: [EngineHarness.post(60)])
    harness.command(2, .pop)
    #expect(harness.stackAnswers[RequestToken(2)] == 2)
    let panes = try #require(harness.mirrors[ViewID(1)]?.panes)
    #expect(panes.count == 1 && panes[0].rows.first?.rowID == 60)
  }

  @Test("push from a lower pane removes those above it; IDs are never reused") func pushFromBelow() {
    var harness = harness()
    harness.open(1)
    harness.command(1, .pushConversation(reference: "40", from: 0))
    harness.command(2, .pushConversation(reference: "5", from: 2))
    harness.command(3, .pushConversation(reference: "7", from: 1))
    #expect(harness.stackAnswers[RequestToken(3)] == 4)
    #expect(harness.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1, 4])
  }

  @Test("refused commands change nothing") func refusals() {
    var harness = harness()
    harness.open(1)
    harness.command(1, .pop)
    harness.command(2, .pushConversation(reference: "999", from: 0))
    harness.command(3, .pushConversation(reference: "5", from: 17))
    harness.command(4, .pushConversation(reference: "5", from: 0), ifRevision: 12345)
    #expect(harness.refusals[RequestToken(1)]?.code == .failedPrecondition)
    #expect(harness.refusals[RequestToken(2)]?.code == .notFound)
    #expect(harness.refusals[RequestToken(3)]?.code == .notFound)
    #expect(harness.refusals[RequestToken(4)]?.code == .aborted)
    harness.savingFails = EngineError(.resourceExhausted, "the disk is full")
    harness.command(5, .pushConversation(reference: "5", from: 0))
    #expect(harness.refusals[RequestToken(5)]?.code == .resourceExhausted)
    #expect(harness.mirrors[ViewID(1)]?.panes.count == 1 && harness.savedSessions.isEmpty)
    harness.savingFails = nil
    harness.command(6, .pushConversation(reference: "5", from: 0))
    #expect(harness.stackAnswers[RequestToken(6)] == 2, "commands work again afterwards")
  }

  @Test("a command answered before the daemon was killed is done once, however often it is repeated")
  func killed() {
    var harness = harness()
    harness.open(1)
    for (token, name) in [(1, "a b/%"), (2, "c")] as [(UInt64, String)] {
      harness.command(token, .pushConversation(reference: "40", from: 0), requestID: name)
    }
    var restarted = self.harness()
    restarted.savedSessions = harness.savedSessions
    restarted.command(1, .pushConversation(reference: "40", from: 0), requestID: "a b/%")
    restarted.command(2, .pushConversation(reference: "40", from: 0), requestID: "c")
    restarted.command(3, .pop, requestID: "d")
    #expect((1...3).map { restarted.stackAnswers[RequestToken($0)] } == [2, 3, 3])
  }

  @Test("a repeated request ID is carried out once") func idempotent() {
    var harness = harness()
    harness.command(1, .pushConversation(reference: "5", from: 0), requestID: "a")
    harness.command(2, .pushConversation(reference: "5", from: 0), requestID: "a")
    #expect(harness.stackAnswers == [RequestToken(1): 2, RequestToken(2): 2])
  }

  @Test("at most 64 panes") func limit() {
    var harness = harness()
    for token in 1...64 as ClosedRange<UInt64> { harness.command(token, .pushConversation(reference: "5", from: 0)) }
    #expect(harness.stackAnswers.count == 63 && harness.refusals[RequestToken(64)]?.code == .resourceExhausted)
  }

  @Test("a session is the same after a restart") func restart() {
    var harness = harness()
    harness.command(1, .pushConversation(reference: "40", from: 0))
    var restarted = self.harness()
    restarted.savedSessions = harness.savedSessions
    restarted.open(1)
    #expect(restarted.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1, 2])
    #expect(restarted.mirrors[ViewID(1)]?.panes.last?.rows.map(\.rowID) == [5, 40, 41])
  }

  @Test("an unreadable session ends its views and refuses its commands; the next attempt loads it again")
  func unreadable() {
    var harness = harness()
    harness.holdsLoads = true
    harness.open(1)
    harness.command(1, .pop)
    let load = harness.pendingLoads.removeFirst().0
    harness.send(.loaded(load, .failed(EngineError(.unavailable, "the store cannot be read"))))
    #expect(harness.ended[ViewID(1)]?.code == .unavailable && harness.refusals[RequestToken(1)]?.code == .unavailable)
    harness.holdsLoads = false
    harness.open(2)
    #expect(harness.mirrors[ViewID(2)]?.panes.count == 1)
  }
}
