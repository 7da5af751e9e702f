import FullScreen
import Messages
import Terminal
import TestSupport
import Testing
import ViewState

@Suite("Writing, dialogs and the mouse on the full screen")
struct AppWritingTests {
  private func editor(_ user: ScreenUser) throws -> ComposeEditor {
    guard case .compose(let editor)? = user.app.state.overlay else { throw Missing() }
    return editor
  }

  @Test("a post keeps its request id until its outcome is known") func posting() throws {
    var user = ScreenUser.reading()
    user.type("chello")
    #expect(try editor(user).text == "hello")
    user.key(.character("s"), .control)
    let first = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(first.1.text == "hello" && first.1.inReplyTo.isEmpty)
    user.key(.character("s"), .control)
    #expect(user.calls(Method.compose, as: ComposeRequest.self).isEmpty, "it is in flight")
    user.refuse(first.number, code: 14, "the connection is over")
    #expect(try editor(user).failure == "The connection is over." && editor(user).text == "hello")
    user.key(.character("s"), .control)
    let second = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(second.1.requestID == first.1.requestID, "the outcome of the first is unknown")
    user.refuse(second.number, code: 3, "too long")
    user.type("!")
    user.key(.character("s"), .control)
    let third = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    user.answer(third.number, ComposeResponse(postID: 3, revision: 4))
    #expect(user.app.state.overlay == nil)
    #expect(user.app.state.status.message == "Posted.")
  }

  @Test("a post that waits for its source is not called posted") func pending() throws {
    var user = ScreenUser.reading()
    user.type("chello")
    user.key(.character("s"), .control)
    let sent = try #require(user.calls(Method.compose, as: ComposeRequest.self).first)
    user.answer(sent.number, ComposeResponse(postID: 3, revision: 4, isPending: true))
    #expect(user.app.state.status.message == "Sending the post to its source…")
  }

  @Test("a reply names the author and the parent") func answering() throws {
    var user = ScreenUser.reading()
    user.type("jr")
    #expect(try editor(user).text == "@ann ")
    #expect(try editor(user).parent?.rowID == 1039)
    user.type("yes")
    user.key(.character("s"), .control)
    #expect(user.calls(Method.compose, as: ComposeRequest.self).first?.1.inReplyTo == "1039")
  }

  @Test("an unfinished text comes back") func leaving() throws {
    var user = ScreenUser.reading()
    user.type("chalf a thought")
    user.key(.escape)
    #expect(user.app.state.overlay == nil)
    user.type("c")
    #expect(try editor(user).text == "half a thought")
    user.key(.character("c"), .control)
    user.type("jrno, yes")
    user.key(.escape)
    user.type("jr")
    #expect(try editor(user).text == "@ann ", "another post has its own reply")
    user.key(.escape)
    user.type("kr")
    #expect(try editor(user).text == "@ann no, yes")
  }

  @Test("the text of an external editor returns to the editor, and is not sent") func elsewhere() throws {
    var user = ScreenUser.reading()
    user.type("C")
    #expect(user.lookBesideCalls() == [.edit("")])
    user.happens(.edited(.success("from vi\n\n")))
    #expect(try editor(user).text == "from vi")
    #expect(user.calls(Method.measure, as: MeasureRequest.self).map(\.1.text) == ["from vi"])
    user.happens(.edited(.failure(CallEnd(code: 2, message: "vi ended with status 1"))))
    #expect(try editor(user).text == "from vi" && editor(user).failure == "Vi ended with status 1.")
    #expect(user.calls(Method.compose, as: ComposeRequest.self).isEmpty)
  }

  @Test("pasted text is inserted into text fields, and ignored elsewhere") func pasting() throws {
    var user = ScreenUser.reading()
    user.happens(.input(.paste(Array("Qqd\u{1B}[A".utf8))))
    #expect(user.look() == [] && user.app.state.overlay == nil)
    user.type("c")
    user.happens(.input(.paste(Array("one\rtwo\r\nthree".utf8))))
    #expect(try editor(user).text == "one\ntwo\nthree")
  }

