import ClientTransport
import Messages
import RPC
import Testing

@Suite("Drafts are shared by all terminals of an account")
struct DraftTests {
  private func save(_ client: TestClient, _ text: String, _ edit: (inout SaveDraftRequest) -> Void = { _ in }) throws
    -> UInt64
  {
    var request = SaveDraftRequest(text: text)
    edit(&request)
    return try client.call(Method.saveDraft, request, DraftReference.self).draftID
  }

  private func drafts(_ client: TestClient) throws -> [DraftSummary] {
    try client.call(Method.listDrafts, PageRequest(), ListDraftsResponse.self).drafts
  }

  @Test("a draft survives a restart, and can be seen, changed and posted from another terminal") func everywhere()
    throws
  {
    try withBench { bench in
      let daemon = try bench.daemon()
      let one = try daemon.connect()
      let post = try one.post("a question").postID
      let id = try save(one, "an ans") { ($0.kind, $0.post) = (.answer, "\(post)") }
      let again = try save(one, "an answer") { $0.draftID = id }
      #expect(id != 0 && again == id)
      try daemon.stop()
      try daemon.start()
      let two = try daemon.connect()
      let found = try drafts(two)
      #expect(found.map(\.text) == ["an answer"] && found[0].kind == .answer && found[0].postID == post)
      #expect(found[0].draftID == id && found[0].updatedAtMilliseconds > 0)
      var compose = ComposeRequest(text: "an answer")
      (compose.inReplyTo, compose.draftID) = ("\(post)", id)
      _ = try two.call(Method.compose, compose, ComposeResponse.self)
      #expect(try drafts(two).isEmpty)
      let refusal = try two.refusal(of: Method.deleteDraft, DraftReference(id))
      #expect(refusal.code == .notFound && refusal.message == "there is no draft \(id)")
    }
  }

  @Test("a draft of a reply needs a visible post, and other accounts' drafts are NOT_FOUND") func others() throws {
    try withBench { bench in
      let people = try People(bench)
      var direct = ComposeRequest(text: "@bea psst")
      direct.visibility = .direct
      let hidden = try people.ann.call(Method.compose, direct, ComposeResponse.self).postID
      var request = SaveDraftRequest(text: "what?")
      (request.kind, request.post) = (.answer, "\(hidden)")
      #expect(try people.cyd.refusal(of: Method.saveDraft, request).code == .notFound)
      let id = try save(people.ann, "mine")
      var foreign = SaveDraftRequest(text: "yours")
      foreign.draftID = id
      #expect(try people.bea.refusal(of: Method.saveDraft, foreign).code == .notFound)
      #expect(try people.bea.refusal(of: Method.deleteDraft, DraftReference(id)).code == .notFound)
      #expect(try drafts(people.bea).isEmpty && drafts(people.ann).map(\.text) == ["mine"])
      let long = SaveDraftRequest(text: String(repeating: "x", count: 10_001))
      #expect(try people.ann.refusal(of: Method.saveDraft, long).code == .invalidArgument)
    }
  }
}
