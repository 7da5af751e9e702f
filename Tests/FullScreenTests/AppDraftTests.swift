import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("What is written on the full screen is kept by the daemon as one types")
struct AppDraftTests {
  private func text(_ somebody: Somebody) -> String? {
    if case .compose(let editor)? = somebody.app.state.overlay { editor.text } else { nil }
  }

  private func saves(_ somebody: inout Somebody) -> [(number: UInt64, SaveDraftRequest)] {
    somebody.calls(Method.saveDraft, as: SaveDraftRequest.self)
  }

  private func draft(_ id: UInt64, _ text: String, _ kind: DraftKind? = nil, of post: UInt64 = 0) -> ListDraftsResponse
  {
    var draft = DraftSummary()
    (draft.draftID, draft.text, draft.kind, draft.postID) = (id, text, kind, post)
    var response = ListDraftsResponse()
    response.drafts = [draft]
    return response
  }

  @Test("from the first letter, one state at a time, paced, and the last one in the end") func saving() throws {
    var somebody = Somebody.reading()
    somebody.type("ca")
    let first = try #require(saves(&somebody).first)
    #expect(first.1.text == "a" && first.1.draftID == 0 && !first.1.requestID.isEmpty && first.1.kind == nil)
    somebody.type("bc")
    #expect(saves(&somebody).isEmpty, "one is under way")
    somebody.answer(first.number, DraftReference(7))
    #expect(saves(&somebody).isEmpty, "and the next is soon enough")
    let due = try #require(somebody.app.nextTick)
    #expect(due > somebody.now && due <= somebody.now + 1_000)
    somebody.now = due
    somebody.happens(.tick)
    let second = try #require(saves(&somebody).first)
    #expect(second.1.text == "abc" && second.1.draftID == 7)
    somebody.answer(second.number, DraftReference(7))
    somebody.now += 1_000
    somebody.happens(.tick)
    #expect(saves(&somebody).isEmpty, "it is all there")
    somebody.key(.character("s"), .control)
    let sent = try #require(somebody.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(sent.1.draftID == 7)
    somebody.answer(sent.number, ComposeResponse(postID: 9, revision: 4))
    #expect(somebody.calls(Method.deleteDraft, as: DraftReference.self).isEmpty, "it went with the post")
    somebody.type("c")
    #expect(text(somebody) == "")
  }

  @Test("what was sent before its number was known goes when it is") func early() throws {
    var somebody = Somebody.reading()
    somebody.type("ca")
    let save = try #require(saves(&somebody).first)
    somebody.key(.character("s"), .control)
    let sent = try #require(somebody.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(sent.1.draftID == 0)
    somebody.answer(sent.number, ComposeResponse(postID: 9, revision: 4))
    somebody.answer(save.number, DraftReference(7))
    #expect(somebody.calls(Method.deleteDraft, as: DraftReference.self).map(\.1.draftID) == [7])
  }

  @Test("leaving keeps the last letter, and an emptied one is thrown away") func leaving() throws {
    var somebody = Somebody.reading()
    somebody.type("ca")
    let first = try #require(saves(&somebody).first)
    somebody.answer(first.number, DraftReference(7))
    somebody.type("b")
    somebody.key(.escape)
    let last = saves(&somebody)
    #expect(last.map(\.1.text) == ["ab"] && last.map(\.1.draftID) == [7])
    somebody.type("c")
    #expect(text(somebody) == "ab")
    somebody.key(.backspace)
    somebody.key(.backspace)
    somebody.key(.escape)
    #expect(somebody.calls(Method.deleteDraft, as: DraftReference.self).map(\.1.draftID) == [7])
    somebody.type("c")
    #expect(text(somebody) == "")
  }

  @Test("what was begun at another terminal comes where nothing is written yet") func elsewhere() throws {
    var somebody = Somebody.reading()
    somebody.type("jr")
    let asked = try #require(
      somebody.look().compactMap { if case .call(let number, Method.listDrafts, _) = $0 { number } else { nil } }.last)
    somebody.answer(asked, draft(5, "@ann from the other room", .answer, of: 1040))
    #expect(text(somebody) == "@ann from the other room")
    somebody.type("!")
    let save = try #require(saves(&somebody).first)
    #expect(save.1.draftID == 5 && save.1.text == "@ann from the other room!")
    somebody.refuse(save.number, code: 5, "there is no draft 5")
    somebody.now += 1_000
    somebody.happens(.tick)
    let again = try #require(saves(&somebody).first)
    #expect(again.1.draftID == 0 && again.1.kind == .answer && again.1.post == "1040", "what is gone there begins anew")
  }

  @Test(
    "where something is written already another draft waits; what cannot be kept is told once, and tried again when connected"
  )
  func waiting() throws {
    var somebody = Somebody.reading()
    somebody.type("cx")
    let looked = somebody.look()
    let asked = try #require(
      looked.compactMap { if case .call(let number, Method.listDrafts, _) = $0 { number } else { nil } }.last)
    let save = try #require(
      looked.compactMap { if case .call(let number, Method.saveDraft, _) = $0 { number } else { nil } }.last)
    somebody.answer(asked, draft(5, "an older one"))
    #expect(text(somebody) == "x")
    somebody.refuse(save, code: 8, "there may be at most 100 drafts")
    #expect(somebody.app.state.status.message == "Not kept: there may be at most 100 drafts")
    somebody.now += 1_000
    somebody.happens(.tick)
    #expect(saves(&somebody).isEmpty)
    somebody.happens(.disconnected("gone"))
    somebody.happens(.connected)
    somebody.show(somebody.shown, isFirst: true)
    #expect(saves(&somebody).map(\.1.text) == ["x"])
  }
}
