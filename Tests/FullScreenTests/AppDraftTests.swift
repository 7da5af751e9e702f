import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Drafts of the full screen")
struct AppDraftTests {
  private func text(_ user: ScreenUser) -> String? {
    if case .compose(let editor)? = user.app.state.overlay { editor.text } else { nil }
  }

  private func saves(_ user: inout ScreenUser) -> [(number: UInt64, SaveDraftRequest)] {
    user.calls(Method.saveDraft, as: SaveDraftRequest.self)
  }

  private func draft(_ id: UInt64, _ text: String, _ kind: DraftKind? = nil, of post: UInt64 = 0) -> ListDraftsResponse
  {
    var draft = DraftSummary()
    (draft.draftID, draft.text, draft.kind, draft.postID) = (id, text, kind, post)
    var response = ListDraftsResponse()
    response.drafts = [draft]
    return response
  }

  @Test("drafts are saved from the first letter, one at a time, with pauses, and the last text in the end")
  func saving() throws {
    var user = ScreenUser.reading()
    user.type("ca")
    let first = try #require(saves(&user).first)
    #expect(first.1.text == "a" && first.1.draftID == 0 && !first.1.requestID.isEmpty && first.1.kind == nil)
    user.type("bc")
    #expect(saves(&user).isEmpty, "one is in flight")
    user.answer(first.number, DraftReference(7))
    #expect(saves(&user).isEmpty, "the next must wait")
    let due = try #require(user.app.nextTick)
    #expect(due > user.now && due <= user.now + 1_000)
    user.now = due
    user.happens(.tick)
    let second = try #require(saves(&user).first)
    #expect(second.1.text == "abc" && second.1.draftID == 7)
    user.answer(second.number, DraftReference(7))
    user.now += 1_000
    user.happens(.tick)
    #expect(saves(&user).isEmpty, "everything is saved")
    user.key(.character("s"), .control)
    let sent = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(sent.1.draftID == 7)
    user.answer(sent.number, ComposeResponse(postID: 9, revision: 4))
    #expect(user.calls(Method.deleteDraft, as: DraftReference.self).isEmpty, "it was deleted with the post")
    user.type("c")
    #expect(text(user) == "")
  }

  @Test("a draft whose post was sent before its number was known is deleted when it is") func early() throws {
    var user = ScreenUser.reading()
    user.type("ca")
    let save = try #require(saves(&user).first)
    user.key(.character("s"), .control)
    let sent = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(sent.1.draftID == 0)
    user.answer(sent.number, ComposeResponse(postID: 9, revision: 4))
    user.answer(save.number, DraftReference(7))
    #expect(user.calls(Method.deleteDraft, as: DraftReference.self).map(\.1.draftID) == [7])
  }

  @Test("closing saves the last letter, and deletes an emptied draft") func leaving() throws {
    var user = ScreenUser.reading()
    user.type("ca")
    let first = try #require(saves(&user).first)
    user.answer(first.number, DraftReference(7))
    user.type("b")
    user.key(.escape)
    let last = saves(&user)
    #expect(last.map(\.1.text) == ["ab"] && last.map(\.1.draftID) == [7])
    user.type("c")
    #expect(text(user) == "ab")
    user.key(.backspace)
    user.key(.backspace)
    user.key(.escape)
    #expect(user.calls(Method.deleteDraft, as: DraftReference.self).map(\.1.draftID) == [7])
    user.type("c")
    #expect(text(user) == "")
  }

