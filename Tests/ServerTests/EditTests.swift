import ClientTransport
import Messages
import RPC
import Testing
import ViewState

@Suite("An edited post changes in every view")
struct EditTests {
  private func edit(_ client: TestClient, _ post: UInt64, _ text: String, _ requestID: String = "") throws
    -> RevisionResponse
  {
    var request = EditRequest(post: "\(post)", text: text)
    request.requestID = requestID
    return try client.call(Method.edit, request, RevisionResponse.self)
  }

  private func rows(_ view: TestView, _ post: UInt64) -> [PlacedRow] {
    view.mirror.panes.flatMap(\.rows).filter { $0.content.fields.postID == post }
  }

  @Test("one frame updates its text and height in every pane that shows it, and nothing else") func everywhere() throws
  {
    try withBench { bench in
      let people = try People(bench)
      let post = try people.ann.post("a quiet morning").postID
      let other = try people.ann.post("and an evening").postID
      let view = try people.bea.attach(
        Hello(session: "", layout: LayoutParameters(width: 160, height: 40), client: "tests"))
      try view.wait(for: "both") { $0.topRows == [other, post] }
      _ = try people.bea.call(Method.push, PushRequest(conversation: "\(post)"), PaneResponse.self)
      try view.wait(for: "the pane") { $0.panes.count == 2 && $0.panes[1].rows.count == 1 }
      let before = rows(view, post)
      let untouched = rows(view, other)
      let frames = view.frames.count
      let text = String(repeating: "a much longer morning, by the harbour. ", count: 6)
      let answer = try edit(people.ann, post, text)
      try view.wait(for: "the text") { _ in
        rows(view, post).contains { String(decoding: $0.content.fields.text, as: UTF8.self) == text }
      }
      #expect(view.frames.count == frames + 1 && view.mirror.revision >= answer.revision, "one frame")
      let after = rows(view, post)
      #expect(after.count == 2 && after.allSatisfy { $0.content.fields.flags == .edited })
      for (row, old) in zip(after, before) { #expect(row.height > old.height) }
      #expect(rows(view, other) == untouched)
    }
  }

  @Test("open searches and mentions gain and lose it as its text changes") func queries() throws {
    try withBench { bench in
      let people = try People(bench)
      let post = try people.ann.post("an otter").postID
      let search = try people.bea.attach(Hello(subject: .search("otter"), layout: .test, client: "test"))
      let mentions = try people.bea.attach(Hello(subject: .section(.mentions), layout: .test, client: "test"))
      try search.wait(for: "the hit") { $0.topRows == [post] }
      _ = try edit(people.ann, post, "a seal, @bea")
      try search.wait(for: "its end") { $0.topRows == [] }
      try mentions.wait(for: "the mention") { $0.topRows == [post] }
      _ = try edit(people.ann, post, "an otter after all")
      try search.wait(for: "its return") { $0.topRows == [post] }
      try mentions.wait(for: "its end") { $0.topRows == [] }
    }
  }

  @Test("a repeated request is applied once; edits follow the rules for new posts") func checks() throws {
    try withBench { bench in
      let people = try People(bench)
      let post = try people.ann.post("one").postID
      let first = try edit(people.ann, post, "two", "r")
      _ = try edit(people.ann, post, "three")
      #expect(try edit(people.ann, post, "two", "r").revision >= first.revision)
      #expect(try people.ann.rows().rows.map { String(decoding: $0.content.fields.text, as: UTF8.self) } == ["three"])
      for text in ["", " \u{200B}", String(repeating: "x", count: 10_001)] {
        let refusal = try people.ann.refusal(of: Method.edit, EditRequest(post: "\(post)", text: text))
        #expect(refusal.code == .invalidArgument)
        #expect(try ErrorDetails(decoding: refusal.details).fieldViolations.map(\.field) == ["text"])
      }
      #expect(
        try people.bea.refusal(of: Method.edit, EditRequest(post: "\(post)", text: "mine")).code == .permissionDenied)
      #expect(try people.ann.refusal(of: Method.edit, EditRequest(post: "99", text: "mine")).code == .notFound)
    }
  }

  @Test("an edit of one's own post that was imported is PERMISSION_DENIED") func imported() throws {
    try withBench { bench in
      let people = try People(bench)
      let files = [
        ("account.js", #"window.YTD.account.part0 = [{"account":{"accountId":"41","username":"ann"}}]"#),
        (
          "tweets.js",
          #"window.YTD.tweets.part0 = [{"tweet":{"id_str":"7","created_at":"Sun Jan 01 21:00:00 +0000 2023","full_text":"mine"}}]"#
        ),
      ]
      let header = ImportRequest.header(format: "twitter-archive", source: "", isMe: true, dryRun: false)
      let requests = files.flatMap { name, text in
        [ImportRequest.file(name: name, size: UInt64(text.utf8.count)), .chunk(Array(text.utf8))]
      }
      _ = try TestImport(people.ann, [header] + requests).report()
      let post = try #require(people.ann.rows().rows.first?.content.fields)
      let refusal = try people.ann.refusal(of: Method.edit, EditRequest(post: "\(post.postID)", text: "another text"))
      #expect(refusal.code == .permissionDenied && refusal.message.contains("can only be edited at its source"))
      #expect(try people.ann.rows().rows.first?.content.fields.text == post.text)
    }
  }
}
