import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Prompts that fail, and Escape")
struct PromptTests {
  private func prompt(_ user: ScreenUser) throws -> Prompt {
    guard case .prompt(let prompt)? = user.app.state.overlay else { throw Missing() }
    return prompt
  }

  private func palette(_ user: ScreenUser) throws -> Palette {
    guard case .palette(let palette)? = user.app.state.overlay else { throw Missing() }
    return palette
  }

  @Test("a refused search opens its prompt again with the text and the reason, which typing clears") func search()
    throws
  {
    var user = ScreenUser.reading()
    user.type("/lang:de")
    user.key(.enter)
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.refuse(push.number, code: 3, "unknown key \"lang:\"")
    #expect(try prompt(user).field.text == "lang:de")
    #expect(try prompt(user).failure == "Unknown key \"lang:\".")
    #expect(user.text().contains("Unknown key \"lang:\".") && user.app.state.status.message.isEmpty)
    #expect(!user.text().contains("\"phrases\""), "the reason stands in place of the hint")
    user.key(.backspace)
    #expect(try prompt(user).failure.isEmpty && user.text().contains("\"phrases\""))
    user.key(.escape)
    #expect(user.app.state.overlay == nil)
  }

  @Test("a refused filter keeps its prompt, and a later refusal of something else does not") func filter() throws {
    var user = ScreenUser.reading()
    user.type("&is:odd")
    user.key(.enter)
    let limit = try #require(user.calls(Method.setFilter, as: SetFilterRequest.self).first)
    user.refuse(limit.number, code: 3, "unknown word is:odd")
    #expect(try prompt(user).failure == "Unknown word is:odd.")
    user.key(.escape)
    user.type("+")
    let resize = try #require(user.calls(Method.resizePane, as: ResizePaneRequest.self).first)
    user.refuse(resize.number, code: 9, "too wide")
    #expect(user.app.state.overlay == nil && user.app.state.status.message == "Too wide.")
  }

  @Test("D takes dates as people write them, and says in its box what it does not understand") func dates() throws {
    var user = ScreenUser.reading { $0.clock.wallOffset = 1_446_721_200_000 - 1_000_000 }
    user.type("Dsomeday")
    user.key(.enter)
    #expect(try prompt(user).field.text == "someday" && prompt(user).failure.hasPrefix("Not a time: 'someday'"))
    for _ in 0..<7 { user.key(.backspace) }
    user.type("2015-10")
    user.key(.enter)
    let sent = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    // The last millisecond of October 2015.
    #expect(sent.last?.atMilliseconds == 1_446_335_999_999)
  }

  @Test("each prompt recalls its own lines with Up and Down") func history() throws {
    var user = ScreenUser.reading()
    for words in ["one", "two"] {
      user.type("/" + words)
      user.key(.enter)
      let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
      user.answer(push.number, PaneResponse(paneID: 1, revision: 1))
    }
    user.type("/thr")
    user.key(.up)
    #expect(try prompt(user).field.text == "two")
    user.key(.up)
    #expect(try prompt(user).field.text == "one")
    user.key(.down)
    user.key(.down)
    #expect(try prompt(user).field.text == "thr")
    user.key(.escape)
    user.type("D")
    user.key(.up)
    #expect(try prompt(user).field.text.isEmpty)
  }

  @Test(
    "a command with a wrong argument stays on the command line",
    arguments: [
      ("theme blue", "Unknown theme 'blue'"), ("width x", "Not a width: 'x'"), ("date someday", "Not a time"),
      ("direct x", "Not a conversation ID"), ("block", "block needs more: type block AUTHOR"),
      ("block ", "block needs more: type block AUTHOR"),
    ]) func arguments(line: String, reason: String) throws
  {
    var user = ScreenUser.reading()
    user.type(":" + line)
    user.key(.enter)
    #expect(try palette(user).field.text == line && palette(user).failure.hasPrefix(reason))
    #expect(user.text().contains(reason))
  }

  @Test("a command that the daemon refuses stays on the command line, and a program that is not there in its prompt")
  func refused() throws {
    var user = ScreenUser.reading()
    user.type(":follow nobody")
    user.key(.enter)
    let follow = try #require(user.calls(Method.follow, as: AuthorRequest.self).first)
    user.refuse(follow.number, code: 5, "there is no @nobody")
    #expect(try palette(user).failure == "There is no @nobody." && palette(user).field.text == "follow nobody")
    user.key(.escape)
    user.type("j|jqq .text")
    user.key(.enter)
    user.happens(.notStarted("Cannot start jqq: no such file or directory."))
    #expect(try prompt(user).failure.hasPrefix("Cannot start jqq"))
  }

  @Test("Escape closes no pane and does not leave, and Enter answers only the question of quitting") func escape()
    throws
  {
    var user = ScreenUser.reading()
    for _ in 0..<3 { user.key(.escape) }
    #expect(user.app.state.overlay == nil && user.look() == [])
    user.type("q")
    #expect(user.text().contains("Quit Stack?") && user.text().contains("Your panes stay."))
    #expect(user.text().contains("enter quit") && user.text().contains("esc stay"))
    user.key(.escape)
    #expect(user.app.state.overlay == nil && user.look() == [])
    user.type("q")
    user.key(.enter)
    #expect(user.look() == [.send(.bye), .quit(failure: nil)])
    var other = ScreenUser.reading()
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    other.show(view.snapshot)
    other.key(.escape)
    #expect(other.calls(Method.pop, as: SessionRequest.self).isEmpty)
  }

  @Test("Enter does not delete") func enterDeletes() {
    var user = ScreenUser.reading()
    var view = user.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    user.show(view)
    user.type("d")
    user.key(.enter)
    #expect(user.calls(Method.delete, as: DeleteRequest.self).isEmpty)
    #expect(user.app.state.status.message == "Press y to delete." && user.app.state.overlay != nil)
  }

  @Test("Escape clears the filter of the pane, and nothing else") func dismissing() throws {
    var user = ScreenUser.reading()
    user.type("j")
    var view = user.shown
    view.panes[0].header.filter = Array("is:reply".utf8)
    user.show(view)
    user.key(.escape)
    #expect(user.calls(Method.setFilter, as: SetFilterRequest.self).first?.1.filter == "")
    #expect(user.focus.rowID == 1039)
    view.panes[0].header.filter = []
    user.show(view)
    _ = user.look()
    user.key(.escape)
    #expect(user.focus.rowID == 1039 && user.look() == [])
  }
}
