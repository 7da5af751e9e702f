import Messages
import RPC
import Testing
import ViewState

@Suite("Tokens that may only look")
struct LookingTests {
  private func hello(session: String = "", subject: Subject? = nil) -> Hello {
    var layout = LayoutParameters(width: 100, height: 24)
    layout.isSinglePane = false
    return Hello(session: session, subject: subject, layout: layout, client: "tests")
  }

  private func number(of view: TestView) throws -> UInt64 {
    try view.waitForFirstFrame()
    return try #require(view.frames[0].welcome).viewID
  }

  private func moving(_ view: UInt64, to row: UInt64) -> MoveViewportRequest {
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.generation) = (row, 1)
    return MoveViewportRequest(viewID: view, viewport: viewport)
  }

  @Test("they move views of their own, and no others; who may change panes moves both") func views() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      let posts = try (0..<40).map { try test.owner.post("post \($0)").postID }
      let owners = try number(of: try test.owner.attach(hello()))
      let looker = try test.client([.view, .post])
      let own = try looker.attach(hello())
      let section = try looker.watch(hello(subject: .section(.timeline)))
      let slide = MoveStackRequest(viewID: owners, .slide(.left))
      for refusal in [
        try looker.refusal(of: Method.moveViewport, moving(owners, to: posts[0])),
        try looker.refusal(of: Method.moveStack, slide),
        try looker.refusal(of: Method.setPreview, SetPreviewRequest(viewID: owners, postID: posts[0])),
      ] {
        #expect(refusal.code == .permissionDenied && refusal.message.contains("panes"))
        #expect(try ErrorDetails(decoding: refusal.details).reason == "MISSING_SCOPE")
      }
      for view in [own, section] {
        let id = try number(of: view)
        _ = try looker.call(Method.moveViewport, moving(id, to: posts[0]), EmptyMessage.self)
        try view.wait(for: "the oldest post") { $0.topRows.last == posts[0] }
        _ = try looker.call(Method.moveStack, MoveStackRequest(viewID: id, .slide(.left)), MoveStackResponse.self)
        _ = try test.owner.call(Method.moveViewport, moving(id, to: posts[39]), EmptyMessage.self)
      }
      let other = try test.client([.view, .panes])
      _ = try other.call(Method.moveViewport, moving(owners, to: posts[0]), EmptyMessage.self)
    }
  }

  @Test("what they show counts neither as read nor as seen, and makes no session") func traces() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      let looker = try test.client([.view])
      try test.make("ann")
      let first = try test.client([.post], account: "ann").post("first").postID
      for session in ["", "hall"] {
        let view = try looker.attach(hello(session: session))
        try view.wait(for: "the post") { $0.topRows == [first] }
        try view.send(.bye)
        #expect(try view.waitForEnd() == .ok)
      }
      let sessions: ListSessionsResponse = try test.owner.call(Method.listSessions, PageRequest())
      #expect(sessions.sessions.isEmpty)
      let view = try test.owner.attach(hello(subject: .section(.lists)))
      try view.wait(for: "the unseen post") { $0.navigation.rows.first?.unseen == 1 }
      #expect(try test.owner.attach(hello()).waitForReading(of: first))
    }
  }
}

extension TestView {
  /// Waits until the view shows a reading position, and returns true if it is at `row`.
  fileprivate func waitForReading(of row: UInt64) throws -> Bool {
    try wait(for: "a reading position") { $0.panes.first?.status.readingRow ?? 0 != 0 }
    return mirror.panes.first?.status.readingRow == row
  }
}
