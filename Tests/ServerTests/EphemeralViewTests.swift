import Messages
import RPC
import Testing
import UV
import ViewState

@Suite("Views that name their content belong to no session")
struct EphemeralViewTests {
  private func hello(_ subject: Subject, isSinglePane: Bool = true) -> Hello {
    var hello = Hello(subject: subject, layout: .test, client: "tests")
    hello.layout.isSinglePane = isSinglePane
    return hello
  }

  @Test("both kinds of streams show and update a search and a section without creating a session") func shows()
    throws
  {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let first = try client.post("an otter").postID
      let boat = try client.post("a boat").postID
      let search = try client.attach(hello(.search("OTTER")))
      let timeline = try client.watch(hello(.section(.timeline), isSinglePane: false))
      try search.wait(for: "the post") { $0.topRows == [first] }
      try timeline.wait(for: "the posts") { $0.topRows == [boat, first] }
      #expect(search.frames[0].welcome?.session == "" && search.mirror.panes.map(\.header.kind) == [.search])
      #expect(timeline.mirror.navigation.rows.first?.isSelected == true)
      let second = try client.post("one otter more").postID
      try search.wait(for: "what is new") { $0.topRows == [second, first] }
      let sessions: ListSessionsResponse = try client.call(Method.listSessions, PageRequest())
      #expect(sessions.sessions.isEmpty)
    }
  }

  @Test("an invalid search, or a subject beside a session, is refused with its field") func refusals() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      for (request, field) in [
        (hello(.search("after:never")), "hello.subject.search"), (with("work"), "hello.session"),
      ] {
        let end = try client.attach(request).waitForEnd()
        #expect(end.code == .invalidArgument)
        #expect(try ErrorDetails(decoding: end.details).fieldViolations.map(\.field) == [field])
      }
    }
  }

  private func with(_ session: String) -> Hello {
    var both = hello(.section(.mentions))
    both.session = session
    return both
  }

  @Test("signed-out clients see the launch pane, whatever they request") func signedOut() throws {
    try withBench { bench in
      let address = try #require(SocketAddress("127.0.0.1:0"))
      let daemon = try bench.daemon(listen: address)
      let view = try daemon.connectOverTCP(token: nil).watch(hello(.section(.timeline)))
      try view.waitForFirstFrame()
      #expect(view.mirror.panes.map(\.header.kind) == [.launch])
    }
  }
}
