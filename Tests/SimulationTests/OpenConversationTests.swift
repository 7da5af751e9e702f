import Messages
import Posts
import RPC
import Services
import Simulation
import Testing
import ViewState

@Suite("Conversations that are opened")
struct OpenConversationTests {
  private static let hello = Hello(session: "", layout: LayoutParameters(width: 80, height: 24), client: "test")

  /// The wants that the program has heard.
  private static func wants(_ source: FakeSource) -> [String] {
    source.program.heard.compactMap {
      if case .want(let id, .fetch(.conversation("n1", [], true), "fake")) = $0 { id } else { nil }
    }
  }

  private static func answer(_ source: FakeSource) {
    source.program.say(.answer(UpstreamAnswer(id: wants(source).last ?? "", .done(nativeID: "", permalink: .empty))))
    source.daemon.runUntilIdle()
  }

  @Test("their source is asked at once, and after 1, 2 and 5 minutes while they are open") func asking() throws {
    let source = try FakeSource(UpstreamHello(fetches: true))
    defer { source.daemon.close() }
    source.bring("n1", in: .home)
    _ = try source.client.attach(Self.hello)
    _ = try source.client.call(Method.push, PushRequest(conversation: "fake:n1"), PaneResponse.self)
    #expect(Self.wants(source).count == 1)
    for (seconds, count) in [(59, 1), (1, 2), (59, 2), (1, 3), (179, 3), (1, 4), (600, 4)] {
      Self.answer(source)
      source.daemon.advance(by: .seconds(seconds))
      #expect(Self.wants(source).count == count)
    }
  }

  @Test("one that was closed is not asked for again, and neither is one that nobody sees", arguments: [true, false])
  func closing(isPopped: Bool) throws {
    let source = try FakeSource(UpstreamHello(fetches: true))
    defer { source.daemon.close() }
    source.bring("n1", in: .home)
    let view = try source.client.attach(Self.hello)
    _ = try source.client.call(Method.push, PushRequest(conversation: "fake:n1"), PaneResponse.self)
    Self.answer(source)
    if isPopped {
      _ = try source.client.call(Method.pop, SessionRequest(), PaneResponse.self)
    } else {
      view.call.cancel()
    }
    source.daemon.advance(by: .seconds(600))
    #expect(Self.wants(source).count == 1)
  }

  @Test("a program that brings nothing when asked is not asked, and nothing is said of it") func unable() throws {
    let source = try FakeSource(UpstreamHello())
    defer { source.daemon.close() }
    source.bring("n1", in: .home)
    _ = try source.client.attach(Self.hello)
    _ = try source.client.call(Method.push, PushRequest(conversation: "fake:n1"), PaneResponse.self)
    source.daemon.advance(by: .seconds(600))
    #expect(Self.wants(source).isEmpty)
  }
}
