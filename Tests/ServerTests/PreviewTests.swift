import Messages
import RPC
import Testing
import ViewState

@Suite("Previews of views")
struct PreviewTests {
  @Test("a wide view shows the conversation that its client chooses, and the last of several choices") func choosing()
    throws
  {
    try withBench { bench in
      let test = try TokenBench(bench)
      let posts = try (0..<3).map { try test.owner.post("post \($0)").postID }
      var layout = LayoutParameters(width: 160, height: 24)
      layout.isSinglePane = false
      let view = try test.owner.attach(Hello(layout: layout, client: "tests"))
      try view.waitForFirstFrame()
      let id = try #require(view.frames[0].welcome).viewID
      for post in [posts[0], posts[1]] {
        _ = try test.owner.call(Method.setPreview, SetPreviewRequest(viewID: id, postID: post), EmptyMessage.self)
      }
      try view.wait(for: "the preview") { mirror in
        mirror.panes.last.map { $0.header.isPreview && $0.rows.map(\.rowID) == [posts[1]] } ?? false
      }
      _ = try test.owner.call(Method.setPreview, SetPreviewRequest(viewID: id, postID: 0), EmptyMessage.self)
      try view.wait(for: "no preview") { $0.panes.count == 1 }
      let refusal = try test.owner.refusal(of: Method.setPreview, SetPreviewRequest(viewID: id + 1, postID: 1))
      #expect(refusal.code == .notFound)
    }
  }
}
