import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Notices")
struct NoticeTests {
  @Test("a notice ends with the next key, also under a box that opens") func ending() {
    for key in ["j", "c", "/", "?"] {
      var user = ScreenUser.reading()
      user.type("F")
      #expect(user.app.state.status.message == "Follow on.")
      user.type(key)
      #expect(user.app.state.status.message.isEmpty, "\(key)")
    }
  }

  @Test(
    "keys without effect say why",
    arguments: [
      ("f", "This pane is empty."), ("d", "This pane is empty."), ("t", "This pane is empty."),
      ("y", "This pane is empty."), ("j", "This pane is empty."), ("|", "This pane is empty."),
      ("o", "This pane is empty."), ("x", "This pane is empty."), ("\\", "This pane has no filter."),
      ("X", "There is only one pane."), ("w", "w does nothing here; ? shows the keys."),
      (">", "This pane is empty."),
    ]) func silence(key: String, words: String)
  {
    var user = ScreenUser.reading(0)
    user.type(key)
    #expect(user.app.state.status.message == words)
  }

  @Test("the words for undo name the author of the post and the key for redo, not its number") func undoing() throws {
    var user = ScreenUser.reading()
    user.type("u")
    let undo = try #require(user.calls(Method.undo, as: UndoRequest.self).first)
    var answer = UndoResponse()
    (answer.description, answer.postID) = ("favouriting post 1039", 1039)
    user.answer(undo.number, answer)
    #expect(user.app.state.status.message == "Undone: favouriting a post of @ann · ctrl-r does it again.")
    user.key(.character("r"), .control)
    let redo = try #require(user.calls(Method.undo, as: UndoRequest.self).first)
    (answer.description, answer.postID) = ("favouriting post 7", 7)
    user.answer(redo.number, answer)
    #expect(user.app.state.status.message == "Redone: favouriting a post.")
  }

  @Test("marks say what they did, and how to take it back") func marks() throws {
    var user = ScreenUser.reading()
    user.type("f")
    let mark = try #require(user.calls(Method.mark, as: MarkRequest.self).first)
    user.answer(mark.number, MarkResponse(hasChanged: true, repostID: 0, revision: 1))
    #expect(user.app.state.status.message == "Favourite added · u takes it back.")
  }

  @Test("y copies the post's own address, or says that it has none and what else there is") func copying() {
    var user = ScreenUser.reading()
    var view = user.shown
    user.type("y")
    #expect(
      user.app.state.status.message == "This post has no address · Y copies its text.")
    let row = view.panes[0].rows[0]
    var fields = row.content.fields
    fields.permalink = Array("https://example.org/p".utf8)
    view.panes[0].rows[0] = PlacedRow(
      content: RowContent(fields), layout: row.layout, caps: row.caps, label: row.label)
    user.show(view)
    _ = user.look()
    user.type("y")
    #expect(user.lookBesideCalls() == [.copy(Array("https://example.org/p".utf8))])
  }

  @Test("where replies are hidden a notice says that this is kept") func collapsing() throws {
    var user = ScreenUser.reading()
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    user.show(view.snapshot)
    _ = user.look()
    user.type("j(")
    let collapse = try #require(user.calls(Method.collapse, as: CollapseRequest.self).first)
    user.answer(collapse.number, PaneResponse(paneID: 2, revision: 9))
    #expect(user.app.state.status.message == "Replies hidden; this session keeps them hidden · ) shows them.")
    user.type(")")
    #expect(user.app.state.status.message == "No replies are hidden here.")
    user.type("G(")
    #expect(user.app.state.status.message == "No replies below this post.")
  }

  @Test("times are told in the language of the rows", arguments: [("", "12:16 AM"), ("de", "00:16")])
  func language(locale: String, time: String) {
    var user = ScreenUser.reading { $0.layout.locale = locale }
    user.happens(.disconnected("gone"))
    #expect(user.app.state.status.connection == .offline(since: time))
  }

  @Test(
    "a box names its keys, as they are, and the status line does not repeat them",
    arguments: [
      ("?", "type to search · f5 closes"), (":", "tab completes · f2 runs · f5 closes"),
      ("/", "f2 searches · f5 closes"),
      ("c", "ctrl-s posts · f5 keeps a draft · alt-e opens your editor"),
    ])
  func boxes(key: String, foot: String) throws {
    let keys = ["help", "palette", "prompt", "compose"].map { section in
      "[\(section)]\ncancel = \"f5\"\n" + (section.hasPrefix("p") ? "choose = \"f2\"\n" : "")
    }
    let keymap = try Keymap(parsing: Array(keys.joined().utf8))
    var user = ScreenUser.reading { $0.keymap = keymap }
    #expect(!user.app.state.status.hints.isEmpty)
    user.type(key)
    #expect(user.text().contains(foot) && user.app.state.status.hints.isEmpty)
  }

  @Test("lines read out repeat a notice that comes again") func linear() {
    var user = ScreenUser.reading(0)
    var printer = LinearPrinter(isolatesDirections: false)
    _ = user.app.lines(&printer)
    for _ in 0..<2 {
      user.type("f")
      #expect(String(decoding: user.app.lines(&printer), as: UTF8.self) == "This pane is empty.\n")
    }
  }
}
