import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Who can see what is written")
struct AudienceTests {
  private func editor(_ user: ScreenUser) throws -> ComposeEditor {
    guard case .compose(let editor)? = user.app.state.overlay else { throw Missing() }
    return editor
  }

  private func sent(_ user: inout ScreenUser) -> ComposeRequest? {
    user.key(.character("s"), .control)
    return user.calls(Method.compose, as: ComposeRequest.self).first?.1
  }

  @Test("ctrl-v goes through everyone, followers and direct, in words") func cycling() throws {
    var user = ScreenUser.reading()
    user.type("chello @ann")
    #expect(user.text().contains("Everyone can see this."))
    user.key(.character("v"), .control)
    #expect(user.text().contains("Only your followers can see this."))
    user.key(.character("v"), .control)
    #expect(user.text().contains("Only you and the people it names with @ can see this."))
    let direct = sent(&user)
    #expect(direct?.visibility == .direct)
    var other = ScreenUser.reading()
    other.type("chello")
    for _ in 0..<3 { other.key(.character("v"), .control) }
    let all = sent(&other)
    #expect(all?.visibility == .everybody)
  }

  @Test(
    "a reply to a post that not everyone can see is not called public",
    arguments: [
      (3, "Only those who can see the post it replies to can see this.", "Only you and the people it names"),
      (4, "Only the people of this conversation can see this.", "Only the people of this conversation"),
    ] as [(UInt32, String, String)]) func replies(visibility: UInt32, words: String, next: String)
  {
    var user = ScreenUser.reading()
    var view = user.shown
    let row = view.panes[0].rows[0]
    var fields = row.content.fields
    fields.visibility = visibility
    view.panes[0].rows[0] = PlacedRow(
      content: RowContent(fields), layout: row.layout, caps: row.caps, label: row.label)
    user.show(view)
    user.type("r")
    #expect(user.text().contains(words))
    user.key(.character("v"), .control)
    #expect(user.text().contains(next))
  }

  @Test("a notice is not replied to: that is said before one has written") func notice() {
    var user = ScreenUser.reading()
    var view = user.shown
    let row = view.panes[0].rows[0]
    var fields = row.content.fields
    fields.flags.insert(.notice)
    view.panes[0].rows[0] = PlacedRow(
      content: RowContent(fields), layout: row.layout, caps: row.caps, label: row.label)
    user.show(view)
    user.type("r")
    #expect(user.app.state.status.message == "A notice cannot be replied to." && user.app.state.overlay == nil)
  }

  @Test("W begins a direct message with a name, and :message one to somebody") func direct() throws {
    var user = ScreenUser.reading()
    user.type("W")
    #expect(try editor(user).text == "@" && editor(user).audience == .direct)
    #expect(user.text().contains("New direct message"))
    user.type("ann hello")
    let request = sent(&user)
    #expect(request?.text == "@ann hello" && request?.visibility == .direct)
    var other = ScreenUser.reading()
    other.type(":message bertil")
    other.key(.enter)
    #expect(try editor(other).text == "@bertil " && editor(other).audience == .direct)
  }

  @Test("in a direct message the names of accounts are completed, and no others") func accountsOnly() throws {
    for (keys, name) in [("W", "@bea"), ("c@", "@ann")] {
      var user = ScreenUser.reading()
      user.type(keys)
      let asked = try #require(user.calls(Method.listPeople, as: PageRequest.self).first)
      var response = ListPeopleResponse()
      response.people = [("root", 1), ("bea", 2)].map { handle, id in
        var person = ProfileSummary(author: SampleView.author("", handle, id: UInt64(id)))
        person.isMe = handle == "root"
        return person
      }
      user.answer(asked.number, response)
      #expect(user.text().contains("Tab ▸\(name)"))
    }
  }

  @Test("in a direct conversation c replies to its newest post") func conversation() throws {
    var user = ScreenUser.reading()
    var view = ScreenUser.view(40)
    view.push(.direct, "@bertil", SampleView.thread)
    user.show(view.snapshot)
    user.type("c")
    #expect(try editor(user).parent?.rowID == 25)
    #expect(user.text().contains("Reply to @"))
    user.key(.escape)
    user.type("r")
    #expect(try editor(user).parent?.rowID == 25, "with nothing selected")
  }

  @Test("a draft keeps who is to see it, also on another screen") func drafts() throws {
    var user = ScreenUser.reading()
    user.type("cpsst")
    user.key(.character("v"), .control)
    user.now += 1_000
    user.happens(.tick)
    let saves = user.calls(Method.saveDraft, as: SaveDraftRequest.self)
    #expect(saves.first?.1.visibility == .everybody)
    let first = try #require(saves.first)
    user.answer(first.number, DraftReference(7))
    user.now += 1_000
    user.happens(.tick)
    #expect(user.calls(Method.saveDraft, as: SaveDraftRequest.self).last?.1.visibility == .followers)
    user.key(.escape)
    user.type("c")
    #expect(try editor(user).audience == .followers)

    var other = ScreenUser.reading()
    other.type("c")
    let list = try #require(other.calls(Method.listDrafts, as: PageRequest.self).last)
    var summary = DraftSummary()
    (summary.draftID, summary.text, summary.visibility) = (7, "psst", .followers)
    var answer = ListDraftsResponse()
    answer.drafts = [summary]
    other.answer(list.number, answer)
    #expect(try editor(other).text == "psst" && editor(other).audience == .followers)
  }

  @Test("a direct draft comes back with W, never with c") func directDraft() throws {
    var user = ScreenUser.reading()
    user.type("c")
    let list = try #require(user.calls(Method.listDrafts, as: PageRequest.self).last)
    var summary = DraftSummary()
    (summary.draftID, summary.text, summary.visibility) = (7, "@ann psst", .direct)
    var answer = ListDraftsResponse()
    answer.drafts = [summary]
    user.answer(list.number, answer)
    #expect(try editor(user).text.isEmpty)
    user.key(.escape)
    user.type("W")
    #expect(try editor(user).text == "@ann psst" && editor(user).audience == .direct)
  }

  @Test("an edit does not change who can see a post, and says so") func edits() {
    var user = ScreenUser.reading()
    var view = user.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    user.show(view)
    user.type("e")
    #expect(!user.text().contains("can see this"))
    user.key(.character("v"), .control)
    #expect(user.app.state.status.message == "An edit does not change who can see the post.")
  }
}
