import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("A content warning and a language of what is written")
struct WarningTests {
  private func editor(_ user: ScreenUser) throws -> ComposeEditor {
    guard case .compose(let editor)? = user.app.state.overlay else { throw Missing() }
    return editor
  }

  @Test("alt-w and alt-l lead to lines of their own, and enter back to the text") func typing() throws {
    var user = ScreenUser.reading()
    user.type("cso it ends")
    #expect(!user.text().contains("Warning:"))
    user.key(.character("w"), .alt)
    user.type("the last page")
    #expect(user.text().contains("Warning: the last page"))
    user.key(.character("l"), .alt)
    user.type("de")
    #expect(user.text().contains("Language: de"))
    user.key(.enter)
    user.type("!")
    user.key(.character("s"), .control)
    let request = try #require(user.calls(Method.compose, as: ComposeRequest.self).first?.1)
    #expect(request.text == "so it ends!" && request.contentWarning == "the last page" && request.language == "de")
  }

  @Test("the warning is counted with the text, and says so when both are too long") func counting() throws {
    var user = ScreenUser.reading()
    user.type("ca")
    user.key(.character("w"), .alt)
    user.type("b")
    let counts = user.calls(Method.measure, as: MeasureRequest.self)
    let first = try #require(counts.first)
    #expect(counts.count == 1 && first.1.contentWarning.isEmpty)
    var answer = MeasureResponse()
    (answer.weightedLength, answer.remaining) = (1, 279)
    user.answer(first.number, answer)
    let second = try #require(user.calls(Method.measure, as: MeasureRequest.self).last)
    #expect(second.1.text == "a" && second.1.contentWarning == "b")
    (answer.weightedLength, answer.remaining) = (281, -1)
    user.answer(second.number, answer)
    user.key(.character("s"), .control)
    #expect(try editor(user).failure == "Too long by 1: 281 of 280 characters.")
  }

  @Test("a draft keeps both, also on another screen") func drafts() throws {
    var user = ScreenUser.reading()
    user.type("cpsst")
    user.key(.character("w"), .alt)
    user.type("quiet")
    user.key(.escape)
    user.type("c")
    #expect(user.text().contains("Warning: quiet") && user.text().contains("psst"))

    var other = ScreenUser.reading()
    other.type("c")
    let list = try #require(other.calls(Method.listDrafts, as: PageRequest.self).last)
    var summary = DraftSummary()
    (summary.draftID, summary.text, summary.contentWarning, summary.language) = (7, "psst", "quiet", "en")
    var answer = ListDraftsResponse()
    answer.drafts = [summary]
    other.answer(list.number, answer)
    #expect(other.text().contains("Warning: quiet") && other.text().contains("Language: en"))
    other.key(.escape)
    #expect(other.calls(Method.saveDraft, as: SaveDraftRequest.self).isEmpty, "nothing has changed")
  }

  @Test("an edit changes the text alone, and says so", arguments: [Character("w"), "l"]) func edits(key: Character) {
    var user = ScreenUser.reading()
    var view = user.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    user.show(view)
    user.type("e")
    let count = user.calls(Method.measure, as: MeasureRequest.self).last?.1
    #expect(count?.editedPost == String(view.panes[0].rows[0].content.fields.postID))
    user.key(.character(key), .alt)
    #expect(user.app.state.status.message == "An edit changes the text alone.")
  }

  @Test("that a post is another's is said when its edit opens") func othersPost() throws {
    var user = ScreenUser.reading()
    var view = user.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    user.show(view)
    user.type("e")
    let count = try #require(user.calls(Method.measure, as: MeasureRequest.self).last)
    user.refuse(count.number, code: 7, "post 7 is not yours: you can only edit your own posts")
    #expect(user.text().contains("Post 7 is not yours: you can only edit your own posts."))
  }
}
