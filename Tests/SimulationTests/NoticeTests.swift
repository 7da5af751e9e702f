import Dates
import Messages
import Posts
import RPC
import Services
import Simulation
import Testing
import ViewState

@Suite("Notices among the mentions")
struct NoticeTests {
  private static let hello = Hello(session: "", layout: LayoutParameters(width: 160, height: 30), client: "test")

  private static func notice(_ text: SafeText, at seconds: Int64, called id: String = "x#notice/1") -> UpstreamItem {
    let server = ImportedAuthor(nativeID: "https://x/", handle: "x", displayName: "x")
    let body = PostBody(text: text, visibility: .followers, flags: .notice)
    let post = ImportedPost(
      source: "fake", nativeID: id, author: server, createdAt: Instant(seconds: seconds), body: body)
    return .post(post, in: .mentions, unfiled: [])
  }

  private static func unseen(_ view: DirectView) -> Int? {
    view.mirror.navigation.rows.first { $0.section == .mentions }?.unseen
  }

  @Test("are not counted as unseen, neither when they come nor by the store") func counts() throws {
    let source = try FakeSource(UpstreamHello())
    defer { source.daemon.close() }
    source.bring("n1", in: .home)
    let view = try source.client.attach(Self.hello)
    source.bring([Self.notice("Bea favourited your post", at: 10)])
    source.bring("n2", in: .mentions, at: 11)
    source.daemon.advance(by: .seconds(2))
    #expect(Self.unseen(view) == 1)
    // It moves up, and the mention is still the only one.
    source.bring([Self.notice("Cat and Bea favourited your post", at: 12)])
    source.daemon.advance(by: .seconds(2))
    #expect(Self.unseen(view) == 1)
    let other = try source.daemon.client(user: DirectDaemon.user).attach(Self.hello)
    source.daemon.advance(by: .seconds(2))
    #expect(Self.unseen(other) == 1)
  }

  @Test("one about the same takes the place of an earlier one; an earlier one changes nothing") func order() throws {
    let source = try FakeSource(UpstreamHello())
    defer { source.daemon.close() }
    source.bring("n1", in: .mentions, at: 11)
    for (text, seconds) in [("Bea", 10), ("Cat and Bea", 12), ("Bea", 10)] as [(SafeText, Int64)] {
      source.bring([Self.notice(text, at: seconds)])
    }
    #expect(try source.texts(in: .mentions) == ["Cat and Bea", "Otter."])
  }

  @Test("filters tell them from posts") func filters() throws {
    let source = try FakeSource(UpstreamHello())
    defer { source.daemon.close() }
    source.bring("n1", in: .mentions, at: 11)
    source.bring([Self.notice("Bea followed you", at: 10)])
    #expect(try source.texts(in: .mentions, "is:notice") == ["Bea followed you"])
    #expect(try source.texts(in: .mentions, "-is:notice") == ["Otter."])
  }
}
