import Engine
import Posts
import Testing
import ViewState

@Suite("Sessions are named, listed, renamed and deleted")
struct SessionNameTests {
  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...10).map { EngineHarness.post($0) }
    return harness
  }

  private func list(_ harness: inout EngineHarness, account: AccountID = EngineHarness.account) -> [SessionListing] {
    harness.send(.sessionsRequested(RequestToken(999), account))
    return harness.sessionLists[RequestToken(999)] ?? []
  }

  @Test("a list has an account's stored and viewed sessions, by name") func lists() {
    var harness = harness()
    harness.command(1, .push(.conversation("5"), from: 0), session: "work")
    harness.command(2, .push(.conversation("5"), from: 0), session: "away")
    harness.open(1, session: "work")
    harness.open(2, session: "work")
    harness.open(3, session: "new")
    harness.open(4, session: "theirs", account: AccountID(2))
    var restarted = harness.restarted()
    restarted.open(1, session: "work")
    for (name, all) in [("here", list(&harness)), ("restarted", list(&restarted))] {
      let work = all.first { $0.name == "work" }
      #expect(all.map(\.name) == (name == "here" ? ["away", "new", "work"] : ["away", "work"]))
      #expect(
        work?.panes == ["Timeline", "Conversation"] && work?.views.map(\.rawValue) == (name == "here" ? [1, 2] : [1]))
    }
    #expect(list(&harness).first { $0.name == "away" }?.revision == harness.stackRevisions[RequestToken(2)])
  }

  @Test("a renamed session keeps its views, panes and history, and is stored only under its new name") func rename() {
    var harness = harness()
    harness.open(1, session: "work")
    harness.command(1, .push(.conversation("5"), from: 0), session: "work")
    harness.command(2, .pop, session: "work")
    harness.command(3, .rename("play"), session: "work")
    #expect(harness.savedSessions.keys.map(\.name) == ["play"] && harness.refusals.isEmpty && harness.ended.isEmpty)
    harness.command(4, .back, session: "play")
    #expect(harness.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1, 2], "the view follows it")
    harness.open(2, session: "work")
    #expect(harness.mirrors[ViewID(2)]?.panes.count == 1, "the old name is free")
    harness.commit(new: [EngineHarness.post(20)])
    harness.command(5, .pop, session: "play")
    #expect(
      harness.mirrors[ViewID(1)]?.panes[0].rows.first?.rowID == 20 && list(&harness).map(\.name) == ["play", "work"])
  }

  @Test("a viewed session can be renamed before it is stored") func renameUnstored() {
    var harness = harness()
    harness.open(1, session: "work")
    harness.command(1, .rename("play"), session: "work")
    #expect(harness.savedSessions.keys.map(\.name) == ["play"] && harness.stackAnswers[RequestToken(1)] == 1)
    harness.send(.viewClosed(ViewID(1)))
    harness.savingFails = EngineError(.resourceExhausted, "the disk is full")
    harness.open(2, session: "other")
    harness.command(2, .rename("elsewhere"), session: "other")
    #expect(harness.refusals[RequestToken(2)]?.code == .resourceExhausted)
    harness.command(3, .push(.conversation("5"), from: 0), session: "other")
    #expect(harness.refusals[RequestToken(3)]?.code == .resourceExhausted, "commands work again afterwards")
  }

  @Test("invalid or taken names and unknown sessions are refused")
  func refusals() {
    var harness = harness()
    harness.command(1, .push(.conversation("5"), from: 0), session: "work")
    harness.command(2, .push(.conversation("5"), from: 0), session: "play")
    harness.open(1, session: "seen")
    let long = String(repeating: "é", count: 33)
    for (token, name) in ["play", "seen", "", long, "a\nb"].enumerated() {
      harness.command(UInt64(10 + token), .rename(name), session: "work")
    }
    harness.command(20, .rename("x"), session: "nowhere")
    harness.command(21, .delete, session: "nowhere")
    let codes = (10...14 as ClosedRange<UInt64>).map { harness.refusals[RequestToken($0)]?.code }
    #expect(codes == [.alreadyExists, .alreadyExists, .invalidArgument, .invalidArgument, .invalidArgument])
    #expect([20, 21].map { harness.refusals[RequestToken($0)]?.code } == [.notFound, .notFound])
    harness.command(22, .rename("work"), session: "work")
    #expect(harness.stackAnswers[RequestToken(22)] == 2, "its own name is not taken")
    #expect(harness.savedSessions.count == 2)
  }

  @Test(
    "a deleted session ends its views with NOT_FOUND and refuses waiting commands; attaching again starts a new one")
  func delete() {
    var harness = harness()
    harness.command(1, .push(.conversation("5"), from: 0), session: "work")
    harness.open(1, session: "work")
    harness.open(2, session: "other")
    harness.holdsSaves = true
    harness.command(2, .delete, session: "work")
    harness.command(3, .pop, session: "work")
    for _ in 0..<3 { harness.answerSaves() }
    harness.holdsSaves = false
    #expect(harness.stackAnswers[RequestToken(2)] != nil && harness.refusals[RequestToken(3)]?.code == .notFound)
    #expect(harness.ended.map(\.key) == [ViewID(1)] && harness.ended[ViewID(1)]?.code == .notFound)
    #expect(!harness.savedSessions.keys.contains { $0.name == "work" })
    harness.open(3, session: "work")
    #expect(harness.mirrors[ViewID(3)]?.panes.count == 1)
    harness.command(4, .delete, session: "work")
    #expect(
      harness.ended[ViewID(3)]?.code == .notFound && harness.refusals[RequestToken(4)] == nil,
      "though nothing of it was stored")
  }

  @Test("repeated rename and delete requests are done once") func idempotent() {
    var harness = harness()
    harness.command(1, .push(.conversation("5"), from: 0), session: "work")
    for token in [2, 3] as [UInt64] { harness.command(token, .rename("play"), requestID: "a", session: "work") }
    for token in [4, 5] as [UInt64] { harness.command(token, .delete, requestID: "b", session: "play") }
    #expect(harness.refusals.isEmpty && harness.stackAnswers.count == 5 && harness.savedSessions.isEmpty)
  }

  @Test("a failed save leaves names and views unchanged") func failures() {
    var harness = harness()
    harness.command(1, .push(.conversation("5"), from: 0), session: "work")
    harness.open(1, session: "work")
    harness.savingFails = EngineError(.resourceExhausted, "the disk is full")
    harness.command(2, .rename("play"), session: "work")
    harness.command(3, .delete, session: "work")
    #expect([2, 3].map { harness.refusals[RequestToken($0)]?.code } == [.resourceExhausted, .resourceExhausted])
    harness.savingFails = nil
    harness.command(4, .pop, session: "work")
    #expect(harness.ended.isEmpty && harness.mirrors[ViewID(1)]?.panes.count == 1)
  }

  @Test("an account has at most 100 sessions; one more can be viewed but not changed") func limit() {
    var limits = EngineLimits()
    limits.sessions.perAccount = 3
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...40).map { EngineHarness.post($0) }
    for number in 1...3 {
      harness.command(UInt64(number), .push(.conversation("5"), from: 0), session: "session \(number)")
    }
    harness.open(1, layout: EngineHarness.layout(width: 80, singlePane: false), session: "one more")
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.isEmpty == false)
    harness.scroll(1, to: 20)
    harness.command(4, .push(.conversation("5"), from: 0), session: "one more")
    harness.command(5, .read(.mentions, row: 30, line: 0), session: "one more")
    harness.send(.viewClosed(ViewID(1)))
    #expect([4, 5].map { harness.refusals[RequestToken($0)]?.code } == [.resourceExhausted, .resourceExhausted])
    #expect(harness.savedSessions.count == 3 && harness.savedPlaces.keys.allSatisfy { $0.name != "one more" })
    harness.command(6, .delete, session: "session 1")
    harness.command(7, .push(.conversation("5"), from: 0), session: "another")
    #expect(harness.stackAnswers[RequestToken(7)] == 2)
  }
}