  @Test("a draft from another terminal fills an editor in which nothing was typed") func elsewhere() throws {
    var user = ScreenUser.reading()
    user.type("r")
    let asked = try #require(
      user.look().compactMap { if case .call(let number, Method.listDrafts, _) = $0 { number } else { nil } }.last)
    user.answer(asked, draft(5, "@ann from the other room", .answer, of: 1040))
    #expect(text(user) == "@ann from the other room")
    user.type("!")
    let save = try #require(saves(&user).first)
    #expect(save.1.draftID == 5 && save.1.text == "@ann from the other room!")
    user.refuse(save.number, code: 5, "there is no draft 5")
    user.now += 1_000
    user.happens(.tick)
    let again = try #require(saves(&user).first)
    #expect(
      again.1.draftID == 0 && again.1.kind == .answer && again.1.post == "1040", "a deleted draft is saved as a new one"
    )
  }

  @Test(
    "another draft waits while something is typed, and a failed save is reported once and retried after a reconnect"
  )
  func waiting() throws {
    var user = ScreenUser.reading()
    user.type("cx")
    let looked = user.look()
    let asked = try #require(
      looked.compactMap { if case .call(let number, Method.listDrafts, _) = $0 { number } else { nil } }.last)
    let save = try #require(
      looked.compactMap { if case .call(let number, Method.saveDraft, _) = $0 { number } else { nil } }.last)
    user.answer(asked, draft(5, "an older one"))
    #expect(text(user) == "x")
    user.refuse(save, code: 8, "too many drafts: the limit is 100")
    #expect(user.app.state.status.message == "Draft not saved: too many drafts: the limit is 100")
    user.now += 1_000
    user.happens(.tick)
    #expect(saves(&user).isEmpty)
    user.happens(.disconnected("gone"))
    user.happens(.connected)
    user.show(user.shown, isFirst: true)
    #expect(saves(&user).map(\.1.text) == ["x"])
  }

  /// Answers the last question for drafts, with these.
  private func answerDrafts(_ user: inout ScreenUser, _ drafts: [DraftSummary]) throws {
    let call = try #require(user.calls(Method.listDrafts, as: PageRequest.self).last)
    var response = ListDraftsResponse()
    response.drafts = drafts
    user.answer(call.number, response)
  }

  private func summary(
    _ id: UInt64, _ text: String, _ visibility: ComposeVisibility, _ kind: DraftKind? = nil, of post: UInt64 = 0
  ) -> DraftSummary {
    var draft = DraftSummary()
    (draft.draftID, draft.text, draft.kind, draft.postID, draft.visibility) = (id, text, kind, post, visibility)
    return draft
  }

  /// Opens the first of these drafts from the list of drafts, and lets the editor hear of all of them.
  private func openFirst(_ user: inout ScreenUser, _ drafts: [DraftSummary]) throws {
    user.type(":drafts")
    user.key(.enter)
    try answerDrafts(&user, drafts)
    user.key(.enter)
    try answerDrafts(&user, drafts.reversed())
  }

  @Test("a message to a name that was given is not replaced by an older one") func givenName() throws {
    var user = ScreenUser.reading()
    user.type(":message ann")
    user.key(.enter)
    #expect(text(user) == "@ann ")
    try answerDrafts(&user, [summary(3, "@bob the key is under the mat", .direct)])
    #expect(text(user) == "@ann ")
  }

  @Test("a direct draft chosen from the list opens, and not another one") func directFromList() throws {
    var user = ScreenUser.reading()
    try openFirst(&user, [summary(3, "@bob one", .direct), summary(4, "@cy two", .direct)])
    #expect(text(user) == "@bob one")
    user.key(.character("s"), .control)
    let sent = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(sent.1.visibility == .direct && sent.1.draftID == 3)
  }

  @Test("the draft of a reply opens as a reply, for those who may see its parent", arguments: [UInt64(7), 1001])
  func replyFromList(parent: UInt64) throws {
    var user = ScreenUser.reading()
    try openFirst(&user, [summary(3, "@ann yes", .everybody, .answer, of: parent)])
    guard case .compose(let editor)? = user.app.state.overlay else { throw Missing() }
    #expect(editor.text == "@ann yes" && editor.audience == (editor.parent == nil ? .parent : .everyone))
    let shown = user.text()
    #expect(shown.contains("Reply") && !shown.contains("New post"))
    user.key(.character("s"), .control)
    let sent = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(sent.1.inReplyTo == String(parent))
  }

  @Test("a draft that is listed while its last letters are being saved opens with them") func listedWhileSaved() throws
  {
    var user = ScreenUser.reading()
    user.type("ca")
    user.answer(try #require(saves(&user).first).number, DraftReference(7))
    user.type("b")
    user.key(.escape)
    #expect(saves(&user).map(\.1.text) == ["ab"])
    try openFirst(&user, [summary(7, "a", .everybody)])
    #expect(text(user) == "ab")
  }

  @Test("an unlisted draft stays unlisted") func unlisted() throws {
    var user = ScreenUser.reading()
    try openFirst(&user, [summary(3, "quietly", .unlisted)])
    #expect(user.text().contains("it is unlisted"))
    user.key(.character("s"), .control)
    let sent = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(sent.1.visibility == .unlisted)
  }
}
