import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Found words")
struct FindTests {
  /// Returns the texts of the picture in the style of found words.
  private func found(_ user: inout ScreenUser) -> [String] {
    let style = Theme.dark[.found]
    return user.app.picture(at: user.now).runs.flatMap { $0.flatMap(\.pieces) }.filter {
      $0.style.background == style.background
    }.map { String(decoding: $0.text, as: UTF8.self) }
  }

  private func searching(_ query: String, _ title: String) -> ScreenUser {
    var user = ScreenUser(columns: 120, lines: 60)
    user.happens(.connected)
    var view = SampleView(columns: 120, lines: 60)
    view.push(.search, title, SampleView.posts, query: query)
    user.show(view.snapshot, isFirst: true)
    return user
  }

  @Test(
    "the words of a search stand out in its rows, in any script",
    arguments: [
      ("otter", ["Otter", "otter", "otter"]), ("at \"old quay\"", ["at", "old quay"]), ("時計", ["時計"]),
      ("spree", []), ("#otter", ["#otter"]), ("@ann", ["@ann"]), ("मीरा हवा", ["हवा"]),
    ]) func search(query: String, words: [String])
  {
    var user = searching(query, query)
    #expect(found(&user) == words)
  }

  @Test("a search pane is titled with what was typed") func title() {
    var user = searching("fr otter", "Otter FR")
    #expect(user.text().contains("Otter FR") && !user.text().contains("fr otter"))
  }

  @Test("ctrl-f finds words in the rows that are held, > and < go on, and Escape clears the marks") func find() {
    var user = ScreenUser.reading()
    user.type(">")
    #expect(user.app.state.status.message == "Nothing to find yet; ctrl-f asks for words.")
    user.key(.character("f"), .control)
    user.type("post 3")
    user.key(.enter)
    #expect(user.focus.rowID == 1003)
    #expect(found(&user) == ["post", "3"], "not in other rows")
    user.type(">")
    #expect(user.app.state.status.message == "Not found below this post · < looks above.")
    user.key(.character("f"), .control)
    user.type("post")
    user.key(.enter)
    #expect(user.focus.rowID == 1002)
    user.type("<<")
    #expect(user.focus.rowID == 1004)
    user.key(.escape)
    #expect(found(&user).isEmpty && user.focus.rowID == 1004)
  }

  @Test("beyond the rows that are held the daemon looks, in the pane and its filter") func beyond() throws {
    var user = ScreenUser.reading()
    var view = user.shown
    view.panes[0].status.rowCount = 500
    view.panes[0].header.filter = Array("is:reply".utf8)
    user.show(view)
    user.key(.character("f"), .control)
    user.type("walrus")
    user.key(.enter)
    let ask = try #require(user.calls(Method.getRows, as: GetRowsRequest.self).first)
    #expect(ask.1.subject == .section(.timeline) && ask.1.anchorRow == 1001 && ask.1.count == 1)
    #expect(ask.1.filter == "is:reply walrus" && ask.1.direction == .down)
    let row = SampleView.row(
      SampleView.Post(id: 400, name: "Ann", handle: "ann", text: "walrus"), view.paneFrames[0], caps: [])
    let answer = GetRowsResponse(rows: [row], revision: 1, hasMore: false, labelsAtMilliseconds: 0)
    user.answer(ask.number, answer)
    let sent = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    #expect(sent.last?.anchorRow == 400)
    view.panes[0].rows = answer.rows
    view.panes[0].status.rowsAbove = 300
    user.show(view, viewports: sent.last?.generation)
    #expect(user.focus.rowID == 400)
  }

  @Test("a filter that the daemon refuses stays in its box") func refused() throws {
    var user = ScreenUser.reading()
    user.key(.character("f"), .control)
    user.type("is:odd")
    user.key(.enter)
    let ask = try #require(user.calls(Method.getRows, as: GetRowsRequest.self).first)
    user.refuse(ask.number, code: 3, "unknown word is:odd")
    guard case .prompt(let prompt)? = user.app.state.overlay else { throw Missing() }
    #expect(prompt.failure == "Unknown word is:odd." && prompt.field.text == "is:odd")
  }

  @Test("in a conversation it says how far it looked") func conversation() {
    var user = ScreenUser.reading()
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[1].status.rowCount = 90
    user.show(view.snapshot)
    user.key(.character("f"), .control)
    user.type("walrus")
    user.key(.enter)
    guard case .prompt(let prompt)? = user.app.state.overlay else { return #expect(Bool(false)) }
    #expect(prompt.failure == "Not found in the 5 posts that are loaded.")
  }
}
