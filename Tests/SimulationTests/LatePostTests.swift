import Dates
import Messages
import Posts
import RPC
import Services
import Simulation
import Testing
import ViewState

@Suite("Posts that arrive late")
struct LatePostTests {
  private static func post(_ id: String, at seconds: Int64, flags: PostFlags = .unread) -> UpstreamItem {
    let author = ImportedAuthor(nativeID: "a1", handle: "cat", displayName: "Cat")
    let post = ImportedPost(
      source: "fake", nativeID: id, author: author, createdAt: Instant(seconds: seconds),
      body: PostBody(text: SafeText(id), flags: flags))
    return .post(post, in: .home, unfiled: [])
  }

  @Test("are unread below the reading position, once, and that cannot be undone") func below() throws {
    let source = try FakeSource(UpstreamHello())
    defer { source.daemon.close() }
    for number in 1...5 { source.bring([Self.post("n\(number)", at: Int64(number * 10), flags: [])]) }
    let position = SetReadingPositionRequest(.timeline, rowID: 4)
    #expect(try source.client.status(of: Method.setReadingPosition, position).isOK)
    let view = try source.client.attach(
      Hello(session: "other", layout: LayoutParameters(width: 160, height: 30), client: ""))
    source.bring([Self.post("late", at: 25), Self.post("later", at: 60)])
    #expect(try source.texts("is:unread") == ["later", "n5", "late"])
    source.daemon.advance(by: .seconds(2))
    let marked = view.mirror.panes[0].rows.map(\.content.fields).filter { $0.readMark == .unread }
    #expect(marked.map { String(decoding: $0.text, as: UTF8.self) } == ["late"])
    let undone = try source.client.status(of: Method.undo, UndoRequest(isRedo: false))
    #expect(undone.code == .failedPrecondition)
    // A person has read it; that it comes again changes nothing.
    let mark = MarkReadRequest(.read, posts: ["fake:late"])
    #expect(try source.client.status(of: Method.markRead, mark).isOK)
    source.bring([Self.post("late", at: 25), Self.post("n1", at: 10)])
    #expect(try source.texts("is:unread") == ["later", "n5"])
  }
}