  @Test("the remaining length comes from the daemon, one text at a time, and too long a text is not sent")
  func counting()
    throws
  {
    var user = ScreenUser.reading()
    user.type("ca")
    let first = try #require(user.calls(Method.measure, as: MeasureRequest.self).first)
    #expect(first.1.text == "a")
    user.type("bc")
    #expect(user.calls(Method.measure, as: MeasureRequest.self).isEmpty, "one is in flight")
    var answer = MeasureResponse()
    (answer.weightedLength, answer.remaining) = (1, 1)
    user.answer(first.number, answer)
    #expect(user.text().contains(" 1/2 "))
    let last = try #require(user.calls(Method.measure, as: MeasureRequest.self).first)
    #expect(last.1.text == "abc")
    (answer.weightedLength, answer.remaining) = (3, -1)
    user.answer(last.number, answer)
    #expect(user.text().contains(" 3/2 "))
    user.key(.character("s"), .control)
    #expect(try user.calls(Method.compose, as: ComposeRequest.self).isEmpty && !editor(user).isSending)
    #expect(try editor(user).failure == "Too long by 1: 3 of 2 characters.")
    #expect(user.text().contains("Too long by 1: 3 of 2 characters."))
    user.key(.backspace)
    #expect(try editor(user).failure.isEmpty)
    let shorter = try #require(user.calls(Method.measure, as: MeasureRequest.self).first)
    user.refuse(shorter.number, code: 14)
    #expect(user.calls(Method.measure, as: MeasureRequest.self).isEmpty, "it is not asked for repeatedly")
    user.key(.character("s"), .control)
    #expect(user.calls(Method.compose, as: ComposeRequest.self).first?.1.text == "ab", "the daemon decides")
  }

  @Test("an edit begins with the post's text, and can be closed unchanged, kept as a draft, and sent") func editing()
    throws
  {
    var user = ScreenUser.reading()
    user.type("e")
    #expect(
      user.app.state.overlay == nil
        && user.app.state.status.message == "You can only edit your own posts.")
    var view = user.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    user.show(view)
    user.type("e")
    #expect(try editor(user).text == "post 40" && editor(user).isEdit && editor(user).parent == nil)
    #expect(user.text().contains("Edit post"))
    user.key(.character("s"), .control)
    #expect(user.app.state.overlay == nil && user.app.state.status.message == "No changes.")
    user.type("e!")
    user.key(.escape)
    user.type("c")
    #expect(try editor(user).text == "")
    user.key(.escape)
    user.type("e")
    #expect(try editor(user).text == "post 40!")
    user.key(.character("s"), .control)
    let edit = try #require(user.calls(Method.edit, as: EditRequest.self).first)
    #expect(edit.1.post == "1040" && edit.1.text == "post 40!" && !edit.1.requestID.isEmpty)
    user.answer(edit.number, RevisionResponse(revision: 4))
    #expect(user.app.state.overlay == nil && user.app.state.status.message == "Post edited.")
  }

  @Test(
    "a reply in a direct conversation at a server begins without names, which the daemon adds")
  func directElsewhere() throws {
    for (source, beginning) in [("mastodon", ""), ("", "@ann ")] {
      var user = ScreenUser.reading()
      user.type("g")
      var view = user.shown
      let row = view.panes[0].rows[0]
      var fields = row.content.fields
      (fields.author.source, fields.visibility) = (Array(source.utf8), 4)
      view.panes[0].rows[0] = PlacedRow(
        content: RowContent(fields), layout: row.layout, caps: row.caps, label: row.label)
      user.show(view)
      user.type("r")
      #expect(try editor(user).text == beginning)
    }
  }

  @Test("whether a post of another source may be deleted is for the daemon to say") func deletingElsewhere() throws {
    var user = ScreenUser.reading()
    user.type("g")
    var view = user.shown
    let row = view.panes[0].rows[0]
    var fields = row.content.fields
    fields.author.source = Array("twitter".utf8)
    view.panes[0].rows[0] = PlacedRow(
      content: RowContent(fields), layout: row.layout, caps: row.caps, label: row.label)
    user.show(view)
    user.type("dy")
    #expect(user.calls(Method.delete, as: DeleteRequest.self).first?.1.post == "1040")
  }

  @Test("deleting asks first, and works only for own posts") func deleting() throws {
    var user = ScreenUser.reading()
    user.type("d")
    #expect(user.app.state.overlay == nil && user.app.state.status.weight == .warning, "the post is Ann's")
    var view = user.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    user.show(view)
    user.type("d")
    guard case .confirm? = user.app.state.overlay else { throw Missing() }
    #expect(user.calls(Method.delete, as: DeleteRequest.self).isEmpty)
    user.type("y")
    #expect(user.calls(Method.delete, as: DeleteRequest.self).first?.1.post == "1040")
  }

  @Test(
    "commands of the command line make their calls",
    arguments: [
      ("search otter", Method.push), ("author bertil", Method.push), ("conversation 42", Method.push),
      ("list harbour", Method.push),
      ("direct 4", Method.push), ("follow bertil", Method.follow), ("unfollow bertil", Method.unfollow),
      ("approve bertil", Method.approveFollow), ("refuse bertil", Method.refuseFollow),
      ("remove-follower bertil", Method.removeFollower),
      ("list-make port", Method.createList),
      ("list-rename port harbour", Method.renameList), ("list-add port bertil", Method.addToList),
      ("list-remove port bertil", Method.removeFromList), ("session-rename a b", Method.renameSession),
      ("width 40", Method.resizePane),
      ("mentions", Method.open),
    ]) func palette(line: String, method: String)
  {
    var user = ScreenUser.reading()
    user.type(":" + line)
    user.key(.enter)
    #expect(user.look().contains { if case .call(_, method, _) = $0 { true } else { false } })
    #expect(user.app.state.overlay == nil)
  }

  @Test("other commands of the command line") func otherVerbs() throws {
    var user = ScreenUser.reading()
    user.type(":import /tmp/a file.jsonl")
    user.key(.enter)
    #expect(user.look().last == .importFile("/tmp/a file.jsonl"))
    user.type(":session work")
    user.key(.enter)
    #expect(user.look().contains { if case .attach(let hello) = $0 { hello.session == "work" } else { false } })
    user.show(ScreenUser.view(2).snapshot, isFirst: true)
    user.type(":nonsense")
    user.key(.enter)
    guard case .palette(let palette)? = user.app.state.overlay else { throw Missing() }
    #expect(palette.failure.contains("nonsense"))
    user.key(.escape)
    user.type(":theme light")
    user.key(.enter)
    #expect(user.app.state.overlay == nil)
    user.type(":date 2024-03-03")
    user.key(.enter)
    let viewport = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }.last
    #expect(viewport?.atMilliseconds == 1_709_510_399_999, "the end of that day, because the newest is first")
  }

  @Test("links are chosen by number, and open their targets") func links() throws {
    var view = SampleView(columns: 120, lines: 30)
    view.push(
      .timeline, "Timeline",
      [
        SampleView.Post(
          id: 1, name: "Ann", handle: "ann", text: "https://a.example https://b.example @bo #sea",
          edit: { fields in
            for name in ["a", "b"] {
              SampleView.span(.link, "https://\(name).example", in: &fields, target: "https://\(name).example")
            }
            SampleView.span(.hashtag, "#sea", in: &fields)
            fields.permalink = Array("https://here.example/1".utf8)
          })
      ])
    var user = ScreenUser()
    user.happens(.connected)
    user.show(view.snapshot, isFirst: true)
    _ = user.look()
    user.type("o2")
    #expect(user.look() == [.browse(Array("https://b.example".utf8))])
    user.type("v")
    #expect(user.look() == [.browse(Array("https://here.example/1".utf8))])
    user.type("y")
    #expect(user.look() == [.copy(Array("https://here.example/1".utf8))])
    user.type("Y")
    #expect(user.look() == [.copy(Array("https://a.example https://b.example @bo #sea".utf8))])
    user.type("#")
    #expect(user.calls(Method.push, as: PushRequest.self).first?.1.subject == .search("#sea"))
  }

  @Test("Ctrl-C asks once, and quits the second time") func interrupting() {
    var user = ScreenUser.reading()
    user.key(.character("c"), .control)
    #expect(user.look() == [] && user.app.state.status.message == "Press Ctrl-C again to quit.")
    user.type("j")
    user.key(.character("c"), .control)
    #expect(!user.look().contains { if case .quit = $0 { true } else { false } }, "another key came in between")
    user.key(.character("c"), .control)
    #expect(user.look().last == .quit(failure: nil))
  }

  @Test("redraw, suspend and the mouse") func program() {
    var user = ScreenUser.reading()
    user.key(.character("l"), .control)
    user.key(.character("z"), .control)
    user.type("M")
    #expect(user.look() == [.repaint, .suspend, .setMouse(true)])
    #expect(user.app.hasMouse)
  }

  @Test("clicks select and open, the wheel scrolls, and a drag slides") func mouse() throws {
    var user = ScreenUser.reading(40, columns: 120)
    func mouse(_ action: Mouse.Action, _ line: Int, _ column: Int) -> AppEvent {
      .input(.mouse(Mouse(action, line: line, column: column)))
    }
    user.happens(mouse(.press, 6, 40))
    #expect(user.focus.rowID == 1039)
    user.happens(mouse(.release, 6, 40))
    #expect(user.calls(Method.push, as: PushRequest.self).isEmpty)
    user.happens(mouse(.press, 6, 40))
    #expect(user.calls(Method.push, as: PushRequest.self).first?.1.subject == .conversation("1039"))
    user.happens(mouse(.wheelDown, 6, 40))
    #expect(user.anchor() == LineAnchor(rowID: 1040, line: 3))
    _ = user.look()
    // The account takes two lines below the titles, then there is a line above each section.
    user.happens(mouse(.press, 6, 3))
    #expect(user.calls(Method.open, as: OpenRequest.self).first?.1.section == .mentions)
    user.happens(mouse(.press, 6, 40))
    user.happens(mouse(.drag, 6, 30))
    user.happens(mouse(.release, 6, 20))
    let drag = try #require(user.calls(Method.moveStack, as: MoveStackRequest.self).first)
    #expect(drag.1.move == .drag(MoveStackRequest.DragEnd(paneID: 1, x: 2, direction: .left)))
  }

  @Test(
    "after any input there is a picture of the right size", arguments: 0..<10 as Range<UInt64>)
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var user = ScreenUser.reading(20) { $0.animates = true }
    let codes: [Key.Code] = [
      .enter, .escape, .tab, .backspace, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete,
    ]
    var size = (columns: 120, lines: 30)
    for _ in 0..<200 {
      user.now += Int64.random(in: 0...400, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: user.key(codes.randomElement(using: &random)!)
      case 1: user.happens(.input(.paste(Array("some\r漁師".utf8))))
      case 2:
        size = (Int.random(in: 1...200, using: &random), Int.random(in: 1...60, using: &random))
        user.happens(.resized(columns: size.columns, lines: size.lines))
      case 3:
        var view = ScreenUser.view(
          Int.random(in: 0...30, using: &random), columns: max(24, size.columns), lines: max(6, size.lines))
        if Bool.random(using: &random) { view.push(.conversation, "Conversation", SampleView.thread) }
        view.snapshot.layoutGeneration = user.shown.layoutGeneration + UInt32.random(in: 0...1, using: &random)
        user.show(view.snapshot, viewports: user.shown.viewportGeneration + 1)
      case 4: user.happens(.tick)
      case 5:
        user.happens(.disconnected("gone"))
        user.happens(.connected)
        user.show(user.shown, isFirst: true)
      case 6:
        let action: Mouse.Action = [.press, .release, .drag, .wheelUp, .wheelDown].randomElement(using: &random)!
        let place = (Int.random(in: 0..<60, using: &random), Int.random(in: 0..<200, using: &random))
        user.happens(.input(.mouse(Mouse(action, line: place.0, column: place.1))))
      case 7:
        for case .call(let number, _, _) in user.look() {
          if Bool.random(using: &random) {
            user.answer(number, PaneResponse(paneID: 1, revision: 3))
          } else {
            user.refuse(number, code: Int.random(in: 1...16, using: &random))
          }
        }
      default: user.key(.character(Character(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random)))))
      }
      if let next = user.app.nextTick, next <= user.now { user.happens(.tick) }
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      let picture = user.app.picture(at: user.now)
      #expect(picture.columns == size.columns && picture.lines == size.lines)
    }
  }
}
